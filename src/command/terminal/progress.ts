/** Says on a terminal that long work is still going on, and for how long. Silent when stderr is not a terminal. */

import { io } from './io.js';
import { progressAfterMs, progressEveryMs } from './limits.js';

const eraseLine = '\r\u001b[K';

/** Waits for `work`; from the second second on, `what` and the seconds gone by stand on the last line of stderr. */
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

/** How far work is whose size is known: a share on the last line of stderr, at most some times a second. */
export class ByteProgress {
  readonly #what: string;
  readonly #startedMs = performance.now();
  #shownMs = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** @param share from 0 to 1 */
  show(share: number): void {
    const nowMs = performance.now();
    if (!io().stderr.isTTY || nowMs - this.#startedMs < progressAfterMs) return;
    if (nowMs - this.#shownMs < progressEveryMs) return;
    this.#shownMs = nowMs;
    io().stderr.write(`${eraseLine}${this.#what} … ${Math.floor(share * 100)} %`);
  }

  end(): void {
    if (this.#shownMs > 0) io().stderr.write(eraseLine);
  }
}

/** How far work is whose size is not known: contents and bytes so far, on the last line of stderr. */
export class CountProgress {
  readonly #what: string;
  readonly #startedMs = performance.now();
  #shownMs = 0;

  constructor(what: string) {
    this.#what = what;
  }

  show(contents: number, bytes: number): void {
    const nowMs = performance.now();
    if (!io().stderr.isTTY || nowMs - this.#startedMs < progressAfterMs) return;
    if (nowMs - this.#shownMs < progressEveryMs) return;
    this.#shownMs = nowMs;
    io().stderr.write(`${eraseLine}${this.#what} … ${contents} contents, ${formatBytes(bytes)}`);
  }

  end(): void {
    if (this.#shownMs > 0) io().stderr.write(eraseLine);
  }
}
