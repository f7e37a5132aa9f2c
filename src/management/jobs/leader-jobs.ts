/**
 * Starts and stops the background work that one server does for all that share a store: retention and webhooks (D46). Which
 * server that is, others decide.
 */

/** What is done in the background. It serves who asks for it by hand whether it is started or not. */
export interface LeaderJob {
  /** From now on it works by itself; does nothing when it does so already. */
  start(): void;
  /** Soon, and not for ever: resolves when it does nothing by itself any more. */
  stop(): Promise<void>;
  /** For ever, with a moment for what is under way; resolves when it does nothing at all any more. */
  close(): Promise<void>;
}

export class LeaderJobs {
  readonly #chores: readonly LeaderJob[];
  /** Starts and stops take effect one after the other, in the order they were asked for. */
  #turn: Promise<void> = Promise.resolve();
  #doing = false;
  #closed = false;

  constructor(chores: readonly LeaderJob[]) {
    this.#chores = chores;
  }

  /** Whether this server does them, or is about to. */
  get doing(): boolean {
    return this.#doing;
  }

  /** Resolves when they are started. */
  start(): Promise<void> {
    if (this.#doing || this.#closed) return this.#turn;
    this.#doing = true;
    return this.#next(() => {
      for (const chore of this.#chores) chore.start();
    });
  }

  /**
   * Quick: what is under way ends after its present write, and messages under way are given up, to be sent again by
   * who does the chores next. Resolves when nothing is under way any more.
   */
  stop(): Promise<void> {
    if (!this.#doing) return this.#turn;
    this.#doing = false;
    return this.#next(() => Promise.all(this.#chores.map((chore) => chore.stop())));
  }

  /** For ever; messages under way get a moment. */
  close(): Promise<void> {
    if (this.#closed) return this.#turn;
    this.#closed = true;
    this.#doing = false;
    return this.#next(() => Promise.all(this.#chores.map((chore) => chore.close())));
  }

  #next(act: () => unknown): Promise<void> {
    // One that failed must not keep the next ones from their turn.
    this.#turn = this.#turn.catch(() => undefined).then(async () => void (await act()));
    return this.#turn;
  }
}
