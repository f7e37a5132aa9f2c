/** Keeps the index at the newest published sequence: one catch-up at a time, acknowledged when served. */
import type { PublishedIndex } from './published-index.js';

export class Follower {
  readonly #index: PublishedIndex;
  readonly #applied: (sequence: number) => void;
  #wanted = 0;
  #running = false;

  /** @param applied called each time the index has reached another sequence */
  constructor(index: PublishedIndex, applied: (sequence: number) => void) {
    this.#index = index;
    this.#applied = applied;
  }

  /** published.db holds everything up to `sequence`. Rejects when it cannot be read. */
  async follow(sequence: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, sequence);
    if (this.#running) return;
    this.#running = true;
    try {
      do {
        const before = this.#index.sequence;
        await this.#index.catchUp();
        this.#applied(this.#index.sequence);
        // What was announced is committed: not seeing it means the file under us is not the one being written.
        const stuck = this.#index.sequence === before && before < this.#wanted;
        if (stuck)
          throw new Error(`published.db stays at ${before}, ${this.#wanted} was announced`);
      } while (this.#index.sequence < this.#wanted);
    } finally {
      this.#running = false;
    }
  }
}
