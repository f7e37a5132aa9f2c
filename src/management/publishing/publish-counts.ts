/** How long it takes until an edit is served, and what fails on the way. */
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
const damages = metric({
  name: 'loadout_published_damages_total',
  help: 'How often published.db was found damaged; it is made again from the store. The log says what was found (`published_damaged`).',
});

export const publishMetrics: readonly Metric[] = [seconds, failures, damages];

export class PublishCounts {
  readonly times: Histogram = new Histogram(seconds, editBoundsSeconds);
  failures = 0;
  damages = 0;

  gauges(): Gauge[] {
    return [sample(failures, this.failures), sample(damages, this.damages)];
  }
}
