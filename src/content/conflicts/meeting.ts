/**
 * When two windows are open for one player at once. Pure.
 *
 * A player has one clock: two local windows are compared in wall time. A local window and one with a zone meet if they do for any
 * of the clocks in the world.
 */
import { occurrences, type Span, type Window } from '../mapping/window.js';
import { utcOffsetMax, utcOffsetMin } from '../utc-offset.js';

const msPerMinute = 60_000;

/** How much earlier, and how much later, than in UTC a local time comes for some player. */
export const aheadMs: number = utcOffsetMax * msPerMinute;
export const behindMs: number = -utcOffsetMin * msPerMinute;

/** Occurrences of one window in the longest range that is looked at: each begins on a day of its own. */
const spansMax = 1_000;

/** When a window is open within a range. */
export interface OpenSpans {
  readonly isLocal: boolean;
  /** Ascending. Milliseconds since the epoch; of a local window wall time read as UTC. */
  readonly spans: readonly Span[];
}

/** What is open all the time. */
export const alwaysOpen: OpenSpans = {
  isLocal: false,
  spans: [{ startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }],
};

/** Those that are open for some player in the world in [fromMs, untilMs), which is no longer than some 400 days. */
export function openSpans(window: Window, fromMs: number, untilMs: number): OpenSpans {
  const { isLocal } = window;
  const clock = { ...window, isLocal: false };
  const [firstMs, lastMs] = isLocal ? [fromMs - behindMs, untilMs + aheadMs] : [fromMs, untilMs];
  return { isLocal, spans: occurrences(clock, 0, firstMs, lastMs, spansMax) };
}

/** The instants from the first player in the world on whom a span begins to the last on whom it ends. */
export function worldwide({ startMs, endMs }: Span, isLocal: boolean): Span {
  return isLocal ? { startMs: startMs - aheadMs, endMs: endMs + behindMs } : { startMs, endMs };
}

/**
 * The first time in [fromMs, untilMs) at which some player can have both open, as instants; null: there is none.
 */
export function firstMeeting(
  a: OpenSpans,
  b: OpenSpans,
  fromMs: number,
  untilMs: number,
): Span | null {
  const areLocal = a.isLocal && b.isLocal;
  const [ofA, ofB] = areLocal ? [a.spans, b.spans] : [instantsOf(a), instantsOf(b)];
  for (let i = 0, k = 0; i < ofA.length && k < ofB.length; ) {
    const [one, other] = [ofA[i] as Span, ofB[k] as Span];
    const startMs = Math.max(one.startMs, other.startMs);
    const endMs = Math.min(one.endMs, other.endMs);
    if (startMs < endMs) {
      const met = worldwide({ startMs, endMs }, areLocal);
      if (met.startMs < untilMs && fromMs < met.endMs) return met;
    }
    if (one.endMs <= other.endMs) i++;
    else k++;
  }
  return null;
}

function instantsOf({ isLocal, spans }: OpenSpans): readonly Span[] {
  return isLocal ? spans.map((span) => worldwide(span, true)) : spans;
}
