/** Shows on a terminal how long work takes and how far it is. Silent when stderr is not a terminal. */

import { io } from './io.js';
import { progressAfterMs, progressEveryMs } from './limits.js';

const eraseLine = '\r\u001b[K';

/** Waits for `work`. After the first second, the last line of stderr shows `what` and the seconds so far. */
export async function showProgress<T>(what: string, work: Promise<T>): Promise<T> {
  if (!io().stderr.isTTY) return await work;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    io().stderr.write(`${eraseLine}${what} … ${(ticks * progressAfterMs) / 1000} s`);
  }, progressAfterMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (ticks > 0) io().stderr.write(eraseLine);
  }
}

/** `1.4 MiB`, for progress lines and tables. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** How far long work has come, on the last line of stderr, at most some times a second. */
export class Progress {
  readonly #what: string;
  readonly #startedMs = performance.now();
  #shownMs = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** @param far a share from 0 to 1, or a text */
  show(far: number | string): void {
    const nowMs = performance.now();
    if (!io().stderr.isTTY || nowMs - this.#startedMs < progressAfterMs) return;
    if (nowMs - this.#shownMs < progressEveryMs) return;
    this.#shownMs = nowMs;
    const text = typeof far === 'string' ? far : `${Math.floor(far * 100)} %`;
    io().stderr.write(`${eraseLine}${this.#what} … ${text}`);
  }

  end(): void {
    if (this.#shownMs > 0) io().stderr.write(eraseLine);
  }
}
