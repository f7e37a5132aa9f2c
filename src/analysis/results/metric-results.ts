/** The metrics of an experiment: what each variant's users have, and how the variants compare. */
import type { MetricResult, Results } from '../../contract/schemas/experiment-results.js';
import type { Metric } from '../../contract/schemas/metric.js';
import type { CumulativeSums, MetricSums } from '../messages.js';
import { benjaminiHochbergLevel, holmLevel } from '../statistics/correction.js';
import {
  type ComparisonPlan,
  type Contrast,
  comparisonOf,
  contrastsOf,
  estimateOf,
  type Judgement,
  type MetricRole,
  sumsByVariant,
} from './comparisons.js';
import type { ResultsSource } from './results-source.js';

/** The probability of an error that a family of comparisons is held to. */
const alpha = 0.05;

/** A metric with its sums, and its contrasts before they are judged. */
interface Examined {
  readonly metric: Metric;
  readonly role: MetricRole;
  readonly sums: readonly MetricSums[];
  readonly contrasts: readonly Contrast[];
}

/** What is judged alike: by the role of its metrics. */
type Levels = Readonly<Record<MetricRole, number>>;

export interface MetricsOfResults {
  readonly metrics: readonly MetricResult[];
  readonly cumulative: Results['cumulative'];
  readonly segments: NonNullable<Results['segments']>;
}

/** @param mayDecide false where the split was not fair */
export function metricsOf(
  source: ResultsSource,
  plan: ComparisonPlan,
  mayDecide: boolean,
): MetricsOfResults {
  const examined = examine(source, plan);
  const levels = levelsOf(examined);
  const primary = examined.find(({ role }) => role === 'primary');
  return {
    metrics: examined.map((each) => metricResult(each, plan, levels, mayDecide)),
    cumulative:
      primary === undefined ? [] : cumulativeOf(source, primary.metric, plan, levels.primary),
    segments: primary === undefined ? [] : segmentsOf(source, primary.metric, plan),
  };
}

/** The primary metric first, then guards, then others, each in the order of the statistics. */
function examine({ experiment, metrics, statistics }: ResultsSource, plan: ComparisonPlan) {
  const roleOf = (name: string): MetricRole => {
    if (name === experiment.primaryMetric) return 'primary';
    return experiment.guardMetrics.includes(name) ? 'guard' : 'other';
  };
  const examined = statistics.metrics.flatMap(({ name, sums }): Examined[] => {
    const metric = metrics.find((each) => each.name === name);
    if (metric === undefined) return [];
    const byVariant = sumsByVariant(sums, plan.crossoverAnalysis);
    const contrasts = contrastsOf(metric.kind, byVariant, plan);
    return [{ metric, role: roleOf(name), sums, contrasts }];
  });
  const order: readonly MetricRole[] = ['primary', 'guard', 'other'];
  return examined.toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

/**
 * The primary metric decides, and a guard that cries wolf stops what is good: neither may err once in a family more often than
 * alpha (Holm). Other metrics are looked through for what to test next: of what is found, a share of alpha may be wrong.
 */
function levelsOf(examined: readonly Examined[]): Levels {
  const pValuesOf = (role: MetricRole) =>
    pValues(examined.flatMap((each) => (each.role === role ? each.contrasts : [])));
  return {
    primary: holmLevel(pValuesOf('primary'), alpha),
    guard: holmLevel(pValuesOf('guard'), alpha),
    other: benjaminiHochbergLevel(pValuesOf('other'), alpha),
  };
}

/** A contrast without enough data is one of the family, too: what it will be is not known yet. */
function pValues(contrasts: readonly Contrast[]): readonly number[] {
  return contrasts.map(({ pValue }) => pValue ?? 1);
}

function metricResult(
  { metric, role, sums, contrasts }: Examined,
  plan: ComparisonPlan,
  levels: Levels,
  mayDecide: boolean,
): MetricResult {
  const { name, kind, trusted, direction } = metric;
  const judgement: Judgement = { level: levels[role], role, direction, mayDecide };
  const byVariant = [...sumsByVariant(sums, plan.crossoverAnalysis)];
  return {
    ...{ name, kind, role, trusted, direction, clientReported: !trusted },
    variants: byVariant.map(([variant, each]) => ({
      name: variant,
      users: each.n,
      mean: each.n === 0 ? null : estimateOf(kind, each).mean,
      total: each.sumX,
    })),
    comparisons: contrasts.map((contrast) => comparisonOf(contrast, plan, judgement)),
    windowComplete: byVariant.reduce((users, [, each]) => users + each.n, 0),
  };
}

/** At the level of the newest day, so that it ends where the table of metrics is. */
function cumulativeOf(
  { statistics }: ResultsSource,
  metric: Metric,
  plan: ComparisonPlan,
  level: number,
): Results['cumulative'] {
  const judgement = {
    level,
    role: 'primary',
    direction: metric.direction,
    mayDecide: false,
  } as const;
  return [...byDay(statistics.cumulative)].flatMap(([day, sums]) =>
    contrastsOf(metric.kind, sumsByVariant(sums, plan.crossoverAnalysis), plan).map((contrast) => {
      const { variant, effect, interval } = comparisonOf(contrast, plan, judgement);
      return { day, variant, effect, interval };
    }),
  );
}

function byDay(
  cumulative: readonly CumulativeSums[],
): ReadonlyMap<string, readonly CumulativeSums[]> {
  const days = new Map<string, CumulativeSums[]>();
  for (const sums of cumulative) {
    const ofDay = days.get(sums.day) ?? [];
    ofDay.push(sums);
    days.set(sums.day, ofDay);
  }
  return days;
}

/**
 * Exploratory: the values were chosen afterwards, so they are corrected together and decide nothing. Empty where no event has
 * the attribute: all users without it are no group of their own.
 */
function segmentsOf(
  { statistics }: ResultsSource,
  metric: Metric,
  plan: ComparisonPlan,
): MetricsOfResults['segments'] {
  if (statistics.segments.every(({ value, isOther }) => value === null && !isOther)) return [];
  const examined = statistics.segments.map(({ value, isOther, metric: { sums } }) => ({
    value: isOther ? '(other values)' : (value ?? '(no value)'),
    contrasts: contrastsOf(metric.kind, sumsByVariant(sums, plan.crossoverAnalysis), plan),
  }));
  const level = benjaminiHochbergLevel(pValues(examined.flatMap((each) => each.contrasts)), alpha);
  const judgement = {
    level,
    role: 'other',
    direction: metric.direction,
    mayDecide: false,
  } as const;
  return examined.map(({ value, contrasts }) => ({
    value,
    comparisons: contrasts.map((contrast) => comparisonOf(contrast, plan, judgement)),
  }));
}
