/** How far environments are from each other: what a sync would do, remembered until something is published (D101). */
import { LRUCache } from 'lru-cache';
import { overviewSyncedMax } from '../../contract/limits.js';
import type { Drift } from '../../contract/operations/overview.js';
import { Problem } from '../../contract/problems.js';
import { driftKeptMax, driftMsMax } from '../limits/experiments.js';
import type { Store } from '../store/store.js';
import { toIso } from '../to-iso.js';
import { type PlannedCopy, planSync } from '../transfer/plan-sync.js';
import { isSyncConflict, liveHere } from '../transfer/sync-report.js';
import type { SyncDirection } from './sync-partners.js';

interface KnownDrift {
  /** Of the store when it was read: what is published moves it. */
  readonly sequence: number;
  readonly readAtMs: number;
  /** Null: a sync is not possible as things are. */
  readonly drift: Drift | null;
}

export class EnvironmentDrift {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, KnownDrift>({ max: driftKeptMax });
  readonly #reading = new Map<string, Promise<Drift | null>>();

  /** @param now milliseconds since the epoch */
  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Null: a sync is not possible as things are, such as between layers of one name with different salts. */
  async find({ from, to }: SyncDirection): Promise<Drift | null> {
    const key = `${from} ${to}`;
    const sequence = await this.#store.sequence();
    const known = this.#known.get(key);
    // Descriptions and tags change without a new sequence.
    if (known?.sequence === sequence && this.#now() - known.readAtMs < driftMsMax) {
      return known.drift;
    }
    const reading = this.#reading.get(key) ?? this.#read(key, { from, to }, sequence);
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(key: string, direction: SyncDirection, sequence: number): Promise<Drift | null> {
    try {
      const readAtMs = this.#now();
      const drift = await readDrift(this.#store, direction);
      this.#known.set(key, { sequence, readAtMs, drift });
      return drift;
    } finally {
      this.#reading.delete(key);
    }
  }
}

async function readDrift(store: Store, { from, to }: SyncDirection): Promise<Drift | null> {
  const plan = await store.readSnapshot((db) => planSync(db, { from, to }));
  if (plan instanceof Problem) return null;
  const { copies, onlyHere } = plan;
  const differing = copies.map((copy) => differingJson(copy, from));
  const conflicts = differing.filter(({ conflict }) => conflict);
  const listed = [...conflicts, ...differing.filter(({ conflict }) => !conflict)];
  return {
    ...{ from, to, changed: copies.length, conflicts: conflicts.length },
    onlyThere: onlyHere.length,
    contents: listed.slice(0, overviewSyncedMax),
  };
}

function differingJson(copy: PlannedCopy, from: string): Drift['contents'][number] {
  const live = liveHere(copy);
  return {
    ...{ id: copy.source.id, conflict: isSyncConflict(copy, from), author: live?.author ?? null },
    savedAt: toIso(live?.createdAtMs ?? null),
  };
}
