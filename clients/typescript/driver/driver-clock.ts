/** A clock that stands still but for `advance` and `setWall`. */
import type { Clock } from '../src/platform.js';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly call: () => void;
}

export class DriverClock implements Clock {
  #elapsedMs = 0;
  #wallBeginMs: number;
  #timers: Timer[] = [];
  #order = 0;

  constructor(wallMs: number) {
    this.#wallBeginMs = wallMs;
  }

  wallMs(): number {
    return this.#wallBeginMs + this.#elapsedMs;
  }

  moveWall(ms: number): void {
    this.#wallBeginMs += ms;
  }

  setTimer(call: () => void, ms: number): () => void {
    this.#order += 1;
    const timer = { dueMs: this.#elapsedMs + Math.max(ms, 0), order: this.#order, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Timer by timer; `settled` is awaited before the first one, after each, and at the end. */
  async advance(ms: number, settled: () => Promise<void>): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    for (;;) {
      await settled();
      const [next] = this.#timers
        .filter(({ dueMs }) => dueMs <= endMs)
        .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#elapsedMs = next.dueMs;
      next.call();
    }
    this.#elapsedMs = endMs;
    await settled();
  }
}
