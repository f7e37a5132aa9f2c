/** Which moments of a chart a table of it shows, and what was published before each. Pure. */
import type { Chart } from './chart-lines.js';
import type { Span } from './metrics-history.js';
import type { PublishMark } from './publish-marks.js';

export interface ChartRow {
  /** Which of the chart's times. */
  readonly at: number;
  /** Since the row below. */
  readonly published: readonly PublishMark[];
}

/** Between two rows. */
const rowSeconds: Readonly<Record<Span, number>> = { '10 min': 30, '1 h': 180 };

/** Newest first. */
export function tableRows({
  times,
  span,
  marks,
}: Pick<Chart, 'times' | 'span' | 'marks'>): ChartRow[] {
  const shown: number[] = [];
  for (let at = times.length - 1; at >= 0; at -= 1) {
    const newer = shown.at(-1);
    const isFar =
      newer === undefined || timeAt(times, newer) - timeAt(times, at) >= rowSeconds[span];
    if (isFar) shown.push(at);
  }
  return shown.map((at, row) => {
    const below = shown[row + 1];
    const from = below === undefined ? Number.NEGATIVE_INFINITY : timeAt(times, below);
    const until = row === 0 ? Number.POSITIVE_INFINITY : timeAt(times, at);
    return { at, published: marks.filter((mark) => mark.at > from && mark.at <= until) };
  });
}

function timeAt(times: readonly number[], at: number): number {
  return times[at] ?? 0;
}
