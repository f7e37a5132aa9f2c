/** Computes the results of one phase of an experiment: sums of the analysis, counts of all servers, and what they mean. */
import type { ResultsSource } from '../../../analysis/results/results-source.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import type { AdminContext } from '../../http/context.js';
import { doWork } from '../../jobs/work.js';
import { metricJson } from '../metric-handlers.js';
import { assignedUsers } from './assigned-users.js';
import type { ResultsPlan } from './results-plan.js';
import { statisticsOf } from './statistics.js';

export type ResultsDeps = Pick<AdminContext, 'store' | 'analysis' | 'fleet' | 'work' | 'now'>;

export interface ResultsOptions {
  readonly method: ResultsSource['method'];
  /** Attribute by whose values the primary metric is split; null: none. */
  readonly segment: string | null;
}

/** @throws AnalysisUnavailable, StoreUnavailable, WorkFailed, WorkTooLong */
export async function computeResults(
  { store, analysis, fleet, work, now }: ResultsDeps,
  plan: ResultsPlan,
  { method, segment }: ResultsOptions,
): Promise<Results> {
  const { statistics, notes } = await statisticsOf(analysis, plan, segment, now());
  const counted = await assignedUsers(store, fleet, plan);
  const eventsArePartial = analysis.to === 'local' && (await fleet.nodes()).length > 1;
  const { experiment, phase, metrics } = plan;
  const shown = metrics.map(metricJson);
  const source: ResultsSource = {
    ...{ experiment, phase, metrics: shown, statistics, ...counted, eventsArePartial },
    ...{ method, bySegment: segment !== null },
  };
  return withNotes(await doWork(work, 'resultsOf', source, weightOf(source)), notes);
}

/** An interval takes as long as some kilobytes of text; a year of many variants has thousands of them. */
const sumsWeightBytes = 2_048;

function weightOf({ statistics: { cumulative, metrics, segments } }: ResultsSource): number {
  const ofMetrics = [...metrics, ...segments.map(({ metric }) => metric)];
  const sums = ofMetrics.reduce((count, each) => count + each.sums.length, cumulative.length);
  return sums * sumsWeightBytes;
}

function withNotes(results: Results, notes: readonly string[]): Results {
  const { nodes, notes: given } = results.sources;
  return { ...results, sources: { nodes, notes: [...given, ...notes] } };
}
