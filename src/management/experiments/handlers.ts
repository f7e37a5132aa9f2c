/** Experiments: listed, shown, made, edited, removed. None of it changes what is delivered or counted. */
import { experimentLogMax, experimentsMax } from '../../contract/limits.js';
import {
  createExperiment,
  deleteExperiment,
  getExperiment,
  listExperiments,
  updateExperiment,
} from '../../contract/operations/experiments/experiments.js';
import { Problem } from '../../contract/problems.js';
import type {
  Experiment,
  ExperimentEdit,
  ExperimentInput,
  MadeExperiment,
} from '../../contract/schemas/experiment.js';
import { contentUnknown } from '../contents/unknown-content.js';
import { actorOf } from '../http/commit.js';
import { type Call, type Handler, handle, handleRead } from '../http/handlers.js';
import { findContent } from '../store/contents/contents.js';
import type { Db } from '../store/dialect.js';
import { draftEnvironment } from '../store/edit-environment.js';
import { addToLog, countLog } from '../store/experiments/experiment-log.js';
import * as rows from '../store/experiments/experiments.js';
import { readRule } from '../store/experiments/live-rules.js';
import { findMetric } from '../store/experiments/metrics.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { describeEdit } from './describe-edit.js';
import { experimentJson, summariesJson } from './experiment-json.js';
import { makeExperiment } from './make-experiment.js';
import { experimentUnknown, wrongState } from './problems.js';
import { readFitRule } from './transitions.js';

export const experimentHandlers: readonly Handler[] = [
  handleRead(listExperiments, async ({ environment: { id }, query: { state } }, db) => {
    const found = await rows.listExperiments(db, id, state);
    return { experiments: await summariesJson(db, id, found) };
  }),

  handleRead(getExperiment, async ({ params: { env, id } }, db) => {
    const found = await rows.findExperiment(db, env, id);
    return found === null ? experimentUnknown(env, id) : experimentJson(db, found);
  }),

  // Not `handleChange`: in a protected environment editors make records, too.
  handle(createExperiment, (call) => {
    const { params, body } = call;
    return written(call, (write) => create(write, params.env, body));
  }),

  handle(updateExperiment, (call) => {
    const { params, body } = call;
    return written(call, async (write) => {
      const found = await rows.findExperiment(write.db, params.env, params.id);
      return found === null ? experimentUnknown(params.env, params.id) : update(write, found, body);
    });
  }),

  handle(deleteExperiment, (call) => {
    const { env, id } = call.params;
    return written(call, (write) => remove(write, env, id));
  }),
];

/** Runs an edit that players do not notice, in one transaction. */
async function written<T>(
  {
    params: { env },
    context: { store },
    request,
  }: Pick<Call<typeof deleteExperiment>, 'context' | 'request'> & {
    readonly params: { readonly env: string };
  },
  edit: (write: UnitOfWork) => Promise<T | Problem>,
): Promise<T | Problem> {
  const { value } = await store.write(actorOf(request), async (write) => {
    const held = await draftEnvironment(write, env);
    return held instanceof Problem ? held : edit(write);
  });
  return value;
}

async function create(
  write: UnitOfWork,
  environment: string,
  input: ExperimentInput,
): Promise<MadeExperiment | Problem> {
  const { db } = write;
  if ((await rows.findExperiment(db, environment, input.id)) !== null) {
    return new Problem('experiment_exists', `There is an experiment "${input.id}" already.`);
  }
  if ((await rows.countExperiments(db, environment)) >= experimentsMax) {
    const detail = `The environment "${environment}" has ${experimentsMax} experiments: it takes no more.`;
    return new Problem('limit_reached', detail);
  }
  const content = await findContent(db, environment, input.content);
  if (content?.deletedAtMs !== null) return contentUnknown(environment, input.content);
  const { primaryMetric, guardMetrics } = input;
  const unknown = await rejectUnknownMetrics(db, environment, { primaryMetric, guardMetrics });
  if (unknown !== null) return unknown;
  const spelled = { ...input, content: content.id };
  const made = await makeExperiment(write, environment, spelled, 'Created.');
  const shown = await experimentJson(db, made);
  return { ...shown, warnings: await warningsOf(db, made, shown) };
}

