/**
 * Which revision of a segment was live when. A segment gets this record with its first draft: without drafts, each revision
 * is live from its save on.
 */
import type { Db } from '../dialect.js';
import type { SegmentPublicationsTable } from '../tables/contents.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** A segment by its place, as one of its rows names it. */
export interface SegmentKey {
  readonly environment: string;
  readonly name: string;
}

/** What a write makes of a segment: the live revision (null: none), and the newest one. */
type SegmentLive = Pick<SegmentPublicationsTable, 'number' | 'newest'>;

/** Begins the record of a segment with what is live before its first draft. Does nothing if there is one. */
export async function beginSegmentRecord(
  write: UnitOfWork,
  key: SegmentKey,
  live: SegmentLive,
): Promise<void> {
  if ((await findLastPublication(write.db, key)) !== null) return;
  await insert(write, key, live);
}

/** Records what is live of a segment from this write on, if it has a record. */
export async function recordSegment(
  write: UnitOfWork,
  key: SegmentKey,
  live: SegmentLive,
): Promise<void> {
  if ((await findLastPublication(write.db, key)) === null) return;
  await insert(write, key, live);
}

/** Of several records in a moment, the last counts. */
async function insert(write: UnitOfWork, key: SegmentKey, live: SegmentLive): Promise<void> {
  await write.db
    .insertInto('segmentPublications')
    .values({ environment: key.environment, name: key.name, at: write.at, ...live })
    .onConflict((conflict) =>
      conflict.columns(['environment', 'name', 'at']).doUpdateSet((excluded) => ({
        number: excluded.ref('excluded.number'),
        newest: excluded.ref('excluded.newest'),
      })),
    )
    .execute();
}

/**
 * The last entry of a record.
 * @param atMs up to this time, milliseconds since the epoch
 * @returns null: there is none
 */
export async function findLastPublication(
  db: Db,
  { environment, name }: SegmentKey,
  atMs: number = Number.MAX_SAFE_INTEGER,
): Promise<SegmentLive | null> {
  const row = await db
    .selectFrom('segmentPublications')
    .select(['number', 'newest'])
    .where((row) => row.and({ environment, name }))
    .where('at', '<=', atMs)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Times in (from, to) from which on the segments that revisions of a content use may have had other conditions: of those without
 * a record, each revision counts.
 */
export async function listSegmentTimes(
  db: Db,
  { environment, idLower }: { readonly environment: string; readonly idLower: string },
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  const used = db
    .selectFrom('revisionSegments')
    .select('segment')
    .where((row) => row.and({ environment, idLower }));
  const published = await db
    .selectFrom('segmentPublications')
    .select('at')
    .where('environment', '=', environment)
    .where('name', 'in', used)
    .where('at', '>', fromMs)
    .where('at', '<', toMs)
    .execute();
  const saved = await db
    .selectFrom('segmentRevisions')
    .select('createdAt as at')
    .where('environment', '=', environment)
    .where('name', 'in', used)
    .where('createdAt', '>', fromMs)
    .where('createdAt', '<', toMs)
    .execute();
  return [...published, ...saved].map(({ at }) => at);
}
