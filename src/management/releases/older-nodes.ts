/** Releases need servers that know of them: an older one would let edits through that a ramp locks. */
import { Problem } from '../../contract/problems.js';
import { listOlderNodes } from '../fleet/rows.js';
import { nodeLiveMs } from '../limits.js';
import { schemaNewest } from '../store/migrate.js';
import type { Store } from '../store/store.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** Step of the schema that keeps releases. */
const releasesStep = 8;

/**
 * From now on servers of older versions reject edits.
 * @returns why it is too early for that: a server of an older version lives
 */
export async function requireReleaseWriters(
  { isShared }: Pick<Store, 'isShared'>,
  write: UnitOfWork,
): Promise<Problem | null> {
  const older = isShared ? await listOlderNodes(write.db, schemaNewest, nodeLiveMs) : [];
  if (older.length > 0) {
    const names = older.join(', ');
    const detail = `Servers of an older version are there, which know nothing of releases: ${names}. Upgrade them first.`;
    return new Problem('upgrade_in_progress', detail);
  }
  await write.db
    .updateTable('storeState')
    .set({ writersMin: releasesStep })
    .where('writersMin', '<', releasesStep)
    .execute();
  return null;
}
