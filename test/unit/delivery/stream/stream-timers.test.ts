import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../../src/delivery/clock.js';
import {
  streamBeatMsMax,
  streamBeatMsMin,
  streamEdgeDelayMs,
  streamEdgeJitterMs,
  streamTickMs,
} from '../../../../src/delivery/limits.js';
import type { Stream } from '../../../../src/delivery/stream/stream.js';
import { StreamTimers } from '../../../../src/delivery/stream/stream-timers.js';

const never = Number.POSITIVE_INFINITY;
const streamOf = (changesAtMs: number, renewAtMs: number) =>
  ({ changesAtMs, renewAtMs, edgeSlot: -1, beatSlot: -1 }) as Stream;

describe('the timers of a stream', () => {
  it('are due once, at an edge or when a token is to be renewed, whatever comes first', () => {
    const inMs = fc.oneof(fc.constant(never), fc.integer({ min: 10_000, max: 1e9 }));
    fc.assert(
      fc.property(inMs, inMs, (edgeInMs, renewInMs) => {
        const timers = new StreamTimers(new Clock());
        const now = Date.now();
        const stream = streamOf(now + edgeInMs, now + renewInMs);
        timers.awaitEdge(stream);
        const edgeMs = edgeInMs + streamEdgeDelayMs;
        const firstMs = Math.min(edgeMs, renewInMs);
        expect(timers.takeEdges(now + Math.min(firstMs, 2e9) - 2 * streamTickMs)).toEqual([]);
        const lastMs = Math.min(edgeMs + streamEdgeJitterMs, renewInMs) + 2 * streamTickMs;
        const due = timers.takeEdges(now + Math.min(lastMs, 2e9));
        expect(due).toEqual(firstMs === never ? [] : [stream]);
        expect(stream.edgeSlot).toBe(-1);
        expect(timers.takeEdges(now + 3e9)).toEqual([]);
      }),
    );
  });

  it('are set anew, and forgotten with the stream', () => {
    const timers = new StreamTimers(new Clock());
    const now = Date.now();
    const stream = streamOf(now + 10_000, never);
    timers.awaitEdge(stream);
    stream.changesAtMs = now + 50_000;
    timers.awaitEdge(stream);
    expect(timers.takeEdges(now + 40_000)).toEqual([]);
    expect(timers.takeEdges(now + 60_000)).toEqual([stream]);
    timers.awaitEdge(stream);
    timers.awaitBeat(stream);
    timers.forget(stream);
    expect(timers.takeEdges(now + 120_000)).toEqual([]);
    expect(timers.takeBeats(performance.now() + 120_000)).toEqual([]);
  });

  it('bring a comment within the promised time', () => {
    const timers = new StreamTimers(new Clock());
    const stream = streamOf(never, never);
    const now = performance.now();
    timers.awaitBeat(stream);
    expect(timers.takeBeats(now + streamBeatMsMin - 2 * streamTickMs)).toEqual([]);
    expect(timers.takeBeats(now + streamBeatMsMax + 3 * streamTickMs)).toEqual([stream]);
  });
});