/** Why the experiment could not start as its rule is now: few see otherwise that they have mistyped its name. */
async function warningsOf(
  db: Db,
  experiment: rows.ExperimentRecord,
  { content, segment, variants }: Experiment,
): Promise<MadeExperiment['warnings']> {
  const rule = await readFitRule(db, experiment);
  if (!(rule instanceof Problem)) return [];
  const isSaved = variants.length > 0 || (await readRule(db, experiment)) !== 'none';
  const message = isSaved
    ? rule.detail
    : `No rule "${segment}" with variants is saved in "${content}": check the name, or save the rule.`;
  return [{ path: 'segment', message }];
}

async function update(
  write: UnitOfWork,
  seen: rows.ExperimentRecord,
  edit: ExperimentEdit,
): Promise<Experiment | Problem> {
  const { db } = write;
  const { environment, id, state } = seen;
  if (state === 'decided') return wrongState(seen, 'be edited', ['draft', 'running', 'stopped']);
  const given = Object.fromEntries(
    Object.entries(edit).filter(([, value]) => value !== undefined),
  ) as rows.ExperimentColumns;
  const changed = describeEdit(seen, given);
  if (changed.length === 0) return experimentJson(db, seen);
  const unknown = await rejectUnknownMetrics(db, environment, given);
  if (unknown !== null) return unknown;
  const rejected = state === 'draft' ? null : await rejectRunningEdit(db, seen, given);
  if (rejected !== null) return rejected;
  const updated = await rows.updateExperiment(write, seen, given);
  if (state !== 'draft') await addToLog(write, seen, `Changed: ${changed.join('; ')}.`);
  await write.audit('experiment.update', environment, id, { changed });
  return experimentJson(db, updated);
}

/** Of an experiment with phases: its control is one of their variants, and its log has room for the change. */
async function rejectRunningEdit(
  db: Db,
  experiment: rows.ExperimentRecord,
  { control }: rows.ExperimentColumns,
): Promise<Problem | null> {
  const { variants } = await experimentJson(db, experiment);
  if (control !== undefined && !variants.some(({ name }) => name === control)) {
    const detail = `The rule of experiment "${experiment.id}" has no variant "${control}".`;
    return new Problem('experiment_rule', detail);
  }
  if ((await countLog(db, experiment)) < experimentLogMax) return null;
  const detail = `The log of experiment "${experiment.id}" has ${experimentLogMax} lines: it takes no more changes.`;
  return new Problem('limit_reached', detail);
}

/** Null: the environment has them all. */
async function rejectUnknownMetrics(
  db: Db,
  environment: string,
  { primaryMetric = null, guardMetrics = [] }: rows.ExperimentColumns,
): Promise<Problem | null> {
  const names = primaryMetric === null ? guardMetrics : [primaryMetric, ...guardMetrics];
  for (const name of names) {
    if ((await findMetric(db, environment, name)) !== null) continue;
    const detail = `The environment "${environment}" has no metric "${name}": define it first.`;
    return new Problem('metric_not_found', detail);
  }
  return null;
}

async function remove(
  write: UnitOfWork,
  environment: string,
  id: string,
): Promise<{ readonly id: string } | Problem> {
  const found = await rows.findExperiment(write.db, environment, id);
  if (found === null) return experimentUnknown(environment, id);
  if (found.state !== 'draft') {
    const detail = `Experiment "${id}" was started: it stays for the record.`;
    return new Problem('experiment_running', detail);
  }
  await rows.deleteExperiment(write, found);
  await write.audit('experiment.delete', environment, id);
  return { id };
}
