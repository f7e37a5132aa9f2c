/** What a sample size is computed from. Pure. */
import { plannedDaysMax } from '../../../contract/limits.js';
import type { Metric } from '../../../contract/schemas/metric.js';

/** As typed; '' where nothing is. */
export interface Known {
  /** Percent of the players. */
  readonly share: number | string;
  readonly mean: number | string;
  readonly deviation: number | string;
}

export interface SampleSource {
  readonly metric?: string;
  readonly rate?: number;
  readonly mean?: number;
  readonly variance?: number;
}

/** A share of players, which needs no variance. */
export function isShare({ kind }: Pick<Metric, 'kind'>): boolean {
  return kind === 'conversion' || kind === 'retention';
}

/** What is typed; otherwise the metric, of which the server knows what it was. */
export function sourceOf(metric: Metric | null, { share, mean, deviation }: Known): SampleSource {
  if (metric === null) return {};
  if (isShare(metric)) {
    return share === '' ? { metric: metric.name } : { rate: Number(share) / 100 };
  }
  if (mean === '' || deviation === '') return { metric: metric.name };
  return { mean: Number(mean), variance: Number(deviation) ** 2 };
}

/** Whole weeks even out weekends. */
export function wholeWeeks(days: number): number {
  return Math.min(plannedDaysMax, Math.max(7, Math.ceil(days / 7) * 7));
}
