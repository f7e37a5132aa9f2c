/** The change log: which numbers were given out, and what each of them changed for delivery. */
import type { Reading } from './dialect.js';
import type { ChangedName } from './write.js';

export interface LogState {
  /** Identity of the store whose numbers these are. */
  readonly storeId: string;
  /** The newest number given out; 0: none yet. */
  readonly sequence: number;
  /** Numbers up to and including this one are no longer in the log. */
  readonly prunedTo: number;
}

/** Four columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 1_000;

export async function readLogState(db: Reading): Promise<LogState> {
  return db
    .selectFrom('storeState')
    .select(['storeId', 'sequence', 'prunedTo'])
    .executeTakeFirstOrThrow();
}

/**
 * Appends one number for everything that the transaction changed, as its last act. The row that counts is
 * locked from here to the commit, so numbers are given out in commit order and a follower never skips one.
 */
export async function appendChanges(db: Reading, changed: readonly ChangedName[]): Promise<number> {
  const { sequence } = await db
    .updateTable('storeState')
    .set((expression) => ({ sequence: expression('sequence', '+', 1) }))
    .returning('sequence')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < changed.length; from += rowsPerInsert) {
    const rows = changed
      .slice(from, from + rowsPerInsert)
      .map((change, index) => ({ sequence, position: from + index, ...change }));
    await db.insertInto('changeLog').values(rows).execute();
  }
  return sequence;
}

/** What changed after a number, each name once. */
export async function changedAfter(db: Reading, sequence: number): Promise<ChangedName[]> {
  return db
    .selectFrom('changeLog')
    .select(['kind', 'environment', 'name'])
    .distinct()
    .where('sequence', '>', sequence)
    .execute();
}

/** Forgets the names of every number below `before`; the newest number stays known. */
export async function pruneLog(db: Reading, before: number): Promise<void> {
  const { sequence, prunedTo } = await readLogState(db);
  const to = Math.min(before - 1, sequence);
  if (to <= prunedTo) return;
  await db.deleteFrom('changeLog').where('sequence', '<=', to).execute();
  await db.updateTable('storeState').set({ prunedTo: to }).execute();
}
