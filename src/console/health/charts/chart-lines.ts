/** Which charts there are, and which lines each draws of the history. */

import {
  bytesWords,
  countWords,
  durationWords,
  type NumberWords,
  percentWords,
  plainWords,
  rateWords,
} from '../number-words.js';
import { isPoint, type Moment } from './metrics-history.js';
import type { Point } from './metrics-point.js';

/** Mantine's names; which shade depends on light or dark. */
export type LineColor = 'blue' | 'teal' | 'orange' | 'red' | 'grape' | 'gray';

export interface ChartLine {
  readonly label: string;
  readonly color: LineColor;
  /** Lengths of strokes and gaps: colour is not the only sign. [] is a full line. */
  readonly dash: readonly number[];
  /** One for each moment; null breaks the line. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly title: string;
  /** What it means, in a few words. */
  readonly hint: string;
  readonly words: NumberWords;
  /** The top of the scale is at least this. */
  readonly topMin: number;
  /** The top is this, whatever the values. */
  readonly top?: number;
  /** It counts things: there is nothing between 1 and 2. */
  readonly isWhole?: boolean;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
}

const styles: readonly Pick<ChartLine, 'color' | 'dash'>[] = [
  { color: 'blue', dash: [] },
  { color: 'orange', dash: [7, 4] },
  { color: 'teal', dash: [2, 3] },
  { color: 'grape', dash: [10, 3, 2, 3] },
  { color: 'red', dash: [4, 4] },
  { color: 'gray', dash: [1, 4] },
];

type Read = (point: Point) => number | null;
type Wish = readonly [label: string, read: Read];

export type RequestsBy = 'endpoint' | 'status';

const endpoints = ['dynamic', 'content', 'combine', 'catalog', 'other'] as const;
const statuses = ['2xx', '3xx', '4xx', '5xx'] as const;

export function chartsOf(moments: readonly Moment[], requestsBy: RequestsBy): Chart[] {
  const times = moments.map(({ atMs }) => atMs / 1000);
  const chart = (about: Omit<Chart, 'times' | 'lines'>, wishes: readonly Wish[]): Chart => ({
    ...about,
    times,
    lines: wishes.map(([label, read], at) => ({
      label,
      ...styleAt(at),
      values: moments.map((moment) => (isPoint(moment) ? read(moment) : null)),
    })),
  });
  return [
    chart(
      {
        title: 'Requests',
        hint: requestsBy === 'endpoint' ? 'per second, by kind' : 'per second, by status',
        words: rateWords,
        topMin: 1,
      },
      [['all', (point) => point.requestsPerSecond], ...partsOfRequests(requestsBy)],
    ),
    chart({ title: 'Time to answer', hint: 'percentiles', words: durationWords, topMin: 0.0005 }, [
      ['p50', ({ latency }) => latency.p50],
      ['p95', ({ latency }) => latency.p95],
      ['p99', ({ latency }) => latency.p99],
    ]),
    chart(
      {
        title: 'Cache hit rate',
        hint: 'of rendered bodies',
        words: percentWords,
        topMin: 1,
        top: 1,
      },
      [['found in the cache', ({ hitRate }) => hitRate]],
    ),
    chart(
      { title: 'Memory', hint: 'resident, of each process', words: bytesWords, topMin: 100e6 },
      perProcess(moments, ({ residentBytes }) => residentBytes),
    ),
    chart(
      {
        title: 'Event loop delay',
        hint: '99th percentile, of each process',
        words: durationWords,
        topMin: 0.005,
      },
      perProcess(moments, ({ loopDelaySeconds }) => loopDelaySeconds),
    ),
    chart(
      { title: 'Cores in use', hint: 'of each process', words: plainWords, topMin: 0.5 },
      perProcess(moments, ({ cores }) => cores),
    ),
    chart(
      {
        title: 'Render pool',
        hint: 'bodies that wait or are being made',
        words: countWords,
        topMin: 4,
        isWhole: true,
      },
      [['waiting', ({ poolQueue }) => poolQueue]],
    ),
    chart(
      {
        title: 'Connections',
        hint: 'open on the delivery port',
        words: countWords,
        topMin: 4,
        isWhole: true,
      },
      [['open', ({ connections }) => connections]],
    ),
  ];
}

/** Those that had any request in this time. */
function partsOfRequests(by: RequestsBy): Wish[] {
  return by === 'endpoint'
    ? endpoints.map((name) => [name, (point) => point.byEndpoint.get(name) ?? 0] as const)
    : statuses.map((name) => [name, (point) => point.byStatus.get(name) ?? 0] as const);
}

type OfProcess = Point['control'];

/** The control process, and each listener that was there at some time. */
function perProcess(moments: readonly Moment[], read: (process: OfProcess) => number): Wish[] {
  const slots = new Set(
    moments.flatMap((moment) => (isPoint(moment) ? [...moment.listeners.keys()] : [])),
  );
  return [
    ['control', ({ control }) => read(control)],
    ...[...slots]
      .sort((one, other) => one - other)
      .map(
        (slot): Wish => [
          `listener ${slot}`,
          ({ listeners }) => {
            const listener = listeners.get(slot);
            return listener === undefined ? null : read(listener);
          },
        ],
      ),
  ];
}

function styleAt(at: number): Pick<ChartLine, 'color' | 'dash'> {
  return styles[at % styles.length] ?? { color: 'gray', dash: [] };
}

/** What a line shows in one sentence, for those who do not see it. */
export function lineSummary({ label, values }: ChartLine, words: NumberWords): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${label}: nothing yet.`;
  const last = values.at(-1) ?? null;
  const now = last === null ? 'not known now' : `${words(last)} now`;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of known) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return `${label}: ${now}, between ${words(least)} and ${words(most)}.`;
}
