/** Keeps the index at the newest published sequence: one catch-up at a time, acknowledged when served. */

import { isPublishedDamage, PublishedDamaged } from '../../published/damage.js';
import type { PublishedIndex } from './published-index.js';

export interface FollowerEvents {
  /** The index has reached a sequence, or read everything again. */
  readonly applied: (sequence: number) => void;
  /** The file is not what was written. What is served stays, until the next `follow`. */
  readonly damaged: (error: unknown) => void;
}

export class Follower {
  readonly #index: PublishedIndex;
  readonly #events: FollowerEvents;
  #wanted = 0;
  #running: Promise<void> | null = null;
  #isReleased = false;

  constructor(index: PublishedIndex, events: FollowerEvents) {
    this.#index = index;
    this.#events = events;
  }

  /** published.db holds everything up to `sequence`. Rejects when it cannot be read, unless that is its damage. */
  async follow(sequence: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, sequence);
    this.#isReleased = false;
    if (this.#running !== null) return;
    this.#running = this.#catchUp();
    try {
      await this.#running;
    } catch (error) {
      if (!isPublishedDamage(error)) throw error;
      this.#events.damaged(error);
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when published.db is closed: another file takes its place, which the next `follow` reads. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#running?.catch(() => undefined);
    this.#index.release();
  }

  async #catchUp(): Promise<void> {
    do {
      const before = this.#index.sequence;
      await this.#index.catchUp();
      this.#events.applied(this.#index.sequence);
      // What was announced is committed: not seeing it means the file under us is not the one being written.
      if (this.#index.sequence === before && before < this.#wanted) {
        throw new PublishedDamaged(
          `published.db stays at ${before}, ${this.#wanted} was announced: it is another file.`,
        );
      }
    } while (this.#index.sequence < this.#wanted && !this.#isReleased);
  }
}
