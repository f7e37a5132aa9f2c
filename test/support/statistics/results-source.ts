/** Sources of results, from users by variant. */
import type {
  AnalysisStatistics,
  MetricSums,
  VariantExposures,
} from '../../../src/analysis/messages.js';
import type { ResultsSource } from '../../../src/analysis/results/results-source.js';
import type { Experiment } from '../../../src/contract/schemas/experiment.js';
import type { Metric } from '../../../src/contract/schemas/metric.js';
import { type User, UserSums } from './sums-of.js';

const startedAt = '2026-11-01T00:00:00.000Z';
export const computedAtMs = Date.parse('2026-11-08T12:00:00.000Z');

const variants = [
  { name: 'control', groups: [0, 499] as [number, number] },
  { name: 'cheap', groups: [500, 999] as [number, number] },
];

const phase = {
  ...{ number: 1, startedAt, endedAt: null, reason: 'Started.' },
  ...{ salt: 'exp', layer: null, slice: null, variants },
};

const experiment: Experiment = {
  ...{ id: 'shop', name: 'Shop', owner: '', content: 'shop', segment: 'price', state: 'running' },
  ...{ control: 'control', primaryMetric: 'revenue', plannedDays: 14, phase: 1 },
  ...{
    phaseStartedAt: startedAt,
    createdAt: startedAt,
    startedAt,
    stoppedAt: null,
    decidedAt: null,
  },
  ...{ hypothesis: '', guardMetrics: ['crashes'], smallestEffect: 0.05 },
  ...{ salt: 'exp', layer: null, slice: null, variants },
  ...{ phases: [phase], log: [], decision: null },
};

export function metric(name: string, of: Partial<Metric> = {}): Metric {
  return {
    ...{ name, description: '', kind: 'count', event: name, denominator: null, windowDays: null },
    ...{ day: null, direction: 'up', trusted: true, cap: { perUserDay: null, winsorise: null } },
    ...{ updatedAt: startedAt, ...of },
  };
}

export function exposures(
  variant: string,
  users: number,
  of: Partial<VariantExposures> = {},
): VariantExposures {
  return { variant, users, crossovers: 0, contradictions: 0, ...of };
}

/** @param values of each user; without CUPED */
export function sumsFor(variant: string, users: readonly User[], crossed = false): MetricSums {
  const sums = new UserSums();
  for (const { x, y } of users) sums.add(x, y);
  return { variant, crossed, ...sums, pre: null };
}

/** Users with 1 and 2 in turn, more or less; their mean is `mean`. */
export function usersWithMean(count: number, mean: number): readonly User[] {
  return Array.from({ length: count }, (_, at) => ({ x: mean + (at % 2 === 0 ? 0.5 : -0.5) }));
}

export function statisticsOf(of: Partial<AnalysisStatistics> = {}): AnalysisStatistics {
  return {
    ...{ dataUntilMs: computedAtMs, fingerprint: 'f', cached: false, computedAtMs },
    exposures: [exposures('control', 5_000), exposures('cheap', 5_020)],
    ...{ unknownVariants: 0, daily: [], metrics: [], cumulative: [], segments: [] },
    ...of,
  };
}

export function sourceOf(of: Partial<ResultsSource> = {}): ResultsSource {
  return {
    ...{
      experiment,
      phase,
      metrics: [metric('revenue'), metric('crashes', { direction: 'down' })],
    },
    ...{ statistics: statisticsOf(), assigned: null, nodes: ['one'], eventsArePartial: false },
    ...{ method: 'sequential', bySegment: false, ...of },
  };
}
