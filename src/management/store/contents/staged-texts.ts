/**
 * Texts that were stored ahead of the write that will use them, so that it is short. Until then nothing refers to them:
 * housekeeping, on whichever server it runs, leaves alone what a row here holds.
 */
import { housekeepingRowsPerWrite } from '../../limits/housekeeping.js';
import { stagedTextsMsMax } from '../../limits/transfer.js';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** Call it in the write that stores the texts. */
export async function holdTexts(
  write: UnitOfWork,
  holder: string,
  digests: Iterable<string>,
): Promise<void> {
  const until = write.at + stagedTextsMsMax;
  const rows = [...digests].map((digest) => ({ holder, digest, until }));
  if (rows.length > 0) await write.db.insertInto('stagedTexts').values(rows).execute();
}

/** Call it when the holder has ended, whichever way. What it has not used is housekeeping's. */
export async function releaseTexts(write: UnitOfWork, holder: string): Promise<void> {
  await write.db.deleteFrom('stagedTexts').where('holder', '=', holder).execute();
}

/** Whether a holder never said that it had ended: its server was killed. */
export async function hasHeldTooLong(db: Db, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('stagedTexts')
    .select('digest')
    .where('until', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Forgets some of the texts that were held too long.
 * @returns how many
 */
export async function forgetHeldTexts(write: UnitOfWork): Promise<number> {
  const late = await write.db
    .selectFrom('stagedTexts')
    .select('digest')
    .where('until', '<=', write.at)
    .limit(housekeepingRowsPerWrite)
    .execute();
  if (late.length > 0) {
    await write.db
      .deleteFrom('stagedTexts')
      .where('until', '<=', write.at)
      .where(
        'digest',
        'in',
        late.map((row) => row.digest),
      )
      .execute();
  }
  return late.length;
}
