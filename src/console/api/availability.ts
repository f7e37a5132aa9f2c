/** Whether the server, or its store, can be reached. Once it is away, it is polled until it is back. */
const pollMs = 1_500;

type Listener = () => void;

export class Availability {
  readonly #isAwayNow: () => Promise<boolean>;
  readonly #pollMs: number;
  #away = false;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #returns = new Set<Listener>();

  /** @param isAwayNow asks the server; rejects when it cannot say */
  constructor(isAwayNow: () => Promise<boolean>, everyMs: number = pollMs) {
    this.#isAwayNow = isAwayNow;
    this.#pollMs = everyMs;
  }

  get isAway(): boolean {
    return this.#away;
  }

  /** Reports what is known without asking. */
  report(isAway: boolean): void {
    if (isAway !== this.#away) {
      this.#away = isAway;
      for (const listener of this.#listeners) listener();
      if (!isAway) for (const listener of this.#returns) listener();
    }
    if (isAway) this.#timer ??= setTimeout(() => this.#poll(), this.#pollMs);
  }

  /** Asks at once, for instance after a request failed. */
  async check(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.report(await this.#isAwayNow());
    } catch {
      this.report(this.#away);
    } finally {
      this.#isAsking = false;
    }
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onReturn(listener: Listener): void {
    this.#returns.add(listener);
  }

  #poll(): void {
    this.#timer = undefined;
    if (this.#away) void this.check();
  }
}

/** From the body of `/readyz`, whatever its status. */
export function saysStoreIsAway(readiness: unknown): boolean {
  return (
    typeof readiness === 'object' &&
    readiness !== null &&
    'store' in readiness &&
    readiness.store === 'unavailable'
  );
}
