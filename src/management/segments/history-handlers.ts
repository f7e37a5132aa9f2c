/** History of saved segments: listed, shown, compared. Of deleted segments, too. */
import { pointersPerLineMax } from '../../contract/limits.js';
import {
  diffSegment,
  getSegmentRevision,
  listSegmentRevisions,
  type SegmentRevisionSummary,
} from '../../contract/operations/history/segment-history.js';
import { Problem } from '../../contract/problems.js';
import { rawObject } from '../http/body/raw-json.js';
import { type Handler, handle, handleRead } from '../http/handlers.js';
import { doWork } from '../jobs/work.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import * as rows from '../store/segments/segment-revisions.js';
import { findSegment } from '../store/segments/segments.js';
import { segmentRevisionUnknown, segmentUnknown } from '../store/segments/unknown-segment.js';
import { toIso } from '../to-iso.js';

export const segmentHistoryHandlers: readonly Handler[] = [
  handleRead(listSegmentRevisions, async ({ params: { env, name }, query }, db) => {
    const current = await currentRevision(db, env, name);
    if (current instanceof Problem) return current;
    const { before, limit } = query;
    const revisions = await rows.listSegmentRevisions(db, env, name, before, limit);
    const newest = await rows.newestSegmentRevision(db, env, name);
    return {
      name,
      live: current,
      newest,
      revisions: revisions.map((one) => summaryOf(one, current)),
    };
  }),

  handleRead(getSegmentRevision, async ({ params: { env, name, revision: number } }, db) => {
    const current = await currentRevision(db, env, name);
    if (current instanceof Problem) return current;
    const revision = await revisionOf(db, env, name, number);
    if (revision instanceof Problem) return revision;
    return rawObject({ name, ...summaryOf(revision, current) }, { when: revision.condition });
  }),

  handle(diffSegment, async ({ params: { env, name }, query: { from, to }, context }) => {
    const found = await context.store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const current = await currentRevision(db, env, name);
      if (current instanceof Problem) return current;
      const pair = await findPair(db, env, name, from, to);
      return pair instanceof Problem ? pair : { current, ...pair };
    });
    if (found instanceof Problem) return found;
    const { current, older, newer } = found;
    const before = older === null ? null : Buffer.from(older.condition);
    const after = Buffer.from(newer.condition);
    const diff = await doWork(
      context.work,
      'diffLine',
      { before, after, pointersMax: pointersPerLineMax },
      after.byteLength + (before?.byteLength ?? 0),
    );
    return {
      name,
      from: older === null ? null : summaryOf(older, current),
      to: summaryOf(newer, current),
      ...diff,
    };
  }),
];

/** Number of the revision that rules use; null: the segment is a draft, or deleted. */
async function currentRevision(
  db: Db,
  env: string,
  name: string,
): Promise<number | null | Problem> {
  const segment = await findSegment(db, env, name);
  if (segment !== null) return segment.revision;
  return (await rows.newestSegmentRevision(db, env, name)) === 0 ? segmentUnknown(env, name) : null;
}

async function revisionOf(
  db: Db,
  env: string,
  name: string,
  number: number,
): Promise<rows.SegmentRevision | Problem> {
  const found = await rows.findSegmentRevision(db, env, name, number);
  return found ?? segmentRevisionUnknown(db, env, name, number);
}

async function findPair(
  db: Db,
  env: string,
  name: string,
  from: number | undefined,
  to: number | undefined,
): Promise<{ older: rows.SegmentRevision | null; newer: rows.SegmentRevision } | Problem> {
  const last = to ?? (await rows.newestSegmentRevision(db, env, name));
  const newer = await revisionOf(db, env, name, last);
  if (newer instanceof Problem) return newer;
  // Not always one less: retention may have removed some.
  const [before] = await rows.listSegmentRevisions(db, env, name, newer.number, 1);
  const first = from ?? before?.number;
  if (first === undefined) return { older: null, newer };
  const older = await revisionOf(db, env, name, first);
  return older instanceof Problem ? older : { older, newer };
}

function summaryOf(
  revision: Omit<rows.SegmentRevision, 'condition'>,
  current: number | null,
): SegmentRevisionSummary {
  const { number, author, note, createdAtMs, synced } = revision;
  const createdAt = toIso(createdAtMs);
  return { revision: number, current: number === current, author, note, createdAt, synced };
}
