/** Keeps the last value read from the store, for readers that prefer it to waiting or failing. */
import { StoreUnavailable } from './store-errors.js';

export class StaleCache<T> {
  readonly #ask: () => Promise<T>;
  readonly #msMax: number;
  #value: T;
  /** One read at a time, however many wait for it. */
  #asking: Promise<void> | null = null;

  /**
   * @param ask reads the store
   * @param first the value until the store responds for the first time
   * @param msMax how long a read may take, milliseconds
   */
  constructor(ask: () => Promise<T>, first: T, msMax: number) {
    this.#ask = ask;
    this.#value = first;
    this.#msMax = msMax;
  }

  get value(): T {
    return this.#value;
  }

  /** Reads; the last value if that takes too long. Errors other than StoreUnavailable are thrown. */
  async soon(): Promise<T> {
    this.#asking ??= this.#askNow();
    // It may reject after the last reader stopped waiting.
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
