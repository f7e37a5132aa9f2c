/** Rows of segment revisions: the conditions that a segment has had, immutable, numbered from 1. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../dialect.js';
import { isNeededSegmentRevision } from '../releases/needed-revisions.js';
import type { SegmentRevisionsTable } from '../tables/contents.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { findLastPublication } from './segment-publications.js';

export interface SegmentRevision {
  readonly number: number;
  /** JSON text as it was sent. */
  readonly condition: string;
  /** '' where it was saved before revisions were kept and the audit does not say by whom. */
  readonly author: string;
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** A sync made it: from which environment, and the number it has there. */
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

/** What a new revision is made from, beside the condition. */
export interface SegmentRevisionOrigin {
  readonly note: string;
  readonly synced: SegmentRevision['synced'];
}

/**
 * Gives the segments their revisions that a server of an older version saved: it changed the condition and nothing else.
 * @param only the segment that is looked at; all when left out
 * @returns their names
 */
export async function reviseUnrevised(
  write: UnitOfWork,
  only?: { readonly environment: string; readonly name: string },
): Promise<{ readonly environment: string; readonly name: string }[]> {
  let query = write.db
    .selectFrom('segments')
    .leftJoin('segmentRevisions', (join) =>
      join
        .onRef('segmentRevisions.environment', '=', 'segments.environment')
        .onRef('segmentRevisions.name', '=', 'segments.name')
        .onRef('segmentRevisions.number', '=', 'segments.revision')
        .onRef('segmentRevisions.condition', '=', 'segments.condition'),
    )
    .where('segmentRevisions.number', 'is', null)
    .select(['segments.environment', 'segments.name', 'segments.condition', 'segments.updatedAt']);
  if (only !== undefined) {
    query = query
      .where('segments.environment', '=', only.environment)
      .where('segments.name', '=', only.name);
  }
  const found = await query.execute();
  for (const { environment, name, condition, updatedAt } of found) {
    const number = (await newestSegmentRevision(write.db, environment, name)) + 1;
    const author = await lastAuthor(write.db, environment, name);
    await write.db
      .insertInto('segmentRevisions')
      .values({ environment, name, number, condition, author, note: '', createdAt: updatedAt })
      .execute();
    await write.db
      .updateTable('segments')
      .set({ revision: number })
      .where((row) => row.and({ environment, name }))
      .execute();
  }
  return found;
}

