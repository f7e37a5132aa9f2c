/** How many users an experiment needs: from what is typed in, or from what a metric has been lately. */
import type { BaselineStatistics } from '../../../analysis/messages.js';
import {
  type Estimate,
  meanOf,
  proportionOf,
  ratioOf,
} from '../../../analysis/statistics/estimate.js';
import { sampleSizePerVariant } from '../../../analysis/statistics/sample-size.js';
import type { BodyOf, ReturnedBody } from '../../../contract/operation.js';
import type { computeSampleSize } from '../../../contract/operations/experiments/results.js';
import { Problem } from '../../../contract/problems.js';
import type { MetricKind } from '../../../contract/schemas/metric.js';
import type { AnalysisClient } from '../../analysis/analysis-client.js';
import { bodyIssue } from '../../http/problem.js';
import { baselineDays } from '../../limits/experiments.js';
import type { MetricRecord } from '../../store/experiments/metrics.js';

type Wanted = BodyOf<typeof computeSampleSize>;

/** What users are like without the experiment. */
interface Baseline {
  readonly mean: number;
  /** Null: of a share of users, which the mean determines. */
  readonly variance: number | null;
  /** Null: it is not known. */
  readonly usersPerDay: number | null;
}

/**
 * @param metric null: mean and variance, or a rate, are in the request
 * @throws AnalysisUnavailable
 */
export async function sampleSize(
  analysis: Pick<AnalysisClient, 'baseline'>,
  environment: string,
  metric: MetricRecord | null,
  wanted: Wanted,
  nowMs: number,
): Promise<ReturnedBody<typeof computeSampleSize> | Problem> {
  const baseline =
    metric === null
      ? typedBaseline(wanted)
      : await metricBaseline(analysis, environment, metric, nowMs);
  if (baseline instanceof Problem) return baseline;
  const { mean, variance } = baseline;
  const { smallestEffect, variants, share, method, power, alpha } = wanted;
  const plan = { mean, variance, smallestEffect, variants, method, power, alpha };
  const usersPerVariant = sampleSizePerVariant(plan);
  if (!Number.isSafeInteger(usersPerVariant)) {
    return bodyIssue('smallestEffect', 'is so small that no number of users could show it');
  }
  const users = usersPerVariant * variants;
  const perDay = wanted.playersPerDay ?? baseline.usersPerDay;
  return {
    ...{ usersPerVariant, users, mean, variance: variance ?? mean * (1 - mean) },
    days: perDay === null || perDay === 0 ? null : Math.ceil(users / (perDay * share)),
  };
}

function typedBaseline({ mean, variance, rate }: Wanted): Baseline | Problem {
  if (rate !== undefined) return { mean: rate, variance: null, usersPerDay: null };
  if (mean === undefined || variance === undefined) {
    return bodyIssue('metric', 'is needed, or "rate", or "mean" and "variance"');
  }
  if (mean === 0) return bodyIssue('mean', 'must not be 0: an effect relative to it is none');
  return { mean, variance, usersPerDay: null };
}

async function metricBaseline(
  analysis: Pick<AnalysisClient, 'baseline'>,
  environment: string,
  metric: MetricRecord,
  nowMs: number,
): Promise<Baseline | Problem> {
  const request = { environment, metric, days: baselineDays, nowMs };
  const statistics = await analysis.baseline(request);
  const { mean, variance } = estimateOf(metric.kind, statistics);
  if (mean === 0 || variance === 0) {
    const message = `has had no values in the last ${baselineDays} days to compute with: give "rate", or "mean" and "variance"`;
    return bodyIssue('metric', message);
  }
  const isShare = metric.kind === 'conversion' || metric.kind === 'retention';
  return { mean, variance: isShare ? null : variance, usersPerDay: statistics.newUsersPerDay };
}

function estimateOf(kind: MetricKind, statistics: BaselineStatistics): Estimate {
  const sums = { ...statistics, pre: null };
  if (kind === 'ratio') return ratioOf(sums);
  return kind === 'conversion' || kind === 'retention' ? proportionOf(sums) : meanOf(sums);
}
