/** When a message that could not be delivered is tried again: soon at first, then ever more rarely, over about a day. */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits after the first, second, ... attempt that failed: 11 attempts within 23 to 25 hours. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
  9 * hourMs,
];

/**
 * Attempts for which a message keeps the later ones of its webhook waiting. So a short failure changes no order,
 * and one message that a receiver cannot take does not hold up the others for a day.
 */
export const attemptsInOrder = 4;

/** A tenth at most: it spreads what failed together, and order does not suffer. */
const jitterMax = 0.1;

/**
 * Milliseconds until the next attempt; null: that was the last.
 * @param attempts how many there were, 1 or more
 * @param random from 0 to below 1
 */
export function retryDelayMs(
  attempts: number,
  random: number,
  delaysMs: readonly number[] = retryDelaysMs,
): number | null {
  const delay = delaysMs[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + jitterMax * random));
}
