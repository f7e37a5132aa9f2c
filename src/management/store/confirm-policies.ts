/** Rows of environments in which findings have to be confirmed before they reach players. */
import type { Db } from './dialect.js';
import { requireGuardWriters } from './require-writers.js';
import type { UnitOfWork } from './unit-of-work.js';

export async function mustConfirm(db: Db, environment: string): Promise<boolean> {
  const row = await db
    .selectFrom('confirmPolicies')
    .select('environment')
    .where('environment', '=', environment)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws UpgradeInProgress while a server lives that would ask nothing */
export async function setConfirmPolicy(
  write: UnitOfWork,
  environment: string,
  isSet: boolean,
): Promise<void> {
  if (!isSet) {
    await write.db.deleteFrom('confirmPolicies').where('environment', '=', environment).execute();
    return;
  }
  await requireGuardWriters(write);
  await write.db
    .insertInto('confirmPolicies')
    .values({ environment })
    .onConflict((conflict) => conflict.column('environment').doNothing())
    .execute();
}
