/** From the first release, review policy or segment draft on, only servers that know of them may write (schema step 8). */
import { requireWriters } from './require-writers.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Step of the schema that keeps releases. */
const releasesStep = 8;

/**
 * From now on servers of older versions reject edits: they would publish past a review, or into a ramp.
 * @throws UpgradeInProgress while such a server lives
 */
export async function requireReleaseWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, releasesStep);
}
