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
import { segmentPageCharsMax } from '../limits.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { listNewestRevisions } from '../store/segments/segment-revisions.js';
import * as rows from '../store/segments/segments.js';
import { type ReadCondition, readCondition } from './read-condition.js';
import { removeSegment, segmentUnknown } from './save-segment.js';
import { segmentJson } from './segment-json.js';
import type { PlacedUse } from './segment-places.js';
import { type ShownSegment, showSegment } from './shown-segment.js';

export const segmentHandlers: readonly Handler[] = [
  handle(listSegments, async ({ params: { env }, query: { after, limit }, context }) => {
    const page = await context.store.read((db) => readPage(db, env, after, limit));
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

interface Page {
  readonly segments: readonly ShownSegment[];
  readonly uses: readonly rows.SegmentUse[];
  readonly next: string | null;
}

/** A page ends early where the conditions on it are large. */
async function readPage(
  db: Db,
  env: string,
  after: string,
  limit: number,
): Promise<Page | Problem> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  const sizes = await rows.listSegmentSizes(db, env, after, limit + 1);
  let chars = 0;
  let count = 0;
  for (const size of sizes.slice(0, limit)) {
    chars += size.chars;
    if (count > 0 && chars > segmentPageCharsMax) break;
    count++;
  }
  const last = sizes[count - 1]?.name;
  if (last === undefined) return { segments: [], uses: [], next: null };
  const live = await rows.listSegmentsBetween(db, env, after, last);
  const newest = await listNewestRevisions(db, env, after, last);
  return {
    segments: live.map((segment) => ({
      ...segment,
      live: segment.revision,
      newest: newest.get(segment.name) ?? segment.revision,
    })),
    uses: await rows.listSegmentUses(db, env, { after, last }),
    next: count < sizes.length ? last : null,
  };
}

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
