/** Lets other work of the process in while a long read or write goes on. */
import { setImmediate } from 'node:timers/promises';

/** Long enough to be worth the turn, short enough to go unnoticed. */
const turnMs = 20;

/**
 * SQLite responds synchronously, so a loop of awaited queries never comes back to the event loop by itself: without
 * this, a sync of 10,000 contents would block the supervisor for seconds.
 */
export class EventLoopYielder {
  #turnStartedMs = performance.now();

  /** Call it once per step of a loop. */
  async step(): Promise<void> {
    if (performance.now() - this.#turnStartedMs < turnMs) return;
    await setImmediate();
    this.#turnStartedMs = performance.now();
  }
}
