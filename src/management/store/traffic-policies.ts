/** Rows of what environments keep of the user contexts that requests carry. An environment without a row has the default. */
import {
  type TrafficKept,
  trafficKeptDefault,
  trafficKeptKinds,
} from '../../content/traffic-kept.js';
import type { Db } from './dialect.js';
import type { UnitOfWork } from './unit-of-work.js';

export async function readTrafficKept(db: Db, environment: string): Promise<TrafficKept> {
  const row = await db
    .selectFrom('trafficPolicies')
    .select('kept')
    .where('environment', '=', environment)
    .executeTakeFirst();
  if (row === undefined) return trafficKeptDefault;
  // What a later version keeps beside is not known here: the least is safe.
  return trafficKeptKinds.find((kind) => kind === row.kept) ?? 'names';
}

/**
 * Players are given the same; the environment's settings are published, since delivery processes follow them. Values that are
 * kept no longer are deleted in the same transaction.
 */
export async function setTrafficKept(
  write: UnitOfWork,
  environment: string,
  kept: TrafficKept,
): Promise<void> {
  await write.db
    .insertInto('trafficPolicies')
    .values({ environment, kept })
    .onConflict((conflict) => conflict.column('environment').doUpdateSet({ kept }))
    .execute();
  if (kept === 'names') {
    await write.db.deleteFrom('seenValues').where('environment', '=', environment).execute();
  }
  write.markChanged('environment', environment, '');
}
