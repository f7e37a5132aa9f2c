/** Metrics for people: what each counts, in one sentence. Pure. */
import type { Metric, MetricKind } from '../../../contract/schemas/metric.js';

export const kindLabels: Readonly<Record<MetricKind, string>> = {
  conversion: 'Conversion: the share of players who do it',
  count: 'Count: how often players do it',
  sum: 'Sum: its values added up',
  ratio: 'Ratio: one event per another',
  retention: 'Retention: the share of players who come back',
};

type Described = Pick<Metric, 'kind' | 'event' | 'denominator' | 'windowDays' | 'day' | 'cap'>;

/** Such as `Share of players with at least one purchase event within 7 days of their first exposure.` */
export function describeMetric(metric: Described): string {
  const { perUserDay } = metric.cap;
  const cap = perUserDay === null ? '' : ` At most ${perUserDay} a day and player count.`;
  return `${whatCounts(metric)}.${cap}`;
}

function whatCounts({ kind, event, denominator, windowDays, day }: Described): string {
  switch (kind) {
    case 'conversion':
      return `Share of players with at least one ${event} event${windowDays === null ? '' : ` within ${windowDays} days of their first exposure`}`;
    case 'count':
      return `Number of ${event} events per player`;
    case 'sum':
      return `Values of ${event} events, added up per player`;
    case 'ratio':
      return `Values of ${event} events per value of ${denominator ?? '?'} events`;
    case 'retention':
      return `Share of players who come back on day ${day ?? '?'} after their first exposure`;
  }
}
