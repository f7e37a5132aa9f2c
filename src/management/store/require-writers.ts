/** Which servers may write to a store that a fleet shares while it is upgraded: those that know enough of it. */
import { nodeLiveMs } from '../limits/fleet.js';
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

/** Step of the schema that keeps experiments, layers, the holdout and events keys. */
export const experimentsStep = 10;

/**
 * From the first experiment, layer, holdout or events key on: servers of older versions would publish rules without their
 * layers, change running experiments unasked, and take an events key for a game's.
 * @throws UpgradeInProgress
 */
export async function requireExperimentWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, experimentsStep);
}

/** Step of the schema since which there is the role `support`. */
const supportStep = 13;

/**
 * From the first user with the role `support` on: servers of older versions let such a user do nothing, but cannot list users
 * whose role they do not know.
 * @throws UpgradeInProgress
 */
export async function requireSupportWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, supportStep);
}

/** Step of the schema that keeps the formats of webhooks. */
const webhookFormatsStep = 15;

/**
 * From the first webhook of a chat on: servers of older versions would word its messages as signed JSON, which a chat rejects.
 * @throws UpgradeInProgress
 */
export async function requireChatWriters(write: UnitOfWork): Promise<void> {
  await requireWriters(write, webhookFormatsStep);
}
