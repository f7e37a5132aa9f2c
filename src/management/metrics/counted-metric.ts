/** Metrics in the form that prom-client hands between processes, and merges. */
import type { Metric } from './definition.js';
import type { HistogramCounts } from './histogram.js';

/** What two processes of one slot, the one that serves and the one that drains, count together. */
export type Together = 'sum' | 'min' | 'max';

export type Labels = Readonly<Record<string, string | number>>;

export type LabelledValue = readonly [labels: Labels, value: number];

/** One metric, with values that are counted already. */
export interface CountedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: Metric['type'];
  readonly aggregator: Together;
  readonly values: readonly {
    readonly labels: Labels;
    readonly value: number;
    readonly metricName?: string;
  }[];
}

export function counted(
  { name, help, type }: Pick<Metric, 'name' | 'help' | 'type'>,
  values: readonly LabelledValue[],
  aggregator: Together = 'sum',
): CountedMetric {
  return {
    ...{ name, help, type, aggregator },
    values: values.map(([labels, value]) => ({ labels, value })),
  };
}

/** Buckets as Prometheus has them: each counts those below it as well. */
export function countedHistogram(
  { name, help }: Metric,
  series: readonly HistogramCounts[],
): CountedMetric {
  const values: CountedMetric['values'][number][] = [];
  for (const { labels, boundsSeconds, counts, sumSeconds } of series) {
    let total = 0;
    counts.forEach((count, at) => {
      total += count;
      const le = boundsSeconds[at] ?? '+Inf';
      values.push({ labels: { le, ...labels }, value: total, metricName: `${name}_bucket` });
    });
    values.push({ labels, value: sumSeconds, metricName: `${name}_sum` });
    values.push({ labels, value: total, metricName: `${name}_count` });
  }
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}
