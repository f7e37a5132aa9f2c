/** Which charts there are, and which lines each draws of the history. */

import type { HistoryPoint } from '../../../contract/operations/health/history.js';
import { formatBytes } from '../../parts/format-bytes.js';
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRate,
  type NumberFormat,
} from '../number-format.js';
import { isPoint, type Moment, type Point, type Span } from './metrics-history.js';
import type { PublishMark } from './publish-marks.js';

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
  readonly format: NumberFormat;
  /** The top of the scale is at least this. */
  readonly topMin: number;
  /** The top is exactly this. */
  readonly top?: number;
  /** What the marks of its scale may be apart; left out: any. */
  readonly steps?: readonly number[];
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly span: Span;
  readonly lines: readonly ChartLine[];
  /** What was published in that time, oldest first. */
  readonly marks: readonly PublishMark[];
}

const styles: readonly Pick<ChartLine, 'color' | 'dash'>[] = [
  { color: 'blue', dash: [] },
  { color: 'orange', dash: [7, 4] },
  { color: 'teal', dash: [2, 3] },
  { color: 'grape', dash: [10, 3, 2, 3] },
  { color: 'red', dash: [4, 4] },
  { color: 'gray', dash: [1, 4] },
  { color: 'teal', dash: [] },
  { color: 'blue', dash: [7, 4] },
  { color: 'orange', dash: [2, 3] },
  { color: 'red', dash: [10, 3, 2, 3] },
  { color: 'grape', dash: [4, 4] },
];

type Line = readonly [label: string, read: (point: Point) => number | null];

export type RequestsBy = 'endpoint' | 'status';

/** By the names that the server counts under. */
const endpoints: Readonly<Record<string, string>> = {
  dynamic: 'dynamic',
  content: 'content',
  combine: 'combine',
  catalog: 'catalog',
  refresh: 'refresh',
  stream: 'stream',
  ofrep: 'OpenFeature, one flag',
  ofrep_bulk: 'OpenFeature, all flags',
  ofrep_stream: 'OpenFeature stream',
  other: 'other',
};
const statuses = ['2xx', '3xx', '4xx', '5xx'] as const;

export interface ChartsOptions {
  /** How the first chart splits the requests. */
  readonly requestsBy: RequestsBy;
  readonly span: Span;
  readonly marks: readonly PublishMark[];
}

export function chartsOf(
  moments: readonly Moment[],
  { requestsBy, span, marks }: ChartsOptions,
): Chart[] {
  const times = moments.map(({ atMs }) => atMs / 1000);
  const points = moments.map((moment) => (isPoint(moment) ? moment : null));
  const slots = new Set(
    points.flatMap((point) => point?.deliveryProcesses.map(({ slot }) => slot) ?? []),
  );
  const requests = requestsBy === 'endpoint' ? requestsByEndpoint : requestsByStatus;
  return [requests, ...otherCharts].map(({ lines, leavesOutIdle = false, ...chart }) => ({
    ...chart,
    times,
    span,
    marks,
    lines: lines([...slots].sort((one, other) => one - other))
      .map(([label, read], at) => ({
        label,
        ...styleAt(at),
        values: points.map((point) => (point === null ? null : read(point))),
      }))
      .filter(({ values }, at) => !leavesOutIdle || at === 0 || values.some(isAboveZero)),
  }));
}

interface ChartSpec extends Omit<Chart, 'times' | 'span' | 'marks' | 'lines'> {
  /** @param slots of all delivery processes that appear in the chart */
  readonly lines: (slots: readonly number[]) => readonly Line[];
  /** Lines that never leave zero are not drawn, apart from the first. */
  readonly leavesOutIdle?: boolean;
}

const isAboveZero = (value: number | null): boolean => value !== null && value > 0;

const requestsChart = { title: 'Requests', format: formatRate, topMin: 1 };
const allRequests: Line = ['all', ({ requests, seconds }) => requests / seconds];

