/** What delivery processes report of the user contexts that requests carry (D67, D111). */

/** Frequent values of one attribute, counted since the last report. */
export interface SeenValues {
  readonly name: string;
  /** Requests that were looked at and carried the attribute. */
  readonly looked: number;
  /** JSON texts of values, each with a lower bound of the requests that carried it. */
  readonly values: readonly (readonly [json: string, count: number])[];
}

/** A user context as it is kept. */
export interface KeptContext {
  /** JSON text of `{u, p, v}`; `u` is a pseudonym. */
  readonly json: string;
  /** Some of its attributes are left out: too large, too many, or like an id. */
  readonly isReduced: boolean;
}

/** A uniform sample of requests since the last report. */
export interface SampledContexts {
  /** How many requests it stands for, about. */
  readonly requests: number;
  readonly contexts: readonly KeptContext[];
}

/** What requests of one environment carried since the last report. */
export interface SeenTraffic {
  readonly environment: string;
  /** Names of attributes, each once a day and process. */
  readonly names: readonly string[];
  readonly values: readonly SeenValues[];
  /** Null: none are kept, or there were no requests. */
  readonly sampled: SampledContexts | null;
}