/** By whom the segment was saved last, as far as the audit says; '': it does not. */
async function lastAuthor(db: Db, environment: string, name: string): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .select('userName')
    .where((row) => row.and({ action: 'segment.put', environment, name }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.userName ?? '';
}

/** Number of the newest revision under a name, live or not, of a deleted segment too; 0: there never was one of that name. */
export async function newestSegmentRevision(
  db: Db,
  environment: string,
  name: string,
): Promise<number> {
  const { number } = await db
    .selectFrom('segmentRevisions')
    .select((select) => select.fn.max('number').as('number'))
    .where((row) => row.and({ environment, name }))
    .executeTakeFirstOrThrow();
  return number ?? 0;
}

/** Numbers of the newest revisions of the names in (after, last], by name. */
export async function listNewestRevisions(
  db: Db,
  environment: string,
  after: string,
  last: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('segmentRevisions')
    .select((select) => ['name', select.fn.max('number').as('number')])
    .where('environment', '=', environment)
    .where('name', '>', after)
    .where('name', '<=', last)
    .groupBy('name')
    .execute();
  return new Map(rows.map(({ name, number }) => [name, number]));
}

/** Names of segments that are only drafts, with the sizes of the newest in characters, by name; those after `after`. */
export async function listDraftSizes(
  db: Db,
  environment: string,
  after: string,
  limit: number,
): Promise<{ readonly name: string; readonly chars: number }[]> {
  // Of what was deleted, the last entry of its record says which revisions were there then.
  const { rows } = await sql<{ name: string; chars: number }>`
    select name, length(condition) as chars from segment_revisions as draft
    where environment = ${environment} and name > ${after}
      and not exists (
        select 1 from segments
        where segments.environment = draft.environment and segments.name = draft.name)
      and number = (
        select max(number) from segment_revisions as newest
        where newest.environment = draft.environment and newest.name = draft.name)
      and number > (
        select newest from segment_publications as last
        where last.environment = draft.environment and last.name = draft.name
        order by at desc limit 1)
    order by name limit ${limit}`.execute(db);
  return rows;
}

export async function insertSegmentRevision(
  write: UnitOfWork,
  key: SegmentRevisionKey,
  { condition, note, synced }: SegmentRevisionOrigin & Pick<SegmentRevision, 'condition'>,
): Promise<void> {
  await write.db
    .insertInto('segmentRevisions')
    .values({
      ...{ ...key, condition, author: write.actor.name, note, createdAt: write.at },
      ...{ syncedFrom: synced?.from ?? null, syncedRevision: synced?.revision ?? null },
    })
    .execute();
}

export async function findSegmentRevision(
  db: Db,
  environment: string,
  name: string,
  number: number,
): Promise<SegmentRevision | null> {
  const row = await db
    .selectFrom('segmentRevisions')
    .selectAll()
    .where((row) => row.and({ environment, name, number }))
    .executeTakeFirst();
  return row === undefined ? null : revisionOf(row);
}

/** The revision that was live at a time; null: the segment was not live then, or what was is no longer kept. */
export async function findSegmentRevisionAt(
  db: Db,
  environment: string,
  name: string,
  atMs: number,
): Promise<SegmentRevision | null> {
  const recorded = await findLastPublication(db, { environment, name }, atMs);
  if (recorded !== null) {
    const { number } = recorded;
    return number === null ? null : findSegmentRevision(db, environment, name, number);
  }
  const row = await db
    .selectFrom('segmentRevisions')
    .selectAll()
    .where((row) => row.and({ environment, name }))
    .where('createdAt', '<=', atMs)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : revisionOf(row);
}

/** A revision's key. */
export interface SegmentRevisionKey {
  readonly environment: string;
  readonly name: string;
  readonly number: number;
}

/**
 * Revisions beyond the `keep` newest of each name, at most `limit` of them. The newest and the live one stay, and those
 * that a release may still need.
 */
export async function findOldSegmentRevisions(
  db: Db,
  keep: number,
  limit: number,
): Promise<SegmentRevisionKey[]> {
  return db
    .selectFrom('segmentRevisions as old')
    .select(['old.environment', 'old.name', 'old.number'])
    .where(({ eb, selectFrom }) =>
      eb(
        'old.number',
        '<=',
        selectFrom('segmentRevisions as newest')
          .whereRef('newest.environment', '=', 'old.environment')
          .whereRef('newest.name', '=', 'old.name')
          .select((select) =>
            sql<number>`${select.fn.max('newest.number')} - ${keep}`.as('number'),
          ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('segments as live')
            .select('live.revision')
            .whereRef('live.environment', '=', 'old.environment')
            .whereRef('live.name', '=', 'old.name')
            .whereRef('live.revision', '=', 'old.number'),
        ),
      ),
    )
    .where(({ not }) => not(isNeededSegmentRevision('old')))
    .limit(limit)
    .execute();
}

export async function deleteSegmentRevision(
  write: UnitOfWork,
  { environment, name, number }: SegmentRevisionKey,
): Promise<void> {
  await write.db
    .deleteFrom('segmentRevisions')
    .where((row) => row.and({ environment, name, number }))
    .execute();
}

/**
 * Newest first, without the conditions.
 * @param before number below which the page begins
 */
export async function listSegmentRevisions(
  db: Db,
  environment: string,
  name: string,
  before: number,
  limit: number,
): Promise<Omit<SegmentRevision, 'condition'>[]> {
  const rows = await db
    .selectFrom('segmentRevisions')
    .select(['number', 'author', 'note', 'createdAt', 'syncedFrom', 'syncedRevision'])
    .where((row) => row.and({ environment, name }))
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { condition: _, ...summary } = revisionOf({ ...row, condition: '' });
    return summary;
  });
}

function revisionOf(
  row: Omit<Selectable<SegmentRevisionsTable>, 'environment' | 'name'>,
): SegmentRevision {
  const { number, condition, author, note, createdAt, syncedFrom: from, syncedRevision } = row;
  const synced = from === null ? null : { from, revision: syncedRevision ?? 0 };
  return { number, condition, author, note, createdAtMs: createdAt, synced };
}
