/** How long it takes until an edit is served, and how often that fails. */
import { type Gauge, histogram, type Metric, metric, sample } from '../metrics/definition.js';
import { editBoundsSeconds, Histogram } from '../metrics/histogram.js';

const seconds = histogram({
  name: 'loadout_publish_seconds',
  help: "From the commit of an edit until every delivery process serves it; of another server's edit, from when this one was asked for it.",
});
const failures = metric({
  name: 'loadout_publish_failures_total',
  help: 'Attempts to publish that failed while the store was there; each is repeated. The log says why (`publish_failed`).',
});

export const publishMetrics: readonly Metric[] = [seconds, failures];

export class PublishCounts {
  readonly times: Histogram = new Histogram(seconds, editBoundsSeconds);
  failures = 0;

  gauges(): Gauge[] {
    return [sample(failures, this.failures)];
  }
}
