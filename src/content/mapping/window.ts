/**
 * When a rule is open. Pure: the window, the offset of the user's clock and the time decide.
 *
 * A local window is written in wall time and opens for each user when their own clock shows it. Its times are kept as if the
 * clock showed UTC, so that the same arithmetic serves all windows: only the time asked about is shifted by the offset.
 */

import type { EvaluationContext } from '../evaluation-context.js';
import { utcOffsetMax, utcOffsetMin } from '../utc-offset.js';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Times in [startMs, endMs). */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Within a window, when the rule is open in each week, or in each second, third… week. */
export interface Repeat {
  /** The days on which an occurrence starts, Monday first. */
  readonly days: readonly Weekday[];
  /** HH:MM, the times of day at which an occurrence starts and ends. */
  readonly from: string;
  readonly until: string;
  /** The end is so many days after the day of the start, 0 to 6. */
  readonly plusDays: number;
  /** 1: each week. */
  readonly everyWeeks: number;
  /** 00:00 on the Monday of a week with occurrences, on the window's clock: an instant, or wall time read as UTC. */
  readonly mondayMs: number;
  /** `everyWeeks` in milliseconds. */
  readonly periodMs: number;
  /**
   * The union of the occurrences of one period, milliseconds from its Monday: ascending, apart from each other. The last may
   * end in the next period. A single infinite span where no moment is left out.
   */
  readonly spans: readonly Span[];
}

/** A rule is open in [fromMs, untilMs), and there, with `repeat`, during its occurrences. */
export interface Window {
  /** Milliseconds since the epoch, of a local window its wall time read as UTC; infinite where nothing was said. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The times are those of the user's own clock. */
  readonly isLocal: boolean;
  readonly repeat: Repeat | null;
}

const msPerMinute = 60_000;

/** Offsets in use are whole quarters of an hour. */
const offsetStepMinutes = 15;

/** @param nowMs milliseconds since the epoch */
export function isOpen(window: Window, caller: EvaluationContext, nowMs: number): boolean {
  if (!window.isLocal) return isOpenAt(window, nowMs);
  // Far from its ends a window is the same for all: only a caller whose offset decides is asked for it.
  if (isBeforeEverywhere(window.fromMs, nowMs) || isAfterEverywhere(window.untilMs, nowMs)) {
    return false;
  }
  const isOpenEverywhere =
    window.repeat === null &&
    isAfterEverywhere(window.fromMs, nowMs) &&
    isBeforeEverywhere(window.untilMs, nowMs);
  return isOpenEverywhere || isOpenAt(window, nowMs + caller.utcOffset * msPerMinute);
}

/** Whether it is open for some clock whose offset is a whole quarter of an hour. */
export function isOpenAnywhere(window: Window, nowMs: number): boolean {
  if (!window.isLocal) return isOpenAt(window, nowMs);
  for (let offset = utcOffsetMin; offset <= utcOffsetMax; offset += offsetStepMinutes) {
    if (isOpenAt(window, nowMs + offset * msPerMinute)) return true;
  }
  return false;
}

/**
 * From where the window begins first to where it ends last, instants: of a local window up to 26 hours more than it lasts
 * for each user. Its repeat is left out.
 */
export function spreadOf({ fromMs, untilMs, isLocal }: Window): Span {
  if (!isLocal) return { startMs: fromMs, endMs: untilMs };
  return {
    startMs: fromMs - utcOffsetMax * msPerMinute,
    endMs: untilMs - utcOffsetMin * msPerMinute,
  };
}

/** No clock shows the wall time yet. */
function isBeforeEverywhere(wallMs: number, nowMs: number): boolean {
  return nowMs + utcOffsetMax * msPerMinute < wallMs;
}

/** Every clock shows the wall time, or a later one. */
function isAfterEverywhere(wallMs: number, nowMs: number): boolean {
  return wallMs <= nowMs + utcOffsetMin * msPerMinute;
}

/** @param atMs on the window's clock */
function isOpenAt({ fromMs, untilMs, repeat }: Window, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs && (repeat === null || isInOccurrence(repeat, atMs));
}

function isInOccurrence({ mondayMs, periodMs, spans }: Repeat, atMs: number): boolean {
  const intoMs = atMs - periodStartMs(mondayMs, periodMs, atMs);
  for (let i = 0; i < spans.length; i++) {
    const { startMs, endMs } = spans[i] as Span;
    if ((startMs <= intoMs && intoMs < endMs) || intoMs + periodMs < endMs) return true;
  }
  return false;
}

