/** Rows of saved segments, and which revisions use them. */

import type { Selectable } from 'kysely';
import { ofRevision } from '../contents/joins.js';
import type { Db } from '../dialect.js';
import type { SegmentsTable } from '../tables/contents.js';

export interface Segment extends Readonly<Omit<SegmentsTable, 'createdAt' | 'updatedAt'>> {
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A revision, newest or live, that refers to a saved segment. */
export interface SegmentUse {
  readonly segment: string;
  /** Content id as it was created. */
  readonly content: string;
  readonly revision: number;
  /** The revision is the live one, or the newest, or both. */
  readonly live: boolean;
  readonly newest: boolean;
  /** Digest of the revision's mapping. */
  readonly mapping: string;
}

export async function listSegments(db: Db, environment: string): Promise<Segment[]> {
  const rows = await db
    .selectFrom('segments')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  return rows.map(segmentOf);
}

export async function findSegment(
  db: Db,
  environment: string,
  name: string,
): Promise<Segment | null> {
  // A rule may name anything; PostgreSQL cannot even be asked for this, and no segment is called so.
  if (name.includes('\0')) return null;
  const row = await db
    .selectFrom('segments')
    // By name, since prepared statements outlive upgrades of the schema, and PostgreSQL ends those that another column joins.
    .select(['environment', 'name', 'condition', 'description', 'revision'])
    .select(['createdAt', 'updatedAt'])
    .where((row) => row.and({ environment, name }))
    .executeTakeFirst();
  return row === undefined ? null : segmentOf(row);
}

/** The revision of each segment that is live, by its name. */
export async function listLiveSegmentRevisions(
  db: Db,
  environment: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('segments')
    .select(['name', 'revision'])
    .where('environment', '=', environment)
    .execute();
  return new Map(rows.map(({ name, revision }) => [name, revision]));
}

/** Names of segments with the sizes of their conditions in characters, by name; those after `after`. */
export async function listSegmentSizes(
  db: Db,
  environment: string,
  after: string,
  limit: number,
): Promise<{ readonly name: string; readonly chars: number }[]> {
  return db
    .selectFrom('segments')
    .select((select) => ['name', select.fn<number>('length', ['condition']).as('chars')])
    .where('environment', '=', environment)
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();
}

/** By name, those after `after` up to and including `last`. */
export async function listSegmentsBetween(
  db: Db,
  environment: string,
  after: string,
  last: string,
): Promise<Segment[]> {
  const rows = await db
    .selectFrom('segments')
    .selectAll()
    .where('environment', '=', environment)
    .where('name', '>', after)
    .where('name', '<=', last)
    .orderBy('name')
    .execute();
  return rows.map(segmentOf);
}

/** Which saved segments are meant: one, or those whose names lie in (after, last]; all without either. */
export interface SegmentRange {
  readonly name?: string;
  readonly after?: string;
  readonly last?: string;
}

/** Which newest and live revisions use saved segments, by segment and content. */
export async function listSegmentUses(
  db: Db,
  environment: string,
  range: SegmentRange = {},
): Promise<SegmentUse[]> {
  let query = db
    .selectFrom('revisionSegments')
    .innerJoin('contents', (join) =>
      join
        .onRef('contents.environment', '=', 'revisionSegments.environment')
        .onRef('contents.idLower', '=', 'revisionSegments.idLower'),
    )
    .innerJoin('revisions', ofRevision('revisions', 'revisionSegments'))
    .where('revisionSegments.environment', '=', environment)
    .where('contents.deletedAt', 'is', null)
    .where((where) =>
      where.or([
        where('revisionSegments.number', '=', where.ref('contents.newest')),
        where('revisionSegments.number', '=', where.ref('contents.live')),
      ]),
    )
    .select(['revisionSegments.segment', 'revisionSegments.number', 'revisions.mapping'])
    .select(['contents.id', 'contents.live', 'contents.newest'])
    .orderBy('revisionSegments.segment')
    .orderBy('contents.id')
    .orderBy('revisionSegments.number');
  const { name, after, last } = range;
  if (name !== undefined) query = query.where('revisionSegments.segment', '=', name);
  if (after !== undefined) query = query.where('revisionSegments.segment', '>', after);
  if (last !== undefined) query = query.where('revisionSegments.segment', '<=', last);
  const rows = await query.execute();
  return rows.map(({ segment, id: content, number: revision, live, newest, mapping }) => ({
    ...{ segment, content, revision, mapping: mapping ?? '' },
    ...{ live: revision === live, newest: revision === newest },
  }));
}

/** A mapping's text by its digest; null: retention has removed it meanwhile. */
export async function findMapping(db: Db, digest: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('texts')
    .select('bytes')
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

function segmentOf({ createdAt, updatedAt, ...rest }: Selectable<SegmentsTable>): Segment {
  return { ...rest, createdAtMs: createdAt, updatedAtMs: updatedAt };
}
