/** The clock of the device. */
import type { Clock } from './platform.js';

/** What `setTimeout` takes; beyond it, it would call at once. */
const timeoutMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  wallMs: () => Date.now(),

  setTimer(call, ms, background) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number) => {
      const stepMs = Math.min(leftMs, timeoutMsMax);
      timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : call()), stepMs);
      // In Node a timer keeps the program alive.
      if (background) (timer as { unref?(): void }).unref?.();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
