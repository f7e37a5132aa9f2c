/** Remembers the store's last answer, for those who would rather have that one than wait or fail. */
import { StoreUnavailable } from './store-faults.js';

export class StaleCache<T> {
  readonly #ask: () => Promise<T>;
  readonly #msMax: number;
  #value: T;
  /** One question at a time, however often somebody wants to know. */
  #asking: Promise<void> | null = null;

  /**
   * @param ask reads the store
   * @param first what is answered as long as the store never did
   * @param msMax how long an answer is waited for
   */
  constructor(ask: () => Promise<T>, first: T, msMax: number) {
    this.#ask = ask;
    this.#value = first;
    this.#msMax = msMax;
  }

  get value(): T {
    return this.#value;
  }

  /** Asks; the last answer when there is no new one soon. Throws only what is not the store's being away. */
  async soon(): Promise<T> {
    this.#asking ??= this.#askNow();
    // For when nobody waits for it any more.
    this.#asking.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#msMax);
    });
    try {
      await Promise.race([this.#asking, late]);
    } finally {
      clearTimeout(timer);
    }
    return this.#value;
  }

  async #askNow(): Promise<void> {
    try {
      this.#value = await this.#ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    } finally {
      this.#asking = null;
    }
  }
}
