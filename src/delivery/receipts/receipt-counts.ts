/** What a delivery process knows of starts and receipts, until it has reported it to the control process. */
import type { CountedUser, ReceiptBatch } from '../../published/barrier.js';
import { countedUsersPendingMax } from '../limits.js';
import type { ReceiptEntry } from './receipt-tokens.js';

/** The sender of a report: keyed hashes of user and client network. */
export interface ReceiptUser {
  readonly environment: string;
  readonly userHash: string;
  readonly networkHash: string;
}

interface PendingBatch {
  readonly of: Omit<ReceiptBatch, 'users'>;
  /** By hash. */
  readonly users: Map<string, CountedUser>;
}

/** Hashes are compared by their first 32 bits. */
const allHashes = 2 ** 32;

export class ReceiptCounts {
  readonly #pendingMax: number;
  #batches = new Map<string, PendingBatch>();
  #users = 0;
  /** Users whose hash is not below it are left out until the next report, whatever their slice. */
  #below = allHashes;

  constructor(pendingMax: number = countedUsersPendingMax) {
    this.#pendingMax = pendingMax;
  }

  /**
   * A game starts and is given a configuration. A start before which the one before was neither confirmed nor reported as a
   * crash says that the one before has failed, in either slice alike: whether the player ended it or it crashed is not seen.
   * @param nowMs milliseconds since the epoch
   */
  started(user: ReceiptUser, entries: readonly ReceiptEntry[], nowMs: number): void {
    for (const entry of entries) {
      this.#update(user, entry, (known) => {
        if (known === undefined) return { startedAt: nowMs, ok: null };
        return known.startedAt !== null && known.ok === null ? { ...known, ok: false } : known;
      });
    }
  }

  /** @param ok true: the game has reached its menu; false: it has crashed. Only the first report of a step counts. */
  reported(user: ReceiptUser, entries: readonly ReceiptEntry[], ok: boolean): void {
    for (const entry of entries) {
      this.#update(user, entry, (known) => {
        if (known === undefined) return { startedAt: null, ok };
        return known.ok === null ? { ...known, ok } : known;
      });
    }
  }

  /** What was counted since this was asked last. */
  take(): readonly ReceiptBatch[] {
    const batches = [...this.#batches.values()];
    this.#batches = new Map();
    this.#users = 0;
    this.#below = allHashes;
    return batches.map(({ of, users }) => ({ ...of, users: [...users.values()] }));
  }

  #update(
    { environment, userHash, networkHash }: ReceiptUser,
    { release, run, step, slice }: ReceiptEntry,
    next: (known: CountedUser | undefined) => Pick<CountedUser, 'startedAt' | 'ok'>,
  ): void {
    if (prefixOf(userHash) >= this.#below) return;
    const key = JSON.stringify([environment, release, run, step]);
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      batch = { of: { environment, release, run, step }, users: new Map() };
      this.#batches.set(key, batch);
    }
    const known = batch.users.get(userHash);
    if (known === undefined) this.#users += 1;
    const user = { userHash, slice, network: networkHash };
    batch.users.set(userHash, { ...user, ...next(known) });
    while (this.#users > this.#pendingMax) this.#halve();
  }

  #halve(): void {
    this.#below = Math.floor(this.#below / 2);
    for (const { users } of this.#batches.values()) {
      for (const userHash of users.keys()) {
        if (prefixOf(userHash) < this.#below) continue;
        users.delete(userHash);
        this.#users -= 1;
      }
    }
  }
}

function prefixOf(userHash: string): number {
  return Number.parseInt(userHash.slice(0, 8), 16);
}
