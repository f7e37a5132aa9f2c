/** When each stream is due: for a comment, so that a dead connection shows, and for what the clock changes. */
import type { Clock } from '../clock.js';
import {
  streamBeatMsMax,
  streamBeatMsMin,
  streamEdgeDelayMs,
  streamEdgeJitterMs,
  streamRetryMsMax,
  streamRetryMsMin,
  streamTickMs,
} from '../limits.js';
import type { Stream } from './stream.js';
import { TimerWheel } from './timer-wheel.js';

export class StreamTimers {
  /** By performance.now(). */
  readonly #beats = new TimerWheel<Stream>(streamTickMs, performance.now());
  /** By the time of day. */
  readonly #edges: TimerWheel<Stream>;

  constructor(clock: Clock) {
    this.#edges = new TimerWheel(streamTickMs, clock.wallMs(performance.now()));
  }

  /** The next comment. */
  awaitBeat(stream: Stream): void {
    this.#beatIn(stream, between(streamBeatMsMin, streamBeatMsMax));
  }

  /** The next comment, with which what could not be made is tried again. */
  awaitRetry(stream: Stream): void {
    this.#beatIn(stream, between(streamRetryMsMin, streamRetryMsMax));
  }

  /** The next instant at which the clock alone changes an answer, or at which a token is to be renewed. */
  awaitEdge(stream: Stream): void {
    if (stream.edgeSlot >= 0) this.#edges.remove(stream, stream.edgeSlot);
    const delayMs = streamEdgeDelayMs + between(0, streamEdgeJitterMs);
    const dueMs = Math.min(stream.changesAtMs + delayMs, stream.renewAtMs);
    stream.edgeSlot = dueMs === Number.POSITIVE_INFINITY ? -1 : this.#edges.add(stream, dueMs);
  }

  /** @param nowMs performance.now() */
  takeBeats(nowMs: number): readonly Stream[] {
    const due = this.#beats.take(nowMs);
    for (const stream of due) stream.beatSlot = -1;
    return due;
  }

  /** @param wallMs milliseconds since the epoch */
  takeEdges(wallMs: number): readonly Stream[] {
    const due = this.#edges.take(wallMs);
    for (const stream of due) stream.edgeSlot = -1;
    return due;
  }

  forget(stream: Stream): void {
    if (stream.beatSlot >= 0) this.#beats.remove(stream, stream.beatSlot);
    if (stream.edgeSlot >= 0) this.#edges.remove(stream, stream.edgeSlot);
  }

  #beatIn(stream: Stream, ms: number): void {
    if (stream.beatSlot >= 0) this.#beats.remove(stream, stream.beatSlot);
    stream.beatSlot = this.#beats.add(stream, performance.now() + ms);
  }
}

/** A random number of that range. */
export function between(min: number, max: number): number {
  return min + Math.random() * (max - min);
}