/** `nextEdgeMs` for the clock of the caller. */
export function nextEdgeForMs(window: Window, caller: EvaluationContext, nowMs: number): number {
  if (!window.isLocal) return nextEdgeMs(window, 0, nowMs);
  if (isAfterEverywhere(window.untilMs, nowMs)) return Number.POSITIVE_INFINITY;
  return nextEdgeMs(window, caller.utcOffset, nowMs);
}

/**
 * The first instant after `nowMs` at which the window opens or closes for a clock that stays `offsetMinutes` ahead of UTC;
 * Infinity when it never does. All in milliseconds since the epoch.
 */
export function nextEdgeMs(window: Window, offsetMinutes: number, nowMs: number): number {
  const shiftMs = shiftOf(window, offsetMinutes);
  return nextEdgeAt(window, nowMs + shiftMs) - shiftMs;
}

/** @param atMs on the window's clock, as is what it returns */
function nextEdgeAt(window: Window, atMs: number): number {
  if (window.repeat === null) {
    if (atMs < window.fromMs) return window.fromMs;
    return atMs < window.untilMs ? window.untilMs : Number.POSITIVE_INFINITY;
  }
  const span = spanFrom(window, atMs);
  if (span === null) return Number.POSITIVE_INFINITY;
  return atMs < span.startMs ? span.startMs : span.endMs;
}

/**
 * The first instant after `nowMs` at which the window opens or closes for some clock whose offset is a whole quarter of an
 * hour: an edge of a local window passes around the world in 105 such steps, within 26 hours. A clock with another
 * offset has its edge less than a quarter before a step.
 */
export function nextEdgeAnywhereMs(window: Window, nowMs: number): number {
  if (!window.isLocal) return nextEdgeMs(window, 0, nowMs);
  let first = Number.POSITIVE_INFINITY;
  for (let offset = utcOffsetMin; offset <= utcOffsetMax; offset += offsetStepMinutes) {
    first = Math.min(first, nextEdgeMs(window, offset, nowMs));
  }
  return first;
}

/**
 * When the window is open for a clock that is `offsetMinutes` ahead of UTC: instants, ascending, apart from each other
 * (occurrences that meet are one). Cut to the window, not to the range: the first may start before it, and ends of a window that
 * has none are infinite.
 * @param fromMs what overlaps [fromMs, untilMs) is listed, milliseconds since the epoch
 * @param max how many are listed at most
 */
export function occurrences(
  window: Window,
  offsetMinutes: number,
  fromMs: number,
  untilMs: number,
  max: number,
): Span[] {
  const shiftMs = shiftOf(window, offsetMinutes);
  const found: Span[] = [];
  let span = spanFrom(window, fromMs + shiftMs);
  while (span !== null && span.startMs < untilMs + shiftMs && found.length < max) {
    found.push({ startMs: span.startMs - shiftMs, endMs: span.endMs - shiftMs });
    span = spanFrom(window, span.endMs);
  }
  return found;
}

/** What takes an instant to the window's clock. */
function shiftOf({ isLocal }: Window, offsetMinutes: number): number {
  return isLocal ? offsetMinutes * msPerMinute : 0;
}

/** The open span that holds `atMs` (on the window's clock), or the next one after it. */
function spanFrom({ fromMs, untilMs, repeat }: Window, atMs: number): Span | null {
  const earliestMs = Math.max(atMs, fromMs);
  if (earliestMs >= untilMs) return null;
  if (repeat === null) return { startMs: fromMs, endMs: untilMs };
  const { startMs, endMs } = occurrenceFrom(repeat, earliestMs);
  if (startMs >= untilMs) return null;
  return { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, untilMs) };
}

function occurrenceFrom({ mondayMs, periodMs, spans }: Repeat, atMs: number): Span {
  const baseMs = periodStartMs(mondayMs, periodMs, atMs);
  // From the last span of the period before, which may end in this one, to the first of the period after.
  for (let startMs = baseMs - periodMs; ; startMs += periodMs) {
    for (const span of spans) {
      if (atMs < startMs + span.endMs) {
        return { startMs: startMs + span.startMs, endMs: startMs + span.endMs };
      }
    }
  }
}

function periodStartMs(mondayMs: number, periodMs: number, atMs: number): number {
  return mondayMs + Math.floor((atMs - mondayMs) / periodMs) * periodMs;
}
