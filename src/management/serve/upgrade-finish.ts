/**
 * Finishes an upgrade in the background, once no server of an older version is left (D64). Every server does so: the
 * leader may be the older one.
 */
import type { Logger } from 'pino';
import { listOlderNodes } from '../fleet/rows.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { nodeLiveMs, upgradeLookEveryMs } from '../limits.js';
import { schemaNewest } from '../store/migrate.js';
import { completeOlderWrites, isComplete, recordOlderWrites } from '../store/older-writes.js';
import type { Store } from '../store/store.js';

interface UpgradeFinishDeps {
  readonly store: Store;
  /** Resolves when the number is served. */
  readonly publish: (sequence: number) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export class UpgradeFinish {
  readonly #deps: UpgradeFinishDeps;
  readonly #rounds: PeriodicJob;
  /** Servers of older versions that were logged last, by name. */
  #older = '';
  /** Something may have been written by an older version since the last time. */
  #isDue = true;

  constructor(deps: UpgradeFinishDeps) {
    this.#deps = deps;
    this.#rounds = new PeriodicJob((signal) => this.#round(signal), {
      firstMs: 0,
      everyMs: upgradeLookEveryMs,
    });
  }

  start(): void {
    this.#rounds.start();
  }

  /** Resolves when what is under way has ended, after its present write. */
  close(): Promise<void> {
    return this.#rounds.stop();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { store, publish, log } = this.#deps;
    try {
      const { older, complete } = await store.read(async (db) => ({
        older: store.isShared ? await listOlderNodes(db, schemaNewest, nodeLiveMs) : [],
        complete: await isComplete(db),
      }));
      this.#logOlder(older, complete);
      // Their hashes are of the old rule: players that both serve would fetch everything over and over.
      if (older.length > 0 && !complete) {
        await recordOlderWrites(store);
        return;
      }
      if (!this.#isDue && older.length === 0) return;
      await completeOlderWrites({ store, publish, signal });
      if (signal.aborted) return;
      this.#isDue = older.length > 0;
      if (!complete)
        log.info(
          { event: 'upgrade_finished' },
          'the upgrade is finished: hashes cover mappings and segments',
        );
    } catch (error) {
      log.warn(
        { event: 'upgrade_finish_failed', err: error },
        'the upgrade could not be finished; it is tried again',
      );
    }
  }

  #logOlder(older: readonly string[], complete: boolean): void {
    const names = older.join(', ');
    if (names === this.#older) return;
    this.#older = names;
    if (names === '' || complete) return;
    this.#deps.log.info(
      { event: 'older_servers_present', nodes: older },
      'servers of an older version are there: what this version does otherwise begins when they are gone',
    );
  }
}
