/**
 * Completes what versions wrote that knew less: before an upgrade, and beside this one while a fleet is upgraded. Versions
 * up to step 4 of the schema go on writing then; later ones ask `writers_min` first.
 */

import { recordUnrecorded } from './contents/publications.js';
import {
  hashUnhashed,
  readHashRule,
  refreshHashes,
  refreshUsesOf,
  setHashRule,
} from './contents/state-hashes.js';
import type { Db } from './dialect.js';
import { reviseUnrevised } from './segments/segment-revisions.js';
import type { Store } from './store.js';
import { systemActor, type UnitOfWork } from './unit-of-work.js';

/** Whether hashes follow the rule of this version. */
export async function isComplete(db: Db): Promise<boolean> {
  return (await readHashRule(db)) === 'state';
}

/** A write of the server's own, for which edits wait. */
const writeMsMax = 250;

export interface CompleteOptions {
  readonly store: Pick<Store, 'write'>;
  /** Resolves when the number is served. */
  readonly publish: (sequence: number) => Promise<void>;
  /** Ends it between two writes. What is left is for another time. */
  readonly signal: AbortSignal;
}

/**
 * Keeps the history of what servers of older versions do while they are there: they write over it. Hashes stay as they are,
 * and players get what they got.
 * @throws StoreUnavailable, UpgradeInProgress
 */
export async function recordOlderWrites(store: Pick<Store, 'write'>): Promise<void> {
  await store.write(systemActor, recordAll);
}

async function recordAll(write: UnitOfWork): Promise<void> {
  for (const { environment, idLower, live } of await recordUnrecorded(write)) {
    if (live === null) continue;
    await refreshHashes(write, environment, idLower, live);
    write.markChanged('content', environment, idLower);
  }
  for (const { environment, name } of await reviseUnrevised(write)) {
    await refreshUsesOf(write, environment, name);
  }
}

/**
 * From now on hashes cover targeting rules and segments, and what older versions left out is there. Players are served
 * throughout; clients fetch what has another hash once.
 * @throws StoreUnavailable, UpgradeInProgress
 */
export async function completeOlderWrites({
  store,
  publish,
  signal,
}: CompleteOptions): Promise<void> {
  for (let done = false; !done && !signal.aborted; ) {
    const { value, sequence } = await store.write(systemActor, async (write) => {
      if ((await readHashRule(write.db)) === 'json') await setHashRule(write, 'changing');
      await recordAll(write);
      const isLast = await hashUnhashed(write, writeMsMax);
      if (isLast && (await readHashRule(write.db)) === 'changing')
        await setHashRule(write, 'state');
      return isLast;
    });
    done = value;
    await publish(sequence);
  }
}
