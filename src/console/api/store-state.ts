/** Whether the server's store answers. Once it does not, the server is asked about it until it does. */
const askEveryMs = 1_500;

type Listener = () => void;

export class StoreState {
  readonly #askServer: () => Promise<boolean>;
  readonly #askEveryMs: number;
  #away = false;
  #isAsking = false;
  /** For the time to ask again. */
  #isWaiting = false;
  readonly #listeners = new Set<Listener>();
  readonly #returns = new Set<Listener>();

  /** @param askServer whether the server says that its store is away; fails when it says nothing */
  constructor(askServer: () => Promise<boolean>, everyMs: number = askEveryMs) {
    this.#askServer = askServer;
    this.#askEveryMs = everyMs;
  }

  get isAway(): boolean {
    return this.#away;
  }

  /** Something was refused for want of the store. A disk that is full for one edit is no store that is away: it is asked. */
  noteRefused(): void {
    void this.#ask();
  }

  /** What the server said without being asked from here. */
  tell(isAway: boolean): void {
    if (isAway === this.#away) return;
    this.#away = isAway;
    for (const listener of this.#listeners) listener();
    if (isAway) this.#askLater();
    else for (const listener of this.#returns) listener();
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onReturn(listener: Listener): void {
    this.#returns.add(listener);
  }

  #askLater(): void {
    if (this.#isWaiting || !this.#away) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      void this.#ask().then(() => this.#askLater());
    }, this.#askEveryMs);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.tell(await this.#askServer());
    } catch {
      // The server itself is away, which is for serverState to say.
    } finally {
      this.#isAsking = false;
    }
  }
}

/** From the body of `/readyz`, whose status is another matter. */
export function saysStoreIsAway(readiness: unknown): boolean {
  return (
    typeof readiness === 'object' &&
    readiness !== null &&
    'store' in readiness &&
    readiness.store === 'unavailable'
  );
}
