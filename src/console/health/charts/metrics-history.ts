/** The last minutes of what was measured, with gaps where nothing could be. Pure: it is handed what is measured. */
import { type Point, pointBetween } from './metrics-point.js';
import type { Sample } from './metrics-sample.js';

/** Ten minutes at one point in two seconds. */
export const pointsMax = 300;
/** Longer than this between two looks, and nobody knows what was between them. */
const gapMsMin = 10_000;

/** A moment at which nothing is known breaks the lines of the charts. */
export interface Gap {
  readonly atMs: number;
  readonly isGap: true;
}

export type Moment = Point | Gap;

export interface History {
  readonly moments: readonly Moment[];
  /** What was seen last; null: nothing yet, or the server is away. */
  readonly latest: Sample | null;
  /** How often each listener was seen to start anew, by its slot. */
  readonly restarts: ReadonlyMap<number, number>;
  /** When each listener started, as it was seen last: also while the server is away. */
  readonly startedAt: ReadonlyMap<number, number>;
}

export const emptyHistory: History = {
  moments: [],
  latest: null,
  restarts: new Map(),
  startedAt: new Map(),
};

export function withSample(history: History, sample: Sample): History {
  const { latest } = history;
  const restarts = new Map(history.restarts);
  const startedAt = new Map(history.startedAt);
  for (const { slot, startedAtSeconds } of sample.listeners) {
    const before = startedAt.get(slot);
    if (before !== undefined && before !== startedAtSeconds) {
      restarts.set(slot, (restarts.get(slot) ?? 0) + 1);
    }
    startedAt.set(slot, startedAtSeconds);
  }
  const seen = { latest: sample, restarts, startedAt };
  if (latest === null) return { ...history, ...seen };
  const isLate = sample.atMs - latest.atMs > gapMsMin;
  const moment: Moment = isLate ? { atMs: sample.atMs, isGap: true } : pointBetween(latest, sample);
  return { ...seen, moments: [...history.moments, moment].slice(-pointsMax) };
}

/** The server could not be asked. */
export function withGap(history: History, atMs: number): History {
  const moments = [...history.moments, { atMs, isGap: true } as const].slice(-pointsMax);
  return { ...history, moments, latest: null };
}

export function isPoint(moment: Moment): moment is Point {
  return !('isGap' in moment);
}

export function latestPoint({ moments }: History): Point | null {
  const last = moments.at(-1);
  return last === undefined || !isPoint(last) ? null : last;
}
