/**
 * Starts and stops the background work that one server does for all servers of a store: retention and webhooks (D46). The
 * fleet elects that server.
 */

/** Background work. Requests can use it whether it is started or not. */
export interface LeaderJob {
  /** Works by itself from now on; does nothing when it is started already. */
  start(): void;
  /** Ends quickly, and can be started again. Resolves when it does nothing by itself. */
  stop(): Promise<void>;
  /** Ends for good, with a moment for what is under way. Resolves when it does nothing at all. */
  close(): Promise<void>;
}

export class LeaderJobs {
  readonly #jobs: readonly LeaderJob[];
  /** Starts and stops take effect one after the other, in the order of the calls. */
  #turn: Promise<void> = Promise.resolve();
  #leads = false;
  #closed = false;

  constructor(jobs: readonly LeaderJob[]) {
    this.#jobs = jobs;
  }

  /** Whether this server does the work, or is about to. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Resolves when they are started. */
  start(): Promise<void> {
    if (this.#leads || this.#closed) return this.#turn;
    this.#leads = true;
    return this.#next(() => {
      for (const job of this.#jobs) job.start();
    });
  }

  /**
   * Quick: what is under way ends after its present write, and messages under way are abandoned. The next leader sends
   * them again. Resolves when nothing is under way.
   */
  stop(): Promise<void> {
    if (!this.#leads) return this.#turn;
    this.#leads = false;
    return this.#next(() => Promise.all(this.#jobs.map((job) => job.stop())));
  }

  /** Ends for good; messages under way get a moment. */
  close(): Promise<void> {
    if (this.#closed) return this.#turn;
    this.#closed = true;
    this.#leads = false;
    return this.#next(() => Promise.all(this.#jobs.map((job) => job.close())));
  }

  #next(act: () => unknown): Promise<void> {
    // A failure must not block the next start or stop.
    this.#turn = this.#turn.catch(() => undefined).then(async () => void (await act()));
    return this.#turn;
  }
}
