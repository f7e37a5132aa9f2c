/**
 * What the control process and the analysis process say to each other. Types only: both sides import it, and neither loads
 * the other's code.
 */

export type MetricKind = 'count' | 'sum' | 'conversion' | 'ratio' | 'retention';

/** What the queries need of a metric; the contract's `Metric` has every member of it. */
export interface AnalysisMetric {
  /** Of the metric, unique in the environment. */
  readonly name: string;
  readonly kind: MetricKind;
  /** Name of the metric events that it counts. */
  readonly event: string;
  /** Of ratios: name of the events below the line. */
  readonly denominator: string | null;
  /** Days (of 24 h) from the first exposure in which events count, of any kind but retention. Null: until the end of the phase. */
  readonly windowDays: number | null;
  /** Of retention: such an event from `day` x 24 h until `day + 1` x 24 h after the first exposure makes a user retained. */
  readonly day: number | null;
  /** Only events that came with an events key count. */
  readonly trusted: boolean;
  readonly cap: {
    /** Events of a user and UTC day of receipt that count, the earliest first. */
    readonly perUserDay: number | null;
    /**
     * Users' values are cut at this quantile of the values other than 0, of all variants together. Of counts and sums only.
     * With zeros the cut of a rare event would be 0, and nothing would be left of it. A cut at 0 or below is none.
     */
    readonly winsorise: number | null;
  };
}

export interface AnalysisRequest {
  readonly environment: string;
  readonly experiment: string;
  readonly phase: number;
  readonly startedAtMs: number;
  /** Null while the phase runs. Nothing that happened later counts. */
  readonly endedAtMs: number | null;
  readonly variants: readonly string[];
  readonly metrics: readonly AnalysisMetric[];
  /** The name of the metric of `cumulative` and of `segments`. */
  readonly primary: string | null;
  /** A stored attribute, by whose value at the first exposure users are split. */
  readonly segment: string | null;
  readonly nowMs: number;
}

/** Exposed users by the variant of their first exposure. */
export interface VariantExposures {
  readonly variant: string;
  /** With crossovers. */
  readonly users: number;
  /** Users among them who were later exposed to another variant as well. */
  readonly crossovers: number;
  /** Users with an exposure to this variant that contradicts their bucket. Such an exposure counts for nothing else. */
  readonly contradictions: number;
}

/**
 * What CUPED needs of the 7 days before each user's first exposure. `p` is the metric's value in them, cut where `x` is; `h` is 1 for users with history (an event
 * that counts for the metric in these days), else 0, and then `p` is 0. So the sum of h x p is `sumP`, and the sum of h x h is `sumH`. The two can be collinear,
 * as of a conversion, where `p` equals `h`.
 */
export interface PreSums {
  readonly sumH: number;
  readonly sumP: number;
  readonly sumPP: number;
  readonly sumXP: number;
  readonly sumXH: number;
}

/**
 * Sums over users of one variant. They add up: users who stayed in their variant (`crossed` false) alone are the analysis without crossovers;
 * together with those who crossed over (by first variant), the intention-to-treat analysis.
 */
export interface MetricSums {
  readonly variant: string;
  readonly crossed: boolean;
  /** Users whose window was complete when the newest event was received; all exposed users of a metric without a window. */
  readonly n: number;
  /** `x` is the user's value: a count, a sum, 0 or 1 (conversion, retention), or the sum above the line (ratio). */
  readonly sumX: number;
  readonly sumXX: number;
  /** `y` is the sum below the line of a ratio, else 0. */
  readonly sumY: number;
  readonly sumYY: number;
  readonly sumXY: number;
  /** Null for ratios and retention. */
  readonly pre: PreSums | null;
}

export interface MetricStatistics {
  readonly name: string;
  readonly sums: readonly MetricSums[];
  /** Where values were cut; null where nothing is winsorised or no user has a value. */
  readonly winsorisedAt: number | null;
}

/** Of the primary metric, with what was received until the end of the day (UTC), cut where the final values are. `pre` is null. */
export interface CumulativeSums extends MetricSums {
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

export interface AnalysisStatistics {
  /** When the newest event of the environment was received; null without events. */
  readonly dataUntilMs: number | null;
  /** Equal fingerprints: computed from the same events. */
  readonly fingerprint: string;
  /** Was the result of an earlier request given again? */
  readonly cached: boolean;
  readonly computedAtMs: number;
  /** One per variant of the request, in its order. */
  readonly exposures: readonly VariantExposures[];
  /** Users with an exposure to a variant that the request does not name. */
  readonly unknownVariants: number;
  /** Users by the day (UTC, of receipt) of their first exposure. Days without any are left out. */
  readonly daily: readonly {
    readonly day: string;
    readonly variant: string;
    readonly exposed: number;
  }[];
  /** One per metric of the request, in its order. */
  readonly metrics: readonly MetricStatistics[];
  readonly cumulative: readonly CumulativeSums[];
  /** Of the primary metric: the attribute's values with the most users; the others together as `other`. Exploratory. Empty unless asked for. */
  readonly segments: readonly {
    /** Null: the first exposure has no such attribute. */
    readonly value: string | null;
    readonly isOther: boolean;
    readonly metric: MetricStatistics;
  }[];
}

/**
 * A metric's distribution over users, for the size of a sample: each user's first event (of any name) in the last `days` counts as the first exposure.
 */
export interface BaselineRequest {
  readonly environment: string;
  readonly metric: AnalysisMetric;
  readonly days: number;
  readonly nowMs: number;
}

export interface BaselineStatistics {
  readonly dataUntilMs: number | null;
  readonly n: number;
  readonly sumX: number;
  readonly sumXX: number;
  readonly sumY: number;
  readonly sumYY: number;
  readonly sumXY: number;
  /** Mean of the users per day (UTC) with a first event in the period. */
  readonly newUsersPerDay: number;
}

/** Names of the metric events of an environment in the last `days`. */
export interface EventNamesRequest {
  readonly environment: string;
  readonly days: number;
  readonly nowMs: number;
  readonly namesMax: number;
}

export interface EventNames {
  /** Those with the most events first. */
  readonly names: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}
