/** Results of experiments, and sizes of samples: what events and counts say. */
import { computeSampleSize, getResults } from '../../../contract/operations/experiments/results.js';
import { Problem } from '../../../contract/problems.js';
import { type Handler, handle } from '../../http/handlers.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import { findEnvironment } from '../../store/environments.js';
import { findMetric } from '../../store/experiments/metrics.js';
import { computeResults } from './compute-results.js';
import { readResultsPlan } from './results-plan.js';
import { sampleSize } from './sample-size.js';

export const resultHandlers: readonly Handler[] = [
  handle(getResults, async ({ params: { env, id }, query, context }) => {
    const { phase: number = null, segment = null, method } = query;
    const plan = await context.store.read((db) => readResultsPlan(db, env, id, number));
    if (plan instanceof Problem) return plan;
    const results = await computeResults(context, plan, { method, segment });
    context.leads.note(env, results, { method, segment });
    return results;
  }),

  handle(computeSampleSize, async ({ params: { env }, body, context }) => {
    const { store, analysis, now } = context;
    const { metric: name } = body;
    const metric = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      return name === undefined ? null : findMetric(db, env, name);
    });
    if (metric instanceof Problem) return metric;
    if (name !== undefined && metric === null) {
      return new Problem('metric_not_found', `The environment "${env}" has no metric "${name}".`);
    }
    return sampleSize(analysis, env, metric, body, now());
  }),
];
