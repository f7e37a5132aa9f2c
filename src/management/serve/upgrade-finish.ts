/**
 * Finishes an upgrade in the background, once no server of an older version is left (D64). Every server does so: the
 * leader may be the older one.
 */
import type { Logger } from 'pino';
import { listOlderNodes } from '../fleet/rows.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { nodeLiveMs, upgradeLookEveryMs } from '../limits/fleet.js';
import { schemaNewest } from '../store/migrate.js';
import { completeOlderWrites, isComplete, recordOlderWrites } from '../store/older-writes.js';
import type { Store } from '../store/store.js';

interface UpgradeFinishDeps {
  readonly store: Store;
  /** Resolves when the number is served. */
  readonly publish: (sequence: number) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export function upgradeFinish({ store, publish, log }: UpgradeFinishDeps): PeriodicJob {
  /** Names of the servers of older versions that were logged last. */
  let logged = '';
  /** An older version may have written something since the last run. */
  let isDue = true;

  function logOlder(older: readonly string[], complete: boolean): void {
    const names = older.join(', ');
    if (names === logged) return;
    logged = names;
    if (names === '' || complete) return;
    log.info(
      { event: 'older_servers_present', nodes: older },
      'servers of an older version are there: what this version does otherwise begins when they are gone',
    );
  }

  const run = async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    const { older, complete } = await store.read(async (db) => ({
      older: store.isShared ? await listOlderNodes(db, schemaNewest, nodeLiveMs) : [],
      complete: await isComplete(db),
    }));
    logOlder(older, complete);
    // Their hashes follow the old rule: players who are served by both would fetch everything over and over.
    if (older.length > 0 && !complete) return recordOlderWrites(store);
    if (!isDue && older.length === 0) return;
    await completeOlderWrites({ store, publish, signal });
    if (signal.aborted) return;
    isDue = older.length > 0;
    if (!complete)
      log.info(
        { event: 'upgrade_finished' },
        'the upgrade is finished: hashes cover targeting rules and segments',
      );
  };
  return new PeriodicJob(run, {
    firstMs: 0,
    everyMs: upgradeLookEveryMs,
    log,
    event: 'upgrade_finish_failed',
    failed: 'the upgrade could not be finished; it is tried again',
  });
}
