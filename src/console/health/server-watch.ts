/**
 * Samples the server's figures every two seconds, from the first visit of the Health screen on, and fetches what the server
 * keeps of the hour before. A hidden tab sends no requests; what it missed comes from the server later.
 */
import { useSyncExternalStore } from 'react';
import { historyStepMs } from '../../contract/limits.js';
import type { HistoryPoint } from '../../contract/operations/health/history.js';
import { saysStoreIsAway } from '../api/availability.js';
import { request, ServerAway } from '../api/call.js';
import { serverState, storeState } from '../api/server-state.js';
import {
  emptyHistory,
  type History,
  withGap,
  withKept,
  withSample,
} from './charts/metrics-history.js';

const pollEveryMs = 2_000;
/** A server that takes longer counts as away. */
const responseMsMax = 8_000;

export interface Watched {
  readonly history: History;
  /** Null: not known yet, or the server is away. */
  readonly isReady: boolean | null;
  /** The server rejects edits and still serves players. */
  readonly isStoreAway: boolean;
}

class ServerWatch {
  #watched: Watched = { history: emptyHistory, isReady: null, isStoreAway: false };
  #isStarted = false;
  #isPolling = false;
  /** When the server's own history was fetched last; performance.now(). */
  #keptAtMs = Number.NEGATIVE_INFINITY;
  readonly #subscribers = new Set<() => void>();

  get watched(): Watched {
    return this.#watched;
  }

  /** For `useSyncExternalStore`. The first subscriber starts the polling. */
  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber);
    if (!this.#isStarted) {
      this.#isStarted = true;
      setInterval(() => void this.#poll(), pollEveryMs);
      document.addEventListener('visibilitychange', () => void this.#poll());
      void this.#poll();
    }
    return () => this.#subscribers.delete(subscriber);
  };

  async #poll(): Promise<void> {
    if (document.hidden || this.#isPolling) return;
    this.#isPolling = true;
    try {
      // While the server is away, only serverState checks whether it is back.
      this.#watched = serverState.isAway ? this.#away() : await this.#sample();
    } catch {
      serverState.report(true);
      this.#watched = this.#away();
    } finally {
      this.#isPolling = false;
    }
    for (const subscriber of this.#subscribers) subscriber();
  }

  async #sample(): Promise<Watched> {
    const signal = AbortSignal.timeout(responseMsMax);
    const [history, ready] = await Promise.all([
      this.#sampledHistory(signal),
      fetch('/readyz', { signal, cache: 'no-store' }),
    ]);
    if (ready.status !== 200 && ready.status !== 503) throw new ServerAway(ready.status);
    const isStoreAway = saysStoreIsAway(await ready.json());
    storeState.report(isStoreAway);
    return { history, isReady: ready.status === 200, isStoreAway };
  }

  async #sampledHistory(signal: AbortSignal): Promise<History> {
    const history = withKept(this.#watched.history, await this.#newestKept(signal));
    try {
      const figures = await request('GET /metrics.json', {}, signal);
      return withSample(history, { ...figures, atMs: Date.now() });
    } catch (error) {
      if (error instanceof ServerAway || signal.aborted) throw error;
      // The server responds, but cannot measure itself.
      return withGap(history, Date.now());
    }
  }

  /** Points that the server has kept since they were fetched last. */
  async #newestKept(signal: AbortSignal): Promise<readonly HistoryPoint[]> {
    const nowMs = performance.now();
    if (nowMs - this.#keptAtMs < historyStepMs) return [];
    const last = this.#watched.history.kept.at(-1);
    const query = last === undefined ? {} : { after: last.at };
    try {
      const { points } = await request('GET /health/history', { query }, signal);
      this.#keptAtMs = nowMs;
      return points;
    } catch (error) {
      if (error instanceof ServerAway || signal.aborted) throw error;
      return [];
    }
  }

  #away(): Watched {
    const { history, isStoreAway } = this.#watched;
    return { history: withGap(history, Date.now()), isReady: null, isStoreAway };
  }
}

const serverWatch = new ServerWatch();

export function useServerWatch(): Watched {
  return useSyncExternalStore(serverWatch.subscribe, () => serverWatch.watched);
}
