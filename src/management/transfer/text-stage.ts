/** Stores the texts of an import ahead of its transaction, in small writes between which other editors come in. */
import { textBytesPerStage, textsPerStage } from '../limits.js';
import type { Store } from '../store/store.js';
import { putText } from '../store/texts.js';
import type { Actor } from '../store/write.js';

export class TextStage {
  readonly #store: Store;
  readonly #actor: Actor;
  readonly #held = new Set<string>();
  #waiting = new Map<string, Uint8Array>();
  #waitingBytes = 0;

  constructor(store: Store, actor: Actor) {
    this.#store = store;
    this.#actor = actor;
  }

  /** Digests of everything that was handed over. */
  get digests(): ReadonlySet<string> {
    return this.#held;
  }

  /** Housekeeping leaves the text alone from here to `release`. */
  async put(digest: string, bytes: Uint8Array): Promise<void> {
    if (this.#held.has(digest)) return;
    this.#held.add(digest);
    this.#store.staged.hold(digest);
    this.#waiting.set(digest, bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes >= textBytesPerStage || this.#waiting.size >= textsPerStage) {
      await this.flush();
    }
  }

  /** Stores what still waits. */
  async flush(): Promise<void> {
    const texts = this.#waiting;
    this.#waiting = new Map();
    this.#waitingBytes = 0;
    if (texts.size === 0) return;
    await this.#store.write(this.#actor, async (write) => {
      for (const [digest, bytes] of texts) await putText(write, digest, bytes);
    });
  }

  /** Call it when the import has ended, whichever way. What it has not used is housekeeping's. */
  release(): void {
    for (const digest of this.#held) this.#store.staged.release(digest);
    this.#held.clear();
  }
}
