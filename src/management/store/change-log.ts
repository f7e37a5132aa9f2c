/** The change log: which numbers were given out, and what each of them changed for delivery. */
import { randomBytes } from 'node:crypto';
import type { Db } from './dialect.js';
import type { ChangedName } from './unit-of-work.js';

export interface LogState {
  /** Identity of the store whose numbers these are. */
  readonly storeId: string;
  /** The newest number given out; 0: none yet. */
  readonly sequence: number;
  /** Numbers up to and including this one are no longer in the log. */
  readonly prunedTo: number;
}

/** What a write learns first. */
export interface WriteState extends LogState {
  /** Step of the schema that a server must know to write. */
  readonly writersMin: number;
}

/**
 * How far a follower read a log. The mark distinguishes the number from the same one of another history (D44).
 */
export interface LogPosition {
  readonly sequence: number;
  readonly mark: string;
}

/** Four columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 1_000;

export async function readLogState(db: Db): Promise<LogState> {
  return db
    .selectFrom('storeState')
    .select(['storeId', 'sequence', 'prunedTo'])
    .executeTakeFirstOrThrow();
}

/** The mark of a number, or null when the log does not know the number (any more). */
export async function findMark(db: Db, sequence: number): Promise<string | null> {
  const row = await db
    .selectFrom('sequences')
    .select('mark')
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return row?.mark ?? null;
}

/** What a follower must know of the log before it reads on, in one look. */
export interface LogFrom extends LogPosition {
  readonly storeId: string;
  /** The store's secret. */
  readonly streamKey: string;
  readonly prunedTo: number;
  /** The mark that the follower's number has here; null: it is not in the log. */
  readonly markThere: string | null;
}

/** @param sequence where the follower is */
export async function readLogFrom(db: Db, sequence: number): Promise<LogFrom> {
  const found = await db
    .selectFrom('storeState')
    .leftJoin('sequences as newest', 'newest.sequence', 'storeState.sequence')
    .leftJoin('sequences as there', (join) => join.on('there.sequence', '=', sequence))

    .select([
      'storeState.storeId',
      'storeState.streamKey',
      'storeState.sequence',
      'storeState.prunedTo',
      'newest.mark',
      'there.mark as markThere',
    ])
    .executeTakeFirstOrThrow();
  return { ...found, mark: found.mark ?? '' };
}

/**
 * Appends one number for everything that the transaction changed, as its last act. Writes take turns, so numbers are
 * given out in the order of the commits, and a follower never skips one (D43).
 */
export async function appendChanges(
  db: Db,
  changed: readonly ChangedName[],
  atMs: number,
): Promise<number> {
  const { sequence } = await db
    .updateTable('storeState')
    .set((expression) => ({ sequence: expression('sequence', '+', 1) }))
    .returning('sequence')
    .executeTakeFirstOrThrow();
  await putMark(db, sequence, atMs);
  for (let from = 0; from < changed.length; from += rowsPerInsert) {
    const rows = changed
      .slice(from, from + rowsPerInsert)
      .map((change, index) => ({ sequence, position: from + index, ...change }));
    await db.insertInto('changeLog').values(rows).execute();
  }
  return sequence;
}

/**
 * Moves the log beyond a number that it cannot have given out, so that no number ever means two edits. Followers
 * read everything again.
 */
export async function moveLogBeyond(db: Db, sequence: number, atMs: number): Promise<number> {
  const next = sequence + 1;
  await db.deleteFrom('changeLog').execute();
  await db.deleteFrom('sequences').execute();
  await db.updateTable('storeState').set({ sequence: next, prunedTo: next }).execute();
  await putMark(db, next, atMs);
  return next;
}

async function putMark(db: Db, sequence: number, atMs: number): Promise<void> {
  const mark = randomBytes(12).toString('base64url');
  await db.insertInto('sequences').values({ sequence, mark, at: atMs }).execute();
}

/** What changed after a number, each name once, in the order in which it changed first. */
export async function changedAfter(db: Db, sequence: number): Promise<ChangedName[]> {
  return db
    .selectFrom('changeLog')
    .select(['kind', 'environment', 'name'])
    .where('sequence', '>', sequence)
    .groupBy(['kind', 'environment', 'name'])
    .orderBy((log) => log.fn.min('sequence'))
    .orderBy((log) => log.fn.min('position'))
    .execute();
}

/** Forgets the names of every number below `before`; the newest number stays known. */
export async function pruneLog(db: Db, before: number): Promise<void> {
  const { sequence, prunedTo } = await readLogState(db);
  const to = Math.min(before - 1, sequence);
  if (to <= prunedTo) return;
  await db.deleteFrom('changeLog').where('sequence', '<=', to).execute();
  // A follower at the last forgotten number has missed nothing yet: its mark stays.
  await db.deleteFrom('sequences').where('sequence', '<', to).execute();
  await db.updateTable('storeState').set({ prunedTo: to }).execute();
}
