/** The sufficient statistics of an experiment's phase, from the events of its environment. Knows no statistics and no cache. */
import type { AnalysisMetric, AnalysisRequest, AnalysisStatistics } from '../messages.js';
import { cumulativeSums } from './cumulative.js';
import type { EventDatabase } from './event-database.js';
import { countExposures, findExposedUsers, newestReceipt } from './exposed-users.js';
import { metricStatistics } from './metric-sums.js';
import { type Scope, storeEvents } from './metric-values.js';
import { segmentSums } from './segment-sums.js';

export type QueriedStatistics = Omit<AnalysisStatistics, 'fingerprint' | 'cached' | 'computedAtMs'>;

/** @param database in a transaction whose temporary tables end with it */
export async function analyse(
  database: EventDatabase,
  request: AnalysisRequest,
): Promise<QueriedStatistics> {
  const { environment, startedAtMs, endedAtMs, variants, metrics, primary } = request;
  const dataUntilMs = await newestReceipt(database, environment);
  const horizonMs = Math.min(dataUntilMs ?? startedAtMs, endedAtMs ?? Number.MAX_SAFE_INTEGER);
  const scope: Scope = { environment, startedAtMs, endedAtMs, horizonMs };
  await findExposedUsers(database, request);
  const exposures = await countExposures(database, variants);
  const statistics = [];
  // One after the other: each may take all the memory that there is.
  for (const metric of metrics) {
    const isPrimary = metric.name === primary;
    if (isPrimary) await storeEvents(database, metric, scope);
    statistics.push(await metricStatistics(database, metric, scope, variants, isPrimary));
  }
  const main = metrics.find(({ name }) => name === primary);
  const cut = statistics.find(({ name }) => name === primary)?.winsorisedAt ?? null;
  return {
    dataUntilMs,
    ...exposures,
    metrics: statistics,
    cumulative: main ? await cumulativeSums(database, main, scope, variants, cut) : [],
    segments: main ? await segmentsOf(database, request, main, scope) : [],
  };
}

async function segmentsOf(
  database: EventDatabase,
  request: AnalysisRequest,
  metric: AnalysisMetric,
  scope: Scope,
): Promise<AnalysisStatistics['segments']> {
  const { segment } = request;
  return segment === null ? [] : segmentSums(database, { ...request, segment }, metric, scope);
}
