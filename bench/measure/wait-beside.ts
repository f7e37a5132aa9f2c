/** How long others wait beside long work of the server. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Serve } from '../serve.js';

/** Requests one after the other without a pause would take two cores, which the work needs, too. */
const askEveryMs = 20;

/** The longest that one request of the admin API after the other waits until the work is done, milliseconds. */
export async function waitBeside(serve: Serve, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longestMs = 0;
  while (!isDone) {
    const began = performance.now();
    await serve.get('/admin/v1/me');
    longestMs = Math.max(longestMs, performance.now() - began);
    await pause(askEveryMs);
  }
  await done;
  return longestMs;
}
