/** When an event counts for a metric, relative to the user's first exposure. */
import type { AnalysisMetric } from '../messages.js';
import { daysInMs } from './statement.js';

export interface MetricWindow {
  /** After the first exposure. */
  readonly fromMs: number;
  /** Exclusive; null: as long as the phase lasts. */
  readonly untilMs: number | null;
}

export function windowOf(metric: AnalysisMetric): MetricWindow {
  if (metric.kind === 'retention') {
    const after = metric.day ?? 1;
    return { fromMs: daysInMs(after), untilMs: daysInMs(after + 1) };
  }
  return {
    fromMs: 0,
    untilMs: metric.windowDays === null ? null : daysInMs(metric.windowDays),
  };
}

/** Of the period before each user's first exposure whose events CUPED adjusts by. */
export const preMs = daysInMs(7);

export function hasPrePeriod({ kind }: AnalysisMetric): boolean {
  return kind === 'count' || kind === 'sum' || kind === 'conversion';
}

export function winsoriseOf({ kind, cap }: AnalysisMetric): number | null {
  return kind === 'count' || kind === 'sum' ? cap.winsorise : null;
}
