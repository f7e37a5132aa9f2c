/** Releases: listed, shown, made, edited, and talked about. */
import { parseInstant } from '../../content/mapping/instant.js';
import { releaseCommentsMax } from '../../contract/limits.js';
import {
  changeRelease as change,
  commentRelease,
  createRelease as create,
  getRelease,
  getTimeline,
  listReleases as list,
  updateRelease as update,
} from '../../contract/operations/releases/releases.js';
import {
  cancelRelease as cancel,
  scheduleRelease as schedule,
} from '../../contract/operations/releases/transitions.js';
import { Problem } from '../../contract/problems.js';
import type { Release } from '../../contract/schemas/release.js';
import { confirmRequestOf } from '../guards/confirmation.js';
import { actorOf } from '../http/commit.js';
import { type Call, type Handler, handle, handleRead } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { holdEnvironment } from '../store/environments.js';
import { requireReleaseWriters } from '../store/release-writers.js';
import { countComments, insertTimeline, listTimeline } from '../store/releases/release-timeline.js';
import { listReleases, type ReleaseRecord } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { readChangeFacts } from './change-facts.js';
import { changeRelease, createRelease, updateRelease } from './edit-release.js';
import { type HeldRelease, holdRelease, readRelease } from './held-release.js';
import { type ChangeFindings, findInRelease } from './release-confirmation.js';
import { releaseJson, summariesJson, timelineJson } from './release-json.js';
import { cancelRelease, scheduleRelease, takeOffSchedule } from './schedule.js';
import type { Transited } from './transition.js';

export const releaseHandlers: readonly Handler[] = [
  handleRead(list, async ({ environment: { id }, query }, db) => {
    const { limit } = query;
    const found = await listReleases(db, id, { ...query, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const next = found.length > limit ? (rows.at(-1)?.release ?? null) : null;
    return { releases: await summariesJson(db, id, rows), next };
  }),

  handleRead(getRelease, async ({ params: { env, release }, context: { now } }, db) => {
    const read = await readRelease(db, { environment: env, release });
    return read instanceof Problem ? read : releaseJson(db, read.release, now());
  }),

  handleRead(getTimeline, async ({ params: { env, release } }, db) => {
    const read = await readRelease(db, { environment: env, release });
    if (read instanceof Problem) return read;
    return { events: (await listTimeline(db, read.release)).map(timelineJson) };
  }),

  // Not `handleChange`: in a protected environment editors make releases, too.
  handle(create, async ({ params: { env }, body, context: { store }, request }) => {
    const { value } = await store.write(actorOf(request), async (write) => {
      if ((await holdEnvironment(write, env)) === null) return environmentUnknown(env);
      await requireReleaseWriters(write);
      return shown(write, await createRelease(write, env, body));
    });
    return value;
  }),

  handle(update, (call) =>
    edited(call, call.body.ifVersion, (write, held) => updateRelease(write, held, call.body)),
  ),

  handle(change, (call) =>
    edited(call, call.body.ifVersion, (write, held) => changeRelease(write, held, call.body)),
  ),

  handle(commentRelease, (call) =>
    edited(call, undefined, (write, held) => addComment(write, held, call.body.comment)),
  ),

  handle(schedule, async (call) => {
    const { at, toleranceMinutes, ifVersion } = call.body;
    if (at === null)
      return edited(call, ifVersion, (write, held) => takeOffSchedule(write, held, ''));
    const seen = await findAhead(call, ifVersion);
    if (seen instanceof Problem) return seen;
    const request = {
      ...confirmRequestOf(call.body, call.query),
      ...{ atMs: parseInstant(at) ?? Number.NaN, toleranceMs: toleranceMinutes * 60_000 },
    };
    return edited(call, seen.version, (write, held) =>
      scheduleRelease(write, held, seen.found, request),
    );
  }),

  handle(cancel, (call) =>
    edited(call, undefined, (write, held) => cancelRelease(write, held, call.body.reason)),
  ),
];

type ReleaseCall = Pick<Call<typeof cancel>, 'params' | 'context' | 'request'>;

/** What the release does to values, computed while no transaction is held, and the version that it is of. */
function findAhead(
  { params: { env, release }, context: { store, checks } }: ReleaseCall,
  ifVersion: number | undefined,
): Promise<{ readonly version: number; readonly found: readonly ChangeFindings[] } | Problem> {
  return store.readSnapshot(async (db) => {
    const read = await readRelease(db, { environment: env, release, ifVersion });
    if (read instanceof Problem) return read;
    const facts = await readChangeFacts(db, read.release);
    const found = await findInRelease(db, checks.findings, read.release, facts);
    return { version: read.release.version, found };
  });
}

/** Runs an edit that players do not notice, in one transaction, and shows the release as it is then. */
async function edited(
  { params: { env, release }, context: { store }, request }: ReleaseCall,
  ifVersion: number | undefined,
  edit: (write: UnitOfWork, held: HeldRelease) => Promise<ReleaseRecord | Transited | Problem>,
): Promise<Release | Problem> {
  const { value } = await store.write(actorOf(request), async (write) => {
    const held = await holdRelease(write, { environment: env, release, ifVersion });
    if (held instanceof Problem) return held;
    const done = await edit(write, held);
    return shown(write, done instanceof Problem || !('auditId' in done) ? done : done.release);
  });
  return value;
}

async function shown(
  { db, at }: UnitOfWork,
  release: ReleaseRecord | Problem,
): Promise<Release | Problem> {
  return release instanceof Problem ? release : releaseJson(db, release, at);
}

async function addComment(
  write: UnitOfWork,
  { release }: HeldRelease,
  text: string,
): Promise<ReleaseRecord | Problem> {
  if ((await countComments(write.db, release)) >= releaseCommentsMax) {
    const detail = `Release ${release.release} has ${releaseCommentsMax} comments: it takes no more.`;
    return new Problem('limit_reached', detail);
  }
  const { environment, state } = release;
  const entry = { event: 'release.comment', state, sequence: null, permille: null, text } as const;
  await insertTimeline(write, release, entry);
  await write.audit('release.comment', environment, String(release.release), { comment: text });
  return release;
}
