/** Writes what a server measured as Prometheus text: the counts of all delivery processes together, then its own (D6). */
import { countControl, type MeasuredControl } from './control-metrics.js';
import { type CountedMetric, counted, countedHistogram } from './counted-metric.js';
import type { Gauge } from './definition.js';
import { countDelivery } from './delivery-metrics.js';
import type { HistogramReading } from './histogram.js';

export interface MeasuredServer extends MeasuredControl {
  /** What else the control process has to show. */
  readonly gauges: readonly Gauge[];
  readonly histograms: readonly HistogramReading[];
}

/** Prometheus text of everything that was measured. */
export async function metricsText(server: MeasuredServer): Promise<string> {
  const metrics: CountedMetric[] = [
    ...countDelivery(server.processes),
    ...countControl(server),
    ...server.gauges.map(({ value, labels = {}, ...of }) => counted(of, [[labels, value]])),
    ...server.histograms.map((one) => countedHistogram(one.metric, [one])),
  ];
  // Loaded with the first scrape.
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([metrics]).metrics();
}
