/** How busy a process of the server is: its event loop and its CPU time, measured the same way on both sides. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is looked at. */
const timerMs = 2;
/** A whole window has 2,500 looks, of which the slowest 25 make the percentile. */
const windowMs = 5_000;

/** Windows, not a count since the last reading: a console and a Prometheus that both read do not disturb each other. */
export class ProcessLoad {
  readonly #delays = monitorEventLoopDelay({ resolution: timerMs });
  #lastWindow = 0;

  constructor() {
    this.#delays.enable();
    setInterval(() => {
      this.#lastWindow = this.#thisWindow();
      this.#delays.reset();
    }, windowMs).unref();
  }

  /** Delay of the event loop in the window that is open or the one before it, 99th percentile. */
  get loopDelayP99Seconds(): number {
    return Math.max(this.#lastWindow, this.#thisWindow());
  }

  /** Of all threads of the process since it started. */
  get cpuSeconds(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }

  /** Seconds since the epoch. */
  get startedAtSeconds(): number {
    return performance.timeOrigin / 1000;
  }

  #thisWindow(): number {
    if (this.#delays.count === 0) return 0;
    // What is measured is the timer's interval: the delay is what it was late.
    return Math.max(0, this.#delays.percentile(99) / 1e6 - timerMs) / 1000;
  }
}
