/** The clock of spans: parts of milliseconds, in order, and the machine's time. */
import { afterEach, expect, it, vi } from 'vitest';
import { SpanClock } from '../../../../src/management/tracing/span-clock.js';

afterEach(() => vi.restoreAllMocks());

it('is the time of the machine, and goes on within a millisecond', () => {
  const clock = new SpanClock();
  const times = Array.from({ length: 1_000 }, () => clock.now());
  expect(Math.abs((times.at(-1) ?? 0) - Date.now())).toBeLessThan(5);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(new Set(times.map((ms) => Math.trunc(ms))).size).toBeLessThan(new Set(times).size);
});

it('follows a clock that is set, and no clock that only rounds', () => {
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(100.9);
  const machine = vi.spyOn(Date, 'now').mockReturnValue(5_000);
  const clock = new SpanClock();
  expect(clock.now()).toBe(5_000);
  monotonic.mockReturnValue(101.1);
  machine.mockReturnValue(5_001);
  expect(clock.now()).toBeCloseTo(5_000.2, 6);
  machine.mockReturnValue(9_000);
  expect(clock.now()).toBe(9_000);
});
