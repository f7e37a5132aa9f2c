/** Goal: a timer calls back once, at its time, however far away that is. Method: the timers of Node, faked. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../clients/typescript/src/system-clock.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('calls back after more milliseconds than setTimeout takes', () => {
  const call = vi.fn();
  const ms = 3 * 2 ** 31 + 5_000;
  systemClock.setTimer(call, ms);
  vi.advanceTimersByTime(ms - 1);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(ms);
  expect(call).toHaveBeenCalledTimes(1);
});

it('does not call back once it is cancelled, in whichever part of the way', () => {
  const call = vi.fn();
  const cancel = systemClock.setTimer(call, 2 ** 32);
  vi.advanceTimersByTime(2 ** 31 + 1);
  cancel();
  vi.advanceTimersByTime(2 ** 33);
  expect(call).not.toHaveBeenCalled();
});
