/** Releases: listed, shown, made, edited, and talked about. */
import { parseInstant } from '../../content/mapping/instant.js';
import { releaseCommentsMax } from '../../contract/limits.js';
import {
  changeRelease as change,
  commentRelease,
  createRelease as create,
  getRelease,
  getReleaseWarnings,
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
import { actOnRelease } from './act-on-release.js';
import { checkedWrite } from './check-release.js';
import { changeRelease, createRelease, updateRelease } from './edit-release.js';
import { type HeldRelease, readRelease } from './held-release.js';
import { releaseJson, summariesJson, timelineJson } from './release-json.js';
import { findReleaseWarnings } from './review/release-warnings.js';
import { cancelRelease, scheduleRelease, takeOffSchedule } from './schedule.js';
import type { Transited } from './transition.js';

export const releaseHandlers: readonly Handler[] = [
  handleRead(list, async ({ environment: { id }, query }, db) => {
    const { limit, open } = query;
    const listing = { ...query, isOpen: open === 'true', limit: limit + 1 };
    const found = await listReleases(db, id, listing);
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

  handle(getReleaseWarnings, ({ params: { env, release }, context, request }) =>
    findReleaseWarnings(context, { environment: env, release }, request),
  ),

  // Not `handleChange`: in a protected environment editors make releases, too.
  handle(create, async ({ params: { env }, body, context: { store }, request }) => {
    const { value } = await store.write(actorOf(request), async (write) => {
      if ((await holdEnvironment(write, env)) === null) return environmentUnknown(env);
      await requireReleaseWriters(write);
      const made = await createRelease(write, env, body);
      return made instanceof Problem ? made : releaseJson(write.db, made, write.at);
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

  handle(schedule, (call) => {
    const { params, body, context, request } = call;
    const { at, toleranceMinutes, ifVersion } = body;
    if (at === null) {
      return edited(call, ifVersion, (write, held) => takeOffSchedule(write, held, ''));
    }
    const planned = {
      ...confirmRequestOf(body, call.query),
      ...{ atMs: parseInstant(at) ?? Number.NaN, toleranceMs: toleranceMinutes * 60_000 },
    };
    const asked = { environment: params.env, release: params.release, ifVersion };
    return checkedWrite<Release>(context, asked, 'schedule', async (checked) => {
      const { value } = await context.store.write(actorOf(request), (write) =>
        actOnRelease(write, asked, (held) => scheduleRelease(write, held, checked, planned)),
      );
      return value;
    });
  }),

  handle(cancel, (call) =>
    edited(call, undefined, (write, held) => cancelRelease(write, held, call.body.reason)),
  ),
];

type ReleaseCall = Pick<Call<typeof cancel>, 'params' | 'context' | 'request'>;

/** Runs an edit that players do not notice, in one transaction. */
async function edited(
  { params: { env, release }, context: { store }, request }: ReleaseCall,
  ifVersion: number | undefined,
  edit: (write: UnitOfWork, held: HeldRelease) => Promise<ReleaseRecord | Transited | Problem>,
): Promise<Release | Problem> {
  const asked = { environment: env, release, ifVersion };
  const { value } = await store.write(actorOf(request), (write) =>
    actOnRelease(write, asked, (held) => edit(write, held)),
  );
  return value;
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
