/** Stores the texts of an import ahead of its transaction, in small writes between which other editors come in (D38). */
import { textBytesPerStage, textsPerStage } from '../../limits/transfer.js';
import { holdTexts, releaseTexts } from '../../store/contents/staged-texts.js';
import { putTexts } from '../../store/contents/texts.js';
import { randomId } from '../../store/ids.js';
import type { Store } from '../../store/store.js';
import type { Actor } from '../../store/unit-of-work.js';

export class TextStage {
  readonly #store: Pick<Store, 'write'>;
  readonly #actor: Actor;
  readonly #holder = randomId('stage');
  readonly #digests = new Set<string>();
  #waiting = new Map<string, Uint8Array>();
  #waitingBytes = 0;
  #holds = false;

  constructor(store: Pick<Store, 'write'>, actor: Actor) {
    this.#store = store;
    this.#actor = actor;
  }

  /** Digests of everything that was handed over. */
  get digests(): ReadonlySet<string> {
    return this.#digests;
  }

  /**
   * Housekeeping leaves the text alone from when it is stored to `release`.
   * @throws StoreUnavailable
   */
  async put(digest: string, bytes: Uint8Array): Promise<void> {
    if (this.#digests.has(digest)) return;
    this.#digests.add(digest);
    this.#waiting.set(digest, bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes >= textBytesPerStage || this.#waiting.size >= textsPerStage) {
      await this.flush();
    }
  }

  /**
   * Stores what still waits.
   * @throws StoreUnavailable
   */
  async flush(): Promise<void> {
    const texts = this.#waiting;
    this.#waiting = new Map();
    this.#waitingBytes = 0;
    if (texts.size === 0) return;
    this.#holds = true;
    await this.#store.write(this.#actor, async (write) => {
      await holdTexts(write, this.#holder, texts.keys());
      await putTexts(write, texts);
    });
  }

  /**
   * Call it when the import has ended, whichever way. What it has not used is housekeeping's: after a while also when
   * the store is unavailable now, which must not hide how the import ended.
   */
  async release(): Promise<void> {
    if (!this.#holds) return;
    this.#holds = false;
    await this.#store
      .write(this.#actor, (write) => releaseTexts(write, this.#holder))
      .catch(() => undefined);
  }
}
