/** After a restore or a migration no release goes on by itself: what the store promised then may be wrong by now. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import type { Db } from '../store/dialect.js';
import { enqueueEvents } from '../store/events/enqueue-events.js';
import { listReleasesIn, type ReleaseRecord } from '../store/releases/releases.js';
import { systemActor, UnitOfWork } from '../store/unit-of-work.js';
import { heldMsAt } from './leader/next-action.js';
import { transit } from './transition.js';

/**
 * Pauses what ramps and takes what is scheduled off its schedule, each with an event. Players receive what they received:
 * a pause changes nothing of it.
 * @param transaction of a store that no server uses
 * @param nowMs milliseconds since the epoch
 * @param reason what was done to the store, and what to do now
 */
export async function haltReleases(transaction: Db, nowMs: number, reason: string): Promise<void> {
  const { sequence, writtenAt } = await transaction
    .selectFrom('storeState')
    .select(['sequence', 'writtenAt'])
    .executeTakeFirstOrThrow();
  const write = new UnitOfWork(transaction, systemActor, nowMs, sequence + 1);
  for (const release of await listReleasesIn(transaction, null, ['ramping', 'scheduled'])) {
    // Until its last write the store is known to have been in use.
    await halt(write, release, heldMsAt(release, writtenAt), reason);
  }
  await enqueueEvents(write, sequence);
}

async function halt(
  write: UnitOfWork,
  release: ReleaseRecord,
  heldMs: number,
  text: string,
): Promise<void> {
  const shared = { needsReview: true, publishes: false, text };
  const done =
    release.state === 'ramping'
      ? await transit(write, release, {
          ...{ ...shared, transition: 'pause', to: 'paused', action: 'release.pause' },
          ...{ event: 'release.paused', columns: { stepAt: null, heldMs, reason: text } },
        })
      : await transit(write, release, {
          ...{ ...shared, transition: 'unschedule', to: 'approved', action: 'release.schedule' },
          event: 'release.scheduled',
          columns: { scheduledAt: null, toleranceMs: 0, reason: text },
        });
  assert(!(done instanceof Problem), 'no other write comes in between');
}
