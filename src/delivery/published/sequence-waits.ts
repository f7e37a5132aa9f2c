/** Lets a request wait until a sequence is served (X-Min-Sequence), for a bounded time. */
import type { PublishedIndex } from './published-index.js';

interface Waiting {
  readonly sequence: number;
  readonly resume: (sequence: number, later: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

export class SequenceWaits {
  readonly #index: PublishedIndex;
  readonly #waiting = new Set<Waiting>();

  constructor(index: PublishedIndex) {
    this.#index = index;
  }

  /**
   * Calls `resume` with the sequence that is served, and whether that is later than this call: at once, when it is
   * reached, or when the time is up.
   */
  wait(sequence: number, msMax: number, resume: (sequence: number, later: boolean) => void): void {
    if (this.#index.sequence >= sequence) {
      resume(this.#index.sequence, false);
      return;
    }
    const waiting: Waiting = {
      sequence,
      resume,
      timer: setTimeout(() => this.#resume(waiting), msMax),
    };
    this.#waiting.add(waiting);
  }

  /** To be called whenever another sequence is served. */
  advanced(): void {
    for (const waiting of this.#waiting) {
      if (this.#index.sequence >= waiting.sequence) this.#resume(waiting);
    }
  }

  #resume(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#waiting.delete(waiting);
    waiting.resume(this.#index.sequence, true);
  }
}
