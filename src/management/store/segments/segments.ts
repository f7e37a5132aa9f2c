/** Rows of saved segments, and which revisions use them. */

import { strict as assert } from 'node:assert';
import type { Selectable } from 'kysely';
import { digestOf } from '../../../content/hash.js';
import { ofRevision } from '../contents/joins.js';
import { refreshUsesOf } from '../contents/state-hashes.js';
import type { Db } from '../dialect.js';
import type { SegmentsTable } from '../tables.js';
import type { UnitOfWork } from '../unit-of-work.js';
import {
  findSegmentRevision,
  insertSegmentRevision,
  newestSegmentRevision,
  reviseUnrevised,
  type SegmentRevisionOrigin,
} from './segment-revisions.js';

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

/**
 * Saves the condition under its name, as another revision if it is another one; what is as it was is left alone. True
 * when there was none of that name. Two saves never have the same `updatedAtMs`: it identifies a state.
 * @param action what the audit calls it
 */
export async function putSegment(
  write: UnitOfWork,
  segment: Pick<Segment, 'environment' | 'name' | 'condition' | 'description'>,
  origin: SegmentRevisionOrigin,
  action: 'segment.put' | 'segment.rollback' = 'segment.put',
): Promise<boolean> {
  const { environment, name, condition, description } = segment;
  const unrevised = await reviseUnrevised(write, { environment, name });
  if (unrevised.length > 0) await refreshUsesOf(write, environment, name);
  const before = await findSegment(write.db, environment, name);
  if (before?.condition === condition && before.description === description) return false;
  const at = before === null ? write.at : Math.max(write.at, before.updatedAtMs + 1);
  const isNew = before?.condition !== condition;
  let revision = before?.revision ?? 0;
  if (isNew) {
    revision = (await newestSegmentRevision(write.db, environment, name)) + 1;
    await insertSegmentRevision(
      write,
      { environment, name, number: revision },
      { condition, ...origin },
    );
  }
  const state = { condition, description, revision, updatedAt: at };
  if (before === null) {
    await write.db
      .insertInto('segments')
      .values({ environment, name, ...state, createdAt: at })
      .execute();
  } else {
    await write.db
      .updateTable('segments')
      .set(state)
      .where((row) => row.and({ environment, name }))
      .execute();
  }
  if (isNew) {
    write.markChanged('segment', environment, name);
    await refreshUsesOf(write, environment, name);
  }
  await write.audit(action, environment, name, {
    before: before === null ? null : auditedState(before),
    after: auditedState(state),
    ...(origin.note === '' ? {} : { note: origin.note }),
  });
  return before === null;
}

/**
 * Makes a saved revision the one that rules use. The hashes of the contents that use it are refreshed by the caller, under
 * the same number.
 */
export async function setLiveSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  number: number,
): Promise<void> {
  const saved = await findSegmentRevision(write.db, environment, name, number);
  assert(saved !== null, 'the revision was looked for');
  const before = await findSegment(write.db, environment, name);
  const updatedAt = Math.max(write.at, (before?.updatedAtMs ?? 0) + 1);
  const state = { condition: saved.condition, revision: number, updatedAt };
  if (before === null) {
    const row = { environment, name, description: '', ...state, createdAt: updatedAt };
    await write.db.insertInto('segments').values(row).execute();
  } else {
    await write.db
      .updateTable('segments')
      .set(state)
      .where((row) => row.and({ environment, name }))
      .execute();
  }
  write.markChanged('segment', environment, name);
}

/** A condition may be a list of thousands of tester ids: the audit knows it by its digest. */
function auditedState(state: Pick<Segment, 'condition' | 'description' | 'revision'>): unknown {
  const { condition, description, revision } = state;
  const bytes = Buffer.byteLength(condition);
  return { revision, condition: digestOf(condition), bytes, description };
}

export async function deleteSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<void> {
  await reviseUnrevised(write, { environment, name });
  const before = await findSegment(write.db, environment, name);
  await write.db
    .deleteFrom('segments')
    .where((row) => row.and({ environment, name }))
    .execute();
  write.markChanged('segment', environment, name);
  await write.audit('segment.delete', environment, name, {
    before: before === null ? null : auditedState(before),
    after: null,
  });
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
