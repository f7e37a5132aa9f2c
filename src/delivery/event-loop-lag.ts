/** Tells how long the event loop has been in its present turn: the queue that a server of one thread has (D22). */
import { turnBehindMsMax } from './limits.js';

/** How often a turn's beginning is noted, milliseconds. */
const noteMs = 20;

/**
 * A turn serves the requests that had arrived when it began, up to some fifty thousand requests, before a timer runs again. So
 * the time since a timer ran last is what the callers of this turn have waited, and what those of the next one will.
 */
export class EventLoopLag {
  #turnedAtMs = performance.now();

  constructor() {
    const note = (): void => {
      this.#turnedAtMs = performance.now();
    };
    setInterval(note, noteMs).unref();
  }

  /** Whether the turn has taken so long that work which can be rejected should be. */
  isBehind(): boolean {
    return this.isBehindAt(performance.now());
  }

  /** The same at a moment that is known already; performance.now(). */
  isBehindAt(nowMs: number): boolean {
    return nowMs - this.#turnedAtMs > turnBehindMsMax;
  }
}
