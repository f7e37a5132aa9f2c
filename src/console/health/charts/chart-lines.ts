/** Which charts there are, and which lines each draws of the history. */
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRate,
  type NumberFormat,
} from '../number-format.js';
import { isPoint, type Moment } from './metrics-history.js';
import type { Point, ProcessPoint } from './metrics-point.js';

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
  /** Its values are whole numbers. */
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

/** @param requestsBy how the first chart splits the requests */
export function chartsOf(moments: readonly Moment[], requestsBy: RequestsBy): Chart[] {
  const times = moments.map(({ atMs }) => atMs / 1000);
  const points = moments.map((moment) => (isPoint(moment) ? moment : null));
  const slots = new Set(points.flatMap((point) => [...(point?.deliveryProcesses.keys() ?? [])]));
  const requests = requestsBy === 'endpoint' ? requestsByEndpoint : requestsByStatus;
  return [requests, ...otherCharts].map(({ lines, leavesOutIdle = false, ...chart }) => ({
    ...chart,
    times,
    lines: lines([...slots].sort((one, other) => one - other))
      .map(([label, read], at) => ({
        label,
        ...styleAt(at),
        values: points.map((point) => (point === null ? null : read(point))),
      }))
      .filter(({ values }, at) => !leavesOutIdle || at === 0 || values.some(isAboveZero)),
  }));
}

interface ChartSpec extends Omit<Chart, 'times' | 'lines'> {
  /** @param slots of all delivery processes that appear in the chart */
  readonly lines: (slots: readonly number[]) => readonly Line[];
  /** Lines that never leave zero are not drawn, apart from the first. */
  readonly leavesOutIdle?: boolean;
}

const isAboveZero = (value: number | null): boolean => value !== null && value > 0;

const requestsChart = { title: 'Requests', format: formatRate, topMin: 1 };
const allRequests: Line = ['all', (point) => point.requestsPerSecond];

const requestsByEndpoint: ChartSpec = {
  ...requestsChart,
  hint: 'per second, by kind, where there are any',
  leavesOutIdle: true,
  lines: () => [
    allRequests,
    ...Object.entries(endpoints).map(
      ([name, label]): Line => [label, (point) => point.byEndpoint.get(name) ?? 0],
    ),
  ],
};

const requestsByStatus: ChartSpec = {
  ...requestsChart,
  hint: 'per second, by status',
  lines: () => [
    allRequests,
    ...statuses.map((name): Line => [name, (point) => point.byStatus.get(name) ?? 0]),
  ],
};

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
    topMin: 100e6,
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
    isWhole: true,
    lines: () => [['waiting', ({ poolQueue }) => poolQueue]],
  },
  {
    title: 'Connections',
    hint: 'open on the delivery port',
    format: formatCount,
    topMin: 4,
    isWhole: true,
    lines: () => [['open', ({ connections }) => connections]],
  },
  {
    title: 'Streams',
    hint: 'open, and waiting for the event of a change',
    format: formatCount,
    topMin: 4,
    isWhole: true,
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
    lines: () => [['sent', ({ streamEventsPerSecond }) => streamEventsPerSecond]],
  },
];

/** A line for the control process, and one for each delivery process. */
function perProcess(read: (process: ProcessPoint) => number): ChartSpec['lines'] {
  return (slots) => [
    ['control', ({ control }) => read(control)],
    ...slots.map(
      (slot): Line => [
        `delivery ${slot}`,
        ({ deliveryProcesses }) => {
          const process = deliveryProcesses.get(slot);
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
