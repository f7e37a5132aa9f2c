/** Saved segments: saved, rolled back, or only what a save would do. */
import { parseInstant } from '../../content/mapping/instant.js';
import type { BodyOf } from '../../contract/operation.js';
import { rollbackSegment } from '../../contract/operations/history/segment-history.js';
import { putSegment, type SegmentPlan } from '../../contract/operations/segments.js';
import { Problem } from '../../contract/problems.js';
import { segmentWarnings } from '../contents/warnings/attribute-warnings.js';
import { weightOfConditions } from '../evaluation/weight.js';
import { confirmationJson, confirmRequestOf } from '../guards/confirmation.js';
import { rawMembers } from '../http/body/raw-members.js';
import { commit } from '../http/commit.js';
import { type Call, type Handler, handle, WithStatus } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import { doWork } from '../jobs/work.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { toIso } from '../to-iso.js';
import { readCondition } from './read-condition.js';
import {
  planSegment,
  reachedBy,
  rollBackSegment,
  type SegmentEdit,
  saveSegment,
} from './save-segment.js';
import { savedSegmentJson } from './segment-json.js';

type Put = Call<typeof putSegment>;

export const segmentSaveHandlers: readonly Handler[] = [
  handle(putSegment, async (call) => {
    const { params, body, context, request } = call;
    const { env, name } = params;
    if (body.contexts !== undefined && !body.dryRun) {
      return bodyIssue('contexts', 'are for a dry run');
    }
    const read = await readCondition(context, request.rawBody);
    if (read instanceof Problem) return read;
    const edit = editOf(read.condition, body);
    const warnings = async () => [
      ...read.warnings,
      ...(await segmentWarnings(context, request, env, name, read.attributes)),
    ];
    if (body.dryRun) {
      const plan = await planPut(call, edit);
      return plan instanceof Problem ? plan : { ...plan, warnings: await warnings() };
    }
    const { value, sequence } = await commit(context, request, (write) =>
      saveSegment(write, env, name, edit),
    );
    if (value instanceof Problem) return value;
    const saved = savedSegmentJson(value, await warnings(), sequence);
    return value.created ? new WithStatus(201, saved) : saved;
  }),

  handle(rollbackSegment, async ({ params: { env, name }, body, context, request }) => {
    const { value, sequence } = await commit(context, request, (write) =>
      rollBackSegment(write, env, name, body.revision, confirmRequestOf(body, notStrict)),
    );
    if (value instanceof Problem) return value;
    const { condition } = value.segment;
    const checked = await doWork(context.work, 'checkCondition', condition, condition.length);
    const unused = await segmentWarnings(context, request, env, name, checked.attributes);
    return savedSegmentJson(value, [...checked.warnings, ...unused], sequence);
  }),
];

/** A condition changes no values: what it may have to confirm is always asked. */
const notStrict = { strict: 'false' } as const;

function editOf(
  condition: string,
  { description, note, publish, ifUpdatedAt, confirm }: BodyOf<typeof putSegment>,
): SegmentEdit {
  const isTime = ifUpdatedAt !== undefined && ifUpdatedAt !== null;
  const ifUpdatedAtMs = isTime ? (parseInstant(ifUpdatedAt) ?? Number.NaN) : ifUpdatedAt;
  const request = confirmRequestOf({ confirm }, notStrict);
  return { condition, description, note, publish, ifUpdatedAtMs, request };
}

async function planPut(
  { params: { env, name }, context: { store, work }, request: { rawBody } }: Put,
  edit: SegmentEdit,
): Promise<Omit<SegmentPlan, 'warnings'> | Problem> {
  const plan = await store.read(async (db) =>
    (await findEnvironment(db, env)) === null
      ? environmentUnknown(env)
      : planSegment(db, env, name, edit),
  );
  if (plan instanceof Problem) return plan;
  // What rules use now: nothing, of a segment that is a draft.
  const before = plan.before?.live == null ? null : plan.before.condition;
  const contexts = rawMembers(rawBody ?? new Uint8Array()).get('contexts');
  let effect: SegmentPlan['effect'] = null;
  if (contexts !== undefined) {
    const input = { before, after: edit.condition, contexts: Buffer.from(contexts).toString() };
    const weight = weightOfConditions([before ?? '', edit.condition], contexts);
    effect = await doWork(work, 'compareConditions', input, weight);
  }
  return {
    name,
    dryRun: true,
    created: edit.publish ? before === null : plan.before === null,
    changed: before !== edit.condition,
    updatedAt: toIso(plan.before?.updatedAtMs ?? null),
    reaches: edit.publish ? reachedBy(plan.uses) : [],
    effect,
    confirmation: confirmationJson(plan.found),
  };
}
