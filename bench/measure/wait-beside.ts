/** How long others wait beside long work of the server. */
import type { Serve } from '../serve.js';

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
  }
  await done;
  return longestMs;
}
