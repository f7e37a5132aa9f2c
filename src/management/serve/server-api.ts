/** The admin API of a running server: its handlers with everything that they need of it. */
import { fileURLToPath } from 'node:url';
import { programFolder } from '../../program-folder.js';
import type { ProcessLoad } from '../../published/process-load.js';
import { standardStream } from '../../published/standard-stream.js';
import { copyStoreInThread } from '../backup/backup-in-thread.js';
import { FleetGauges } from '../fleet/fleet-gauges.js';
import { healthFigures } from '../health/figures.js';
import type { Watched } from '../health/handlers.js';
import { BodyBudgets } from '../http/body/body-budgets.js';
import type { AdminApp } from '../http/context.js';
import type { WorkPool } from '../jobs/work-pool.js';
import { storeGaugesMsMax } from '../limits.js';
import { type Gauge, metricsText } from '../metrics.js';
import { StaleCache } from '../store/stale-cache.js';
import { countWebhooks, type WebhookCounts, webhookGauges } from '../webhooks/webhook-gauges.js';
import { makeAdminApi } from './admin-api.js';
import type { Background, FleetMembership } from './background.js';
import { type Delivery, deliveryUrlOf } from './delivery.js';
import type { ServerData } from './open-store.js';
import type { Start } from './options.js';

interface ServerApiDeps {
  readonly data: ServerData;
  readonly delivery: Delivery;
  readonly background: Background;
  readonly fleet: FleetMembership;
  readonly work: WorkPool;
  readonly load: ProcessLoad;
  /** Of delivery. */
  readonly port: number;
}

export function makeServerApi({ options, log }: Start, deps: ServerApiDeps): Promise<AdminApp> {
  const { data, delivery, background, work, port } = deps;
  const { store, folder } = data;
  const bodyBudgets = new BodyBudgets();
  return makeAdminApi({
    bodyBudgets,
    deliveryUrl: deliveryUrlOf(options, port),
    store,
    publish: (sequence: number) => delivery.publisher.publish(sequence),
    fleet: deps.fleet.fleet,
    logger: log,
    ...watched(deps, bodyBudgets),
    now: Date.now,
    lastUsed: delivery.lastUsed,
    hasPrometheus: options.prometheusUrl !== null,
    trustedProxies: options.trustedProxies,
    sessionIdleMs: options.sessionIdleMs,
    consoleFolder: fileURLToPath(new URL('console', programFolder)),
    work,
    backup: async () => {
      const path = folder.scratchPath('backup');
      await copyStoreInThread(options.database ?? folder.storePath, path);
      return path;
    },
    housekeeping: background.housekeeping,
    webhooks: background.webhooks,
    limits: { textBytesMax: options.textBytesMax, textLevelsMax: options.textLevelsMax },
  });
}

/** What `/readyz` and `/metrics` show. */
function watched(
  { data, delivery, background, fleet: { fleet }, work, load }: ServerApiDeps,
  bodyBudgets: BodyBudgets,
): Watched {
  const { writer, certificate, store } = data;
  const { publisher, supervisor, relayDropped } = delivery;
  const webhookCounts = new StaleCache<WebhookCounts | null>(
    () => countWebhooks(store),
    null,
    storeGaugesMsMax,
  );
  const fleetGauges = new FleetGauges(fleet, () => publisher.served);
  const gauges = async (): Promise<Gauge[]> => [
    ...webhookGauges(await webhookCounts.soon()),
    ...(await fleetGauges.read()),
    ...bodyBudgets.gauges(),
    ...work.gauges(),
    ...background.textCheck.gauges,
    ...(certificate?.gauges() ?? []),
  ];
  const measure = async () => ({
    processes: await supervisor.measure(),
    wanted: supervisor.wanted,
    restarts: supervisor.restarts,
    sequence: writer.sequence,
    load,
    logLinesDropped: { control: standardStream(2).dropped.count, delivery: relayDropped.count },
  });
  return {
    status: async () => ({
      ready: supervisor.serving > 0 && !publisher.failing,
      listeners: supervisor.serving,
      listenersWanted: supervisor.wanted,
      sequence: writer.sequence,
      store: publisher.storeAway || !fleet.status().storeAvailable ? 'unavailable' : 'available',
      ...(certificate === null
        ? {}
        : { certificate: certificate.state, certificateExpiresAt: certificate.expiresAt }),
    }),
    metrics: async () => metricsText({ ...(await measure()), gauges: await gauges() }),
    figures: async () => healthFigures(await measure(), await webhookCounts.soon(), fleet.status()),
  };
}
