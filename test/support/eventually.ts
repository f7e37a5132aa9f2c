/** Waits for something that no event announces (a process of somebody else, a clock): asks again and again, with an end. */
import { setTimeout as pause } from 'node:timers/promises';

/** The first truthy result of `ask`; throws, saying `what`, after `millisMax`. */
export async function eventually<T>(
  what: string,
  millisMax: number,
  ask: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + millisMax;
  for (;;) {
    const result = await ask();
    if (result !== null && result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`not within ${millisMax} ms: ${what}`);
    await pause(20);
  }
}
