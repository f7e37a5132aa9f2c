import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { streamWakesMsMax, streamWakesUnderWayMax } from '../../../../src/delivery/limits.js';
import type { Stream } from '../../../../src/delivery/stream/stream.js';
import { WakeQueue } from '../../../../src/delivery/stream/wake-queue.js';

const streamsOf = (count: number) =>
  Array.from({ length: count }, () => ({ queuePlace: -1 }) as Stream);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a wake queue', () => {
  it('wakes so many a second, each once, in an order of its own', async () => {
    const woken: Stream[] = [];
    const queue = new WakeQueue(100, (stream) => {
      woken.push(stream);
      queue.finished(stream);
    });
    const streams = streamsOf(500);
    for (const stream of streams) queue.add(stream);
    for (const stream of streams) queue.add(stream);
    expect(queue.length).toBe(500);
    for (let second = 1; second <= 4; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(woken.length).toBeGreaterThanOrEqual(100 * second - 10);
      expect(woken.length).toBeLessThanOrEqual(100 * second + 10);
    }
    await vi.advanceTimersByTimeAsync(1_500);
    expect(new Set(woken).size).toBe(500);
    expect(woken.length).toBe(500);
    expect(woken.some((stream, at) => stream !== streams[at])).toBe(true);
    expect(streams.every(({ queuePlace }) => queuePlace === -1)).toBe(true);
  });

  it('wakes everybody in time, however many there are, unless told otherwise', async () => {
    let count = 0;
    const queue = new WakeQueue(null, (stream) => {
      count += 1;
      queue.finished(stream);
    });
    for (const stream of streamsOf(100_000)) queue.add(stream);
    await vi.advanceTimersByTimeAsync(streamWakesMsMax / 2);
    expect(count).toBeLessThan(60_000);
    await vi.advanceTimersByTimeAsync(streamWakesMsMax / 2 + 500);
    expect(count).toBe(100_000);
    expect(queue.length).toBe(0);
  });

  it('has a bounded number under way, and goes on when one of them is finished or ends', async () => {
    const underWay: Stream[] = [];
    const queue = new WakeQueue(0, (stream) => underWay.push(stream));
    for (const stream of streamsOf(250)) queue.add(stream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(underWay.length).toBe(streamWakesUnderWayMax);
    for (const stream of underWay.slice(0, 30)) queue.finished(stream);
    // Twice is once: an end follows what was finished.
    for (const stream of underWay.slice(0, 30)) queue.finished(stream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(underWay.length).toBe(streamWakesUnderWayMax + 30);
    for (let at = 30; at < underWay.length; at += 1) {
      queue.finished(underWay[at] as Stream);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(underWay.length).toBe(250);
  });

  it('forgets what is removed, wherever it stands', async () => {
    const woken = new Set<Stream>();
    const queue = new WakeQueue(0, (stream) => {
      woken.add(stream);
      queue.finished(stream);
    });
    const streams = streamsOf(100);
    for (const stream of streams) queue.add(stream);
    const removed = streams.filter((_stream, at) => at % 3 === 0 || at === 99);
    for (const stream of removed) queue.remove(stream);
    for (const stream of removed) queue.remove(stream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(woken.size).toBe(100 - removed.length);
    expect(removed.some((stream) => woken.has(stream))).toBe(false);
  });

  it('may have a stream added again while it is woken', async () => {
    let count = 0;
    const queue = new WakeQueue(0, (stream) => {
      count += 1;
      queue.finished(stream);
      if (count < 10) queue.add(stream);
    });
    queue.add(streamsOf(1)[0] as Stream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count).toBe(10);
  });
});
