import { describe, expect, it } from 'vitest';
import {
  attemptsInOrder,
  retryDelayMs,
  retryDelaysMs,
} from '../../../../src/management/store/events/retry-schedule.js';

const hourMs = 3_600_000;

/** The waits of a message that never arrives. */
function schedule(random: number): number[] {
  const delays: number[] = [];
  for (let attempts = 1; attempts < 100; attempts++) {
    const delay = retryDelayMs(attempts, random);
    if (delay === null) break;
    delays.push(delay);
  }
  return delays;
}

describe('the retry schedule', () => {
  it('makes 11 attempts over about a day, ever more rarely', () => {
    for (const random of [0, 0.5, 0.999]) {
      const delays = schedule(random);
      expect(delays).toHaveLength(10);
      expect(delays).toEqual([...delays].sort((a, b) => a - b));
      const total = delays.reduce((sum, delay) => sum + delay, 0);
      expect(total).toBeGreaterThan(22 * hourMs);
      expect(total).toBeLessThan(25.1 * hourMs);
    }
  });

  it('spreads what failed together by a tenth at most', () => {
    retryDelaysMs.forEach((delay, index) => {
      expect(retryDelayMs(index + 1, 0)).toBe(delay);
      expect(retryDelayMs(index + 1, 0.999_999)).toBeGreaterThan(1.09 * delay);
      expect(retryDelayMs(index + 1, 0.999_999)).toBeLessThanOrEqual(1.1 * delay);
    });
  });

  it('holds up later messages for less than three minutes', () => {
    const held = schedule(0.999).slice(0, attemptsInOrder - 1);
    expect(held.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(180_000);
  });
});