const requestsByEndpoint: ChartSpec = {
  ...requestsChart,
  hint: 'per second, by kind, where there are any',
  leavesOutIdle: true,
  lines: () => [
    allRequests,
    ...Object.entries(endpoints).map(
      ([name, label]): Line => [
        label,
        ({ byEndpoint, seconds }) => (byEndpoint[name] ?? 0) / seconds,
      ],
    ),
  ],
};

const requestsByStatus: ChartSpec = {
  ...requestsChart,
  hint: 'per second, by status',
  lines: () => [
    allRequests,
    ...statuses.map(
      (name): Line => [name, ({ byStatus, seconds }) => (byStatus[name] ?? 0) / seconds],
    ),
  ],
};

/** Between two marks of a scale that counts things. */
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5];

/** Between two marks of a scale of bytes: 1 MB, 2 MB, 4 MB and so on. */
const byteSteps = Array.from({ length: 20 }, (_, power) => 2 ** (20 + power));

const otherCharts: readonly ChartSpec[] = [
  {
    title: 'Response time',
    hint: 'percentiles',
    format: formatDuration,
    topMin: 0.0005,
    lines: () => [
      ['p50', ({ latency }) => latency.p50],
      ['p95', ({ latency }) => latency.p95],
      ['p99', ({ latency }) => latency.p99],
    ],
  },
  {
    title: 'Cache hit rate',
    hint: 'of rendered bodies',
    format: formatPercent,
    topMin: 1,
    top: 1,
    lines: () => [['found in the cache', ({ hitRate }) => hitRate]],
  },
  {
    title: 'Memory',
    hint: 'resident, of each process',
    format: formatBytes,
    topMin: 128 * 1024 * 1024,
    steps: byteSteps,
    lines: perProcess(({ residentBytes }) => residentBytes),
  },
  {
    title: 'Event loop delay',
    hint: '99th percentile, of each process',
    format: formatDuration,
    topMin: 0.005,
    lines: perProcess(({ loopDelaySeconds }) => loopDelaySeconds),
  },
  {
    title: 'Cores in use',
    hint: 'of each process',
    format: formatNumber,
    topMin: 0.5,
    lines: perProcess(({ cores }) => cores),
  },
  {
    title: 'Render pool',
    hint: 'bodies that wait or are being rendered',
    format: formatCount,
    topMin: 4,
    steps: wholeSteps,
    lines: () => [['waiting', ({ poolQueued }) => poolQueued]],
  },
  {
    title: 'Connections',
    hint: 'open on the delivery port',
    format: formatCount,
    topMin: 4,
    steps: wholeSteps,
    lines: () => [['open', ({ connections }) => connections]],
  },
  {
    title: 'Streams',
    hint: 'open, and waiting for the event of a change',
    format: formatCount,
    topMin: 4,
    steps: wholeSteps,
    lines: () => [
      ['open', ({ streamsOpen }) => streamsOpen],
      ['waiting', ({ streamsWaiting }) => streamsWaiting],
    ],
  },
  {
    title: 'Stream events',
    hint: 'per second, over all streams',
    format: formatRate,
    topMin: 1,
    lines: () => [['sent', ({ streamEvents, seconds }) => streamEvents / seconds]],
  },
];

/** A line for the control process, and one for each delivery process. */
function perProcess(read: (process: HistoryPoint['control']) => number): ChartSpec['lines'] {
  return (slots) => [
    ['control', ({ control }) => read(control)],
    ...slots.map(
      (slot): Line => [
        `delivery ${slot}`,
        ({ deliveryProcesses }) => {
          const process = deliveryProcesses.find((known) => known.slot === slot);
          return process === undefined ? null : read(process);
        },
      ],
    ),
  ];
}

function styleAt(at: number): Pick<ChartLine, 'color' | 'dash'> {
  return styles[at % styles.length] ?? { color: 'gray', dash: [] };
}

/** Describes a line in one sentence, for screen readers. */
export function lineSummary({ label, values }: ChartLine, format: NumberFormat): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${label}: nothing yet.`;
  const last = values.at(-1) ?? null;
  const now = last === null ? 'not known now' : `${format(last)} now`;
  return `${label}: ${now}, between ${format(Math.min(...known))} and ${format(Math.max(...known))}.`;
}
