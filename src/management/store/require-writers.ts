/** Which servers may write to a store that a fleet shares while it is upgraded: those that know enough of it. */
import { nodeLiveMs } from '../limits.js';
import { UpgradeInProgress } from './store-errors.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * From now on servers that know less than this step of the schema reject edits.
 * @throws UpgradeInProgress while such a server lives: it may know too little to ask what it may write
 */
export async function requireWriters(write: UnitOfWork, step: number): Promise<void> {
  const { writersMin } = await write.db
    .selectFrom('storeState')
    .select('writersMin')
    .executeTakeFirstOrThrow();
  if (writersMin >= step) return;
  const older = await write.db
    .selectFrom('nodes')
    .select('name')
    .where('schema', '<', step)
    .where('seenAt', '>', write.at - nodeLiveMs)
    .orderBy('name')
    .execute();
  if (older.length > 0) throw new UpgradeInProgress(older.map(({ name }) => name));
  await write.db.updateTable('storeState').set({ writersMin: step }).execute();
}

/** Step of the schema that keeps guards. */
const guardsStep = 9;

/**
 * From the first guard, or the first environment that has findings confirmed, on: servers of older versions would publish
 * past them.
 * @throws UpgradeInProgress
 */
export async function requireGuardWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, guardsStep);
}
