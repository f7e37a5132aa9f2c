/**
 * Looks at /metrics and /readyz every two seconds, from the first visit of the health screen on: whoever goes to
 * another screen and comes back finds the minutes between. A tab that nobody sees asks nothing.
 */
import { saysStoreIsAway } from '../api/availability.js';
import { serverState, storeState } from '../api/server-state.js';
import { emptyHistory, type History, withGap, withSample } from './charts/metrics-history.js';
import { sampleOf } from './charts/metrics-sample.js';

const lookEveryMs = 2_000;
/** A server that takes longer is as good as away. */
const answerMsMax = 8_000;

export interface Watched {
  readonly history: History;
  /** Null: not known yet, or the server is away. */
  readonly isReady: boolean | null;
  /** Then edits are refused, and players are served all the same. */
  readonly isStoreAway: boolean;
}

type Listener = () => void;

class ServerWatch {
  #watched: Watched = { history: emptyHistory, isReady: null, isStoreAway: false };
  #isStarted = false;
  #isLooking = false;
  readonly #listeners = new Set<Listener>();

  get watched(): Watched {
    return this.#watched;
  }

  /** For `useSyncExternalStore`. The first one starts it. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#isStarted) {
      this.#isStarted = true;
      setInterval(() => void this.#look(), lookEveryMs);
      document.addEventListener('visibilitychange', () => void this.#look());
      void this.#look();
    }
    return () => this.#listeners.delete(listener);
  };

  async #look(): Promise<void> {
    if (document.hidden || this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#note(await this.#ask());
    } finally {
      this.#isLooking = false;
    }
  }

  async #ask(): Promise<Watched> {
    const { history } = this.#watched;
    // Whether it is back is asked by serverState, and only there.
    if (serverState.isAway) return this.#unknown();
    try {
      const signal = AbortSignal.timeout(answerMsMax);
      const [metrics, ready] = await Promise.all([
        fetch('/metrics', { signal, cache: 'no-store' }),
        fetch('/readyz', { signal, cache: 'no-store' }),
      ]);
      if (ready.status !== 200 && ready.status !== 503) throw new Error('no server');
      const isStoreAway = saysStoreIsAway(await ready.json());
      storeState.report(isStoreAway);
      const isReady = ready.status === 200;
      return { history: await measured(history, metrics), isReady, isStoreAway };
    } catch {
      serverState.report(true);
      return this.#unknown();
    }
  }

  #unknown(): Watched {
    const { history, isStoreAway } = this.#watched;
    return { history: withGap(history, Date.now()), isReady: null, isStoreAway };
  }

  #note(watched: Watched): void {
    this.#watched = watched;
    for (const listener of this.#listeners) listener();
  }
}

/** A server that is there may still not be able to measure itself. */
async function measured(history: History, metrics: Response): Promise<History> {
  if (!metrics.ok) return withGap(history, Date.now());
  return withSample(history, sampleOf(await metrics.text(), Date.now()));
}

export const serverWatch = new ServerWatch();
