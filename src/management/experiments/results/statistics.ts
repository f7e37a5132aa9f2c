/** Asks the analysis for the sums of one phase; without events there is still what was counted at delivery. */
import type { AnalysisRequest, AnalysisStatistics } from '../../../analysis/messages.js';
import type { AnalysisClient } from '../../analysis/analysis-client.js';
import { AnalysisUnavailable } from '../../analysis-unavailable.js';
import type { ResultsPlan } from './results-plan.js';

interface FoundStatistics {
  readonly statistics: AnalysisStatistics;
  /** What the statistics lack, for people. */
  readonly notes: readonly string[];
}

/**
 * @param segment attribute by whose values the primary metric is split; null: none
 * @throws AnalysisUnavailable
 */
export async function statisticsOf(
  analysis: Pick<AnalysisClient, 'analyse'>,
  plan: ResultsPlan,
  segment: string | null,
  nowMs: number,
): Promise<FoundStatistics> {
  const request = requestOf(plan, segment, nowMs);
  try {
    return { statistics: await analysis.analyse(request), notes: [] };
  } catch (error) {
    const isOff = error instanceof AnalysisUnavailable && error.code === 'events_off';
    if (!isOff) throw error;
    return { statistics: nothingReceived(request), notes: [error.message] };
  }
}

function requestOf(
  { environment, experiment, record, metrics }: ResultsPlan,
  segment: string | null,
  nowMs: number,
): AnalysisRequest {
  const { number: phase, startedAt: startedAtMs, endedAt: endedAtMs, rule } = record;
  return {
    ...{ environment, experiment: experiment.id, phase, startedAtMs, endedAtMs, nowMs, segment },
    variants: rule.variants.map(({ name }) => name),
    metrics: metrics.map(({ name, kind, event, denominator, windowDays, day, trusted, cap }) => {
      return { name, kind, event, denominator, windowDays, day, trusted, cap };
    }),
    primary: experiment.primaryMetric,
  };
}

function nothingReceived({ variants, metrics, nowMs }: AnalysisRequest): AnalysisStatistics {
  return {
    ...{ dataUntilMs: null, fingerprint: '', cached: false, computedAtMs: nowMs },
    exposures: variants.map((variant) => {
      return { variant, users: 0, crossovers: 0, contradictions: 0 };
    }),
    ...{ unknownVariants: 0, daily: [], cumulative: [], segments: [] },
    metrics: metrics.map(({ name }) => ({ name, sums: [], winsorisedAt: null })),
  };
}
