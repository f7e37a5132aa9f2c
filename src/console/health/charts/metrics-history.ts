/**
 * What the charts show: the hour that the server keeps, and the seconds that this page has watched; with gaps where there are no
 * figures. Pure: its caller supplies samples and times.
 */
import { pointBetween, type Sample } from '../../../contract/health/history-point.js';
import { historyPointsMax, historyStepMs } from '../../../contract/limits.js';
import type { HistoryPoint } from '../../../contract/operations/health/history.js';

/** Ten minutes at one point in two seconds. */
export const pointsMax = 300;
/** Longer than this between two samples of this page, or two points of the server, the charts show a gap. */
const gapMsMin = 10_000;
const keptGapMsMin: number = 3 * historyStepMs;

/** How much the charts show, seconds. */
export const spans = { '10 min': 600, '1 h': 3_600 } as const;
export type Span = keyof typeof spans;

export type Point = HistoryPoint & { readonly atMs: number };

/** A moment without figures breaks the lines of the charts. */
export interface Gap {
  readonly atMs: number;
  readonly isGap: true;
}

export type Moment = Point | Gap;

export interface History {
  /** What this page has watched. */
  readonly moments: readonly Moment[];
  /** What the server keeps, oldest first. */
  readonly kept: readonly Point[];
  /** The newest sample; null: none yet, or the server is away. */
  readonly latest: Sample | null;
  /** Restarts seen of each delivery process, by slot. */
  readonly restarts: ReadonlyMap<number, number>;
  /** When each delivery process last started, by slot: also while the server is away. */
  readonly startedAt: ReadonlyMap<number, string>;
}

export const emptyHistory: History = {
  moments: [],
  kept: [],
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
  const { atMs } = sample;
  const isLate = atMs - latest.atMs > gapMsMin;
  const moment: Moment = isLate ? gapAt(atMs) : { ...pointBetween(latest, sample), atMs };
  return { ...history, ...seen, moments: [...history.moments, moment].slice(-pointsMax) };
}

/** The server gave no figures. */
export function withGap(history: History, atMs: number): History {
  const moments = [...history.moments, gapAt(atMs)].slice(-pointsMax);
  return { ...history, moments, latest: null };
}

/** @param points of the server; those that are known already are left out */
export function withKept(history: History, points: readonly HistoryPoint[]): History {
  const lastMs = history.kept.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
  const newer = points
    .map((point) => ({ ...point, atMs: Date.parse(point.at) }))
    .filter(({ atMs }) => atMs > lastMs);
  if (newer.length === 0) return history;
  return { ...history, kept: [...history.kept, ...newer].slice(-historyPointsMax) };
}

/**
 * What the charts show: of the last ten minutes what this page has watched, and before that what the server kept; of an
 * hour what it kept.
 */
export function momentsIn({ kept, moments }: History, span: Span, nowMs: number): Moment[] {
  const fromMs = nowMs - spans[span] * 1_000;
  const ownFromMs = moments[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const isOfServer = span === '1 h' && kept.length > 0;
  const shown: readonly Moment[] = isOfServer
    ? kept
    : [...kept.filter(({ atMs }) => atMs < ownFromMs), ...moments];
  return withGaps(shown.filter(({ atMs }) => atMs >= fromMs));
}

function withGaps(moments: readonly Moment[]): Moment[] {
  return moments.flatMap((moment, at) => {
    const before = moments[at - 1];
    const isApart = before !== undefined && moment.atMs - before.atMs > keptGapMsMin;
    return isApart ? [gapAt(before.atMs + 1), moment] : [moment];
  });
}

function gapAt(atMs: number): Gap {
  return { atMs, isGap: true };
}

export function isPoint(moment: Moment): moment is Point {
  return !('isGap' in moment);
}

/** The newest, if it is no gap. */
export function latestPoint({ moments }: Pick<History, 'moments'>): Point | null {
  const last = moments.at(-1);
  return last === undefined || !isPoint(last) ? null : last;
}

/**
 * From when to when a chart goes, in seconds since the epoch: all of the span, also where nothing is known of its beginning.
 * @param nowSeconds its end if there are no times
 */
export function timeRange(
  span: Span,
  times: readonly number[],
  nowSeconds: number,
): readonly [from: number, to: number] {
  const last = times.at(-1) ?? nowSeconds;
  return [last - spans[span], last];
}
