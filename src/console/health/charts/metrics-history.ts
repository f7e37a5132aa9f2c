/** The last minutes of the figures, with gaps where there are none. Pure: its caller supplies samples and times. */
import { type Point, pointBetween, type Sample } from './metrics-point.js';

/** Ten minutes at one point in two seconds. */
export const pointsMax = 300;
/** Longer than this between two samples, the charts show a gap. */
const gapMsMin = 10_000;

/** A moment without figures breaks the lines of the charts. */
export interface Gap {
  readonly atMs: number;
  readonly isGap: true;
}

export type Moment = Point | Gap;

export interface History {
  readonly moments: readonly Moment[];
  /** The newest sample; null: none yet, or the server is away. */
  readonly latest: Sample | null;
  /** Restarts seen of each delivery process, by slot. */
  readonly restarts: ReadonlyMap<number, number>;
  /** When each delivery process last started, by slot: also while the server is away. */
  readonly startedAt: ReadonlyMap<number, string>;
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
  const started = new Map(history.startedAt);
  for (const { slot, startedAt } of sample.deliveryProcesses) {
    if ((started.get(slot) ?? startedAt) !== startedAt) {
      restarts.set(slot, (restarts.get(slot) ?? 0) + 1);
    }
    started.set(slot, startedAt);
  }
  const seen = { latest: sample, restarts, startedAt: started };
  if (latest === null) return { ...history, ...seen };
  const isLate = sample.atMs - latest.atMs > gapMsMin;
  const moment: Moment = isLate ? { atMs: sample.atMs, isGap: true } : pointBetween(latest, sample);
  return { ...seen, moments: [...history.moments, moment].slice(-pointsMax) };
}

/** The server gave no figures. */
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

/** A page that was just opened shows this many seconds, most of them empty. */
const spanSecondsMin = 60;

/**
 * From when to when a chart goes, in seconds since the epoch.
 * @param nowSeconds its end if there are no times
 */
export function timeRange(
  times: readonly number[],
  nowSeconds: number,
): readonly [from: number, to: number] {
  const last = times.at(-1) ?? nowSeconds;
  return [Math.min(times[0] ?? last, last - spanSecondsMin), last];
}
