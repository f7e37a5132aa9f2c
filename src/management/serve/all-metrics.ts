/** All metrics of a server, each defined by the part that counts it: what docs/metrics.md is made of (D114). */
import { eventMetrics } from '../analysis/event-counts.js';
import { jobMetrics } from '../analysis/job-queue.js';
import { eventFileMetrics } from '../event-files/event-files.js';
import { assignedMetrics } from '../experiments/assigned/assigned-reports.js';
import { fleetMetrics } from '../fleet/fleet-gauges.js';
import { followerMetrics } from '../follow/followers.js';
import { parentMetrics } from '../follow/parent-session.js';
import { relayedMetrics } from '../follow/relayed-reports.js';
import { refusedMetrics } from '../health/rejections/refused-counts.js';
import { bodyMetrics } from '../http/body/body-budgets.js';
import { workMetrics } from '../jobs/work-pool.js';
import { controlMetrics } from '../metrics/control-metrics.js';
import type { Metric } from '../metrics/definition.js';
import { deliveryMetrics } from '../metrics/delivery-metrics.js';
import { publishMetrics } from '../publishing/publish-counts.js';
import { certificateMetrics } from '../tls/delivery-certificate.js';
import { traceMetrics } from '../tracing/export-report.js';
import { webhookMetrics } from '../webhooks/webhook-gauges.js';
import { buildMetrics } from './build-info.js';
import { dataMetrics } from './data-figures.js';
import { editCallMetrics } from './edit-calls.js';
import { textCheckMetrics } from './text-check.js';

interface MetricGroup {
  readonly title: string;
  readonly metrics: readonly Metric[];
}

/** In the order of the page. */
export const metricGroups: readonly MetricGroup[] = [
  { title: 'Delivery processes', metrics: deliveryMetrics },
  {
    title: 'Control process',
    metrics: [...buildMetrics, ...controlMetrics],
  },
  {
    title: 'Requests by environment',
    metrics: refusedMetrics,
  },
  {
    title: 'Edits and publishing',
    metrics: [...editCallMetrics, ...publishMetrics, ...bodyMetrics, ...workMetrics],
  },
  {
    title: 'Store and fleet',
    metrics: [...fleetMetrics, ...textCheckMetrics],
  },
  { title: 'Followers', metrics: [...followerMetrics, ...parentMetrics, ...relayedMetrics] },
  {
    title: 'Sizes, disk and backups',
    metrics: dataMetrics,
  },
  { title: 'Certificate', metrics: certificateMetrics },
  { title: 'Webhooks', metrics: webhookMetrics },
  { title: 'Traces', metrics: traceMetrics },
  {
    title: 'Events and experiments',
    metrics: [...assignedMetrics, ...eventFileMetrics, ...eventMetrics, ...jobMetrics],
  },
];
