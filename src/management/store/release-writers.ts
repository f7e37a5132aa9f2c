/** From the first release, review policy or segment draft on, only servers that know of them may write (schema step 8). */
import { nodeLiveMs } from '../limits.js';
import { UpgradeInProgress } from './store-errors.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Step of the schema that keeps releases. */
export const releasesStep = 8;

/**
 * From now on servers of older versions reject edits: they would publish past a review, or into a ramp.
 * @throws UpgradeInProgress while such a server lives: it may know too little to ask what it may write
 */
export async function requireReleaseWriters(write: UnitOfWork): Promise<void> {
  const { writersMin } = await write.db
    .selectFrom('storeState')
    .select('writersMin')
    .executeTakeFirstOrThrow();
  if (writersMin >= releasesStep) return;
  const older = await write.db
    .selectFrom('nodes')
    .select('name')
    .where('schema', '<', releasesStep)
    .where('seenAt', '>', write.at - nodeLiveMs)
    .orderBy('name')
    .execute();
  if (older.length > 0) throw new UpgradeInProgress(older.map(({ name }) => name));
  await write.db.updateTable('storeState').set({ writersMin: releasesStep }).execute();
}
