/** Metrics: listed, defined, removed. Whether clients send events depends on there being one. */
import { metricsMax } from '../../contract/limits.js';
import {
  deleteMetric,
  listMetrics,
  putMetric,
} from '../../contract/operations/experiments/metrics.js';
import { Problem } from '../../contract/problems.js';
import type { Metric } from '../../contract/schemas/metric.js';
import { commit } from '../http/commit.js';
import { type Handler, handle, handleChange, handleRead, WithStatus } from '../http/handlers.js';
import { editEnvironment } from '../store/edit-environment.js';
import * as rows from '../store/experiments/metrics.js';
import { toIso } from '../to-iso.js';
import * as save from './save-metric.js';

export const metricHandlers: readonly Handler[] = [
  handleRead(listMetrics, async ({ environment }, db) => {
    const found = await rows.listMetrics(db, environment.id);
    return { limit: metricsMax, metrics: found.map(metricJson) };
  }),

  handle(putMetric, async ({ params: { env, name }, body, context, request }) => {
    const { value, sequence } = await commit(context, request, async (write) => {
      const held = await editEnvironment(write, env);
      return held instanceof Problem
        ? held
        : save.putMetric(write, env, name, save.definitionOf(body));
    });
    if (value instanceof Problem) return value;
    const saved = { ...metricJson(value.metric), sequence };
    return value.created ? new WithStatus(201, saved) : saved;
  }),

  handleChange(deleteMetric, async ({ environment: { id }, params: { name } }, write) => {
    if ((await rows.findMetric(write.db, id, name)) === null) {
      return new Problem('metric_not_found', `The environment "${id}" has no metric "${name}".`);
    }
    const using = await save.experimentsWith(write.db, id, name);
    const open = using.filter(({ state }) => state === 'draft' || state === 'running');
    const [first] = open;
    if (first !== undefined) {
      return new Problem('metric_in_use', `Experiment "${first.id}" names the metric "${name}".`);
    }
    await rows.removeMetric(write, id, name);
    write.markChanged('environment', id, '');
    await write.audit('metric.delete', id, name);
    return { name };
  }),
];

export function metricJson({ updatedAtMs, ...metric }: rows.MetricRecord): Metric {
  return { ...metric, updatedAt: toIso(updatedAtMs) };
}
