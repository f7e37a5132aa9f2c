/** Rows of saved segments, and which contents use them. */
import type { Selectable } from 'kysely';
import type { Reading } from './dialect.js';
import type { SegmentsTable } from './tables.js';
import type { Write } from './write.js';

export interface Segment {
  readonly environment: string;
  readonly name: string;
  /** JSON text as it was sent. */
  readonly condition: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A content whose newest or live revision refers to a saved segment. */
export interface SegmentUse {
  readonly segment: string;
  /** Content id as it was created. */
  readonly content: string;
}

export async function listSegments(db: Reading, environment: string): Promise<Segment[]> {
  const rows = await db
    .selectFrom('segments')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  return rows.map(segmentOf);
}

export async function findSegment(
  db: Reading,
  environment: string,
  name: string,
): Promise<Segment | null> {
  const row = await db
    .selectFrom('segments')
    .selectAll()
    .where('environment', '=', environment)
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? null : segmentOf(row);
}

/** Saves the condition under its name. True when there was none of that name. */
export async function putSegment(
  write: Write,
  segment: Pick<Segment, 'environment' | 'name' | 'condition' | 'description'>,
): Promise<boolean> {
  const { environment, name, condition, description } = segment;
  const text = { condition, description };
  const before = await findSegment(write.db, environment, name);
  if (before === null) {
    await write.db
      .insertInto('segments')
      .values({ environment, name, ...text, createdAt: write.at, updatedAt: write.at })
      .execute();
  } else {
    await write.db
      .updateTable('segments')
      .set({ ...text, updatedAt: write.at })
      .where('environment', '=', environment)
      .where('name', '=', name)
      .execute();
  }
  if (before?.condition !== condition) write.touch('segment', environment, name);
  await write.audit('segment.put', environment, name, {
    before: before?.condition ?? null,
    after: condition,
  });
  return before === null;
}

export async function deleteSegment(
  write: Write,
  environment: string,
  name: string,
): Promise<void> {
  await write.db
    .deleteFrom('segments')
    .where('environment', '=', environment)
    .where('name', '=', name)
    .execute();
  write.touch('segment', environment, name);
  await write.audit('segment.delete', environment, name);
}

/** Which contents use saved segments in their newest or live revision; of one segment, or of all. */
export async function listSegmentUses(
  db: Reading,
  environment: string,
  name?: string,
): Promise<SegmentUse[]> {
  let query = db
    .selectFrom('revisionSegments')
    .innerJoin('contents', (join) =>
      join
        .onRef('contents.environment', '=', 'revisionSegments.environment')
        .onRef('contents.idLower', '=', 'revisionSegments.idLower'),
    )
    .where('revisionSegments.environment', '=', environment)
    .where('contents.deletedAt', 'is', null)
    .where((where) =>
      where.or([
        where('revisionSegments.number', '=', where.ref('contents.newest')),
        where('revisionSegments.number', '=', where.ref('contents.live')),
      ]),
    )
    .select(['revisionSegments.segment', 'contents.id as content'])
    .distinct()
    .orderBy('revisionSegments.segment')
    .orderBy('contents.id');
  if (name !== undefined) query = query.where('revisionSegments.segment', '=', name);
  return query.execute();
}

function segmentOf(row: Selectable<SegmentsTable>): Segment {
  return {
    environment: row.environment,
    name: row.name,
    condition: row.condition,
    description: row.description,
    createdAtMs: row.createdAt,
    updatedAtMs: row.updatedAt,
  };
}
