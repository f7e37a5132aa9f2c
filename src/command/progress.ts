/** Says on a terminal that long work is still going on, and for how long. Silent when stderr is not a terminal. */

import { progressAfterMs } from './limits.js';

const eraseLine = '\r\u001b[K';

/** Waits for `work`; from the second second on, `what` and the seconds gone by stand on the last line of stderr. */
export async function showProgress<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    process.stderr.write(`${eraseLine}${what} … ${(ticks * progressAfterMs) / 1000} s`);
  }, progressAfterMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (ticks > 0) process.stderr.write(eraseLine);
  }
}

/** `1.4 MiB`, for progress lines and tables. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
