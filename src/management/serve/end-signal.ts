/** When a running server ends, and how it goes: told, it says so to balancers, serves on for a while, then drains. */
import { setTimeout as pause } from 'node:timers/promises';

export interface EndOptions {
  /** How long it serves on, milliseconds; 0: it ends at once. */
  readonly delayMs: number;
  /** Has its health checks say that it is going to end. */
  readonly leave: () => void;
  /** Drains and ends everything. */
  readonly end: () => Promise<void>;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the server after SIGTERM or SIGINT. A second signal ends the delay; one after that ends the process, as the system does.
 * @returns the exit code, once everything has ended
 */
export async function endWhenSignalled({ delayMs, leave, end }: EndOptions): Promise<number> {
  await nextSignal();
  if (delayMs > 0) {
    const second = new AbortController();
    leave();
    await Promise.race([
      nextSignal(second.signal),
      pause(delayMs, undefined, { signal: second.signal }),
    ]);
    second.abort();
  }
  await end();
  return 0;
}

/** @param given no signal is awaited any more when it aborts */
function nextSignal(given?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const heard = (): void => {
      for (const signal of signals) process.off(signal, heard);
      resolve();
    };
    for (const signal of signals) process.on(signal, heard);
    given?.addEventListener('abort', heard, { once: true });
  });
}
