/** Saved segments: listed, shown, tested, deleted. */
import {
  deleteSegment,
  getSegment,
  listSegments,
  testSegment,
} from '../../contract/operations/segments.js';
import { Problem } from '../../contract/problems.js';
import { weightOfConditions } from '../evaluation/weight.js';
import { getOrAdd } from '../get-or-add.js';
import { rawList } from '../http/body/raw-json.js';
import { rawMembers } from '../http/body/raw-members.js';
import type { AdminContext } from '../http/context.js';
import { type Handler, handle, handleChange } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import { doWork } from '../jobs/work.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import * as rows from '../store/segments/segments.js';
import { segmentUnknown } from '../store/segments/unknown-segment.js';
import { type ReadCondition, readCondition } from './read-condition.js';
import { removeSegment } from './save-segment.js';
import { segmentJson } from './segment-json.js';
import { readSegmentPage } from './segment-page.js';
import type { PlacedUse } from './segment-places.js';
import { showSegment } from './shown-segment.js';

export const segmentHandlers: readonly Handler[] = [
  handle(listSegments, async ({ params: { env }, query: { after, limit, drafts }, context }) => {
    const wanted = { after, limit, drafts: drafts === 'true' };
    const page = await context.store.read((db) => readSegmentPage(db, env, wanted));
    if (page instanceof Problem) return page;
    const uses = new Map<string, PlacedUse[]>();
    for (const use of await context.segmentPlaces.place(page.uses)) {
      getOrAdd(uses, use.segment, () => []).push(use);
    }
    const items = page.segments.map((one) => segmentJson(one, uses.get(one.name) ?? []));
    return rawList({ next: page.next }, 'segments', items);
  }),

  handle(getSegment, async ({ params: { env, name }, context }) => {
    const found = await context.store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const segment = await showSegment(db, env, name);
      if (segment === null) return segmentUnknown(env, name);
      return { segment, uses: await rows.listSegmentUses(db, env, { name }) };
    });
    if (found instanceof Problem) return found;
    return segmentJson(found.segment, await context.segmentPlaces.place(found.uses));
  }),

  handle(testSegment, async ({ params: { env }, body, context, request: { rawBody } }) => {
    const { when, name = null } = body;
    if ((when === undefined) === (name === null)) {
      return bodyIssue('when', 'or name is needed, and not both');
    }
    const read = await conditionOf(context, env, name, rawBody);
    if (read instanceof Problem) return read;
    // The contexts as they were sent: what parsing them and writing them again would lose may decide.
    const contexts = rawMembers(rawBody ?? new Uint8Array()).get('contexts') ?? noList;
    const input = { condition: read.condition, contexts: Buffer.from(contexts).toString() };
    const weight = weightOfConditions([read.condition], contexts);
    const results = await doWork(context.work, 'testCondition', input, weight);
    const matching = results.filter(({ matches }) => matches).length;
    return { contexts: results.length, matching, results, warnings: read.warnings };
  }),

  handleChange(deleteSegment, ({ environment, params }, write) =>
    removeSegment(write, environment.id, params.name),
  ),
];

const noList = Buffer.from('[]');

/** @param name null: the condition is a member of the body */
async function conditionOf(
  context: AdminContext,
  env: string,
  name: string | null,
  raw: Uint8Array | null,
): Promise<ReadCondition | Problem> {
  const saved = await context.store.read(async (db) => {
    if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
    if (name === null) return null;
    return (await showSegment(db, env, name)) ?? segmentUnknown(env, name);
  });
  if (saved instanceof Problem) return saved;
  return saved === null
    ? readCondition(context, raw)
    : { condition: saved.condition, warnings: [], attributes: [] };
}
