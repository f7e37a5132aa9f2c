/** Rows of review policies: environments in which nothing reaches players without approvals. */
import type { Db } from './dialect.js';
import { requireReleaseWriters } from './release-writers.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Approvals that an environment asks for before anything reaches its players; 0: none. */
export async function reviewersRequired(db: Db, environment: string): Promise<number> {
  const row = await db
    .selectFrom('reviewPolicies')
    .select('required')
    .where('environment', '=', environment)
    .executeTakeFirst();
  return row?.required ?? 0;
}

/** By id of the environment; those without a policy are not there. */
export async function listReviewPolicies(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('reviewPolicies').select(['environment', 'required']).execute();
  return new Map(rows.map(({ environment, required }) => [environment, required]));
}

/**
 * @param required 0: none
 * @throws UpgradeInProgress while a server lives that knows of no policies
 */
export async function setReviewPolicy(
  write: UnitOfWork,
  environment: string,
  required: number,
): Promise<void> {
  if (required === 0) {
    await write.db.deleteFrom('reviewPolicies').where('environment', '=', environment).execute();
    return;
  }
  await requireReleaseWriters(write);
  await write.db
    .insertInto('reviewPolicies')
    .values({ environment, required })
    .onConflict((conflict) => conflict.column('environment').doUpdateSet({ required }))
    .execute();
}
