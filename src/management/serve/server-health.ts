/** What a running server says of itself: its state, its figures with an hour of their history, and what is wrong. */
import { hostname } from 'node:os';
import { historyStepMs } from '../../contract/limits.js';
import type { HealthFigures, ServerStatus } from '../../contract/operations/health.js';
import type { ProcessLoad } from '../../published/process-load.js';
import { standardStream } from '../../published/standard-stream.js';
import type { Fleet } from '../fleet/fleet.js';
import { FleetGauges } from '../fleet/fleet-gauges.js';
import { healthFigures } from '../health/figures.js';
import type { HealthFacts, Watched as WatchedCounter } from '../health/findings/facts.js';
import { RecentIncreases } from '../health/findings/recent-increases.js';
import type { Watched } from '../health/handlers.js';
import { ServerHistory } from '../health/history/server-history.js';
import type { BodyBudgets } from '../http/body/body-budgets.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import type { WorkPool } from '../jobs/work-pool.js';
import { storeGaugesMsMax } from '../limits/processes.js';
import type { MeasuredControl } from '../metrics/control-metrics.js';
import type { Gauge } from '../metrics/definition.js';
import { metricsText } from '../metrics/text.js';
import { StaleCache } from '../store/stale-cache.js';
import type { Tracing } from '../tracing/tracing.js';
import { countWebhooks, type WebhookCounts, webhookGauges } from '../webhooks/webhook-gauges.js';
import type { Background, FleetMembership } from './background.js';
import { buildInfo } from './build-info.js';
import { DataFigures, diskRoom } from './data-figures.js';
import type { Delivery } from './delivery.js';
import type { EditCalls } from './edit-calls.js';
import type { Events } from './events.js';
import { awayNodes, recentRequests } from './health-facts.js';
import type { ServerData } from './open-store.js';
import type { Start } from './options.js';

export interface ServerHealthDeps {
  readonly data: ServerData;
  readonly delivery: Delivery;
  readonly background: Background;
  readonly events: Events;
  readonly fleet: FleetMembership;
  readonly work: WorkPool;
  readonly load: ProcessLoad;
  /** Null: no collector is named. */
  readonly tracing: Tracing | null;
}

/** What the admin API counts of its own. */
export interface ApiCounts {
  readonly bodyBudgets: BodyBudgets;
  readonly editCalls: EditCalls;
}

/** Looks at the server every ten seconds, until it ends. */
export function watchServer(
  { options, log, undo }: Start,
  deps: ServerHealthDeps,
  counts: ApiCounts,
): Watched {
  const health = new ServerHealth(deps, counts, options.version);
  const job = new PeriodicJob(() => health.look(), {
    firstMs: 0,
    everyMs: historyStepMs,
    log,
    event: 'history_failed',
    failed: 'the figures of this server could not be read; the charts show a gap',
  });
  undo.push(() => job.close());
  job.start();
  return {
    status: async () => health.status(),
    metrics: () => health.metrics(),
    figures: () => health.figures(),
    facts: () => health.facts(),
    requests: deps.delivery.requests,
    kept: {
      history: health.history,
      node: options.nodeName ?? hostname(),
      startedMs: deps.load.startedAtSeconds * 1_000,
    },
  };
}

class ServerHealth {
  readonly history = new ServerHistory();
  readonly #deps: ServerHealthDeps;
  readonly #counts: ApiCounts;
  readonly #version: string;
  readonly #increases = new RecentIncreases<WatchedCounter>();
  readonly #webhooks: StaleCache<WebhookCounts | null>;
  readonly #fleetGauges: FleetGauges;
  readonly #dataFigures: DataFigures;

  /** @param version of Loadout */
  constructor(deps: ServerHealthDeps, counts: ApiCounts, version: string) {
    this.#deps = deps;
    this.#counts = counts;
    this.#version = version;
    const { store, folder } = deps.data;
    this.#webhooks = new StaleCache(() => countWebhooks(store), null, storeGaugesMsMax);
    this.#fleetGauges = new FleetGauges(this.#fleet, () => deps.delivery.publisher.served.sequence);
    this.#dataFigures = new DataFigures({
      ...{ folder, store, isEmbedded: this.#fleet.status().store === 'sqlite' },
      isStoreAvailable: () => this.#isStoreAvailable,
    });
  }

  /** Keeps the figures of now, and notices which counters have risen. */
  async look(): Promise<void> {
    const measured = await this.#measure();
    const nowMs = Date.now();
    this.history.add({ ...(await this.#figuresOf(measured)), atMs: nowMs });
    this.#notice(measured, nowMs);
  }

  status(): ServerStatus {
    const { delivery, data } = this.#deps;
    const { publisher, supervisor } = delivery;
    const { certificate, writer } = data;
    return {
      ready: supervisor.serving > 0 && !publisher.failing && !supervisor.isLeaving,
      ...(supervisor.isLeaving && { draining: true }),
      listeners: supervisor.serving,
      listenersWanted: supervisor.wanted,
      sequence: writer.sequence,
      store: this.#isStoreAvailable ? 'available' : 'unavailable',
      ...(certificate === null
        ? {}
        : { certificate: certificate.state, certificateExpiresAt: certificate.expiresAt }),
    };
  }

  async metrics(): Promise<string> {
    const { bodyBudgets, editCalls } = this.#counts;
    const { work, delivery } = this.#deps;
    const { publisher, refused } = delivery;
    // Together: a store that is slow is waited for once.
    const [webhooks, ofFleet, ofData] = await Promise.all([
      this.#webhooks.soon(),
      this.#fleetGauges.read(),
      this.#dataFigures.read(),
    ]);
    const gauges = [
      ...webhookGauges(webhooks),
      ...ofFleet,
      ...bodyBudgets.gauges(),
      ...work.gauges(),
      ...this.#gauges(),
      buildInfo(this.#version, this.#fleet.status().store),
      ...ofData,
      ...[...editCalls.gauges(), ...publisher.counts.gauges(), ...refused.gauges()],
    ];
    const histograms = [editCalls.times, publisher.counts.times.read()];
    return metricsText({ ...(await this.#measure()), gauges, histograms });
  }

  async figures(): Promise<HealthFigures> {
    return this.#figuresOf(await this.#measure());
  }

  async facts(): Promise<HealthFacts> {
    const { delivery, data } = this.#deps;
    const { supervisor, publisher, requests } = delivery;
    const { certificate, folder } = data;
    const measured = await this.#measure();
    const webhooks = await this.#webhooks.soon();
    const nowMs = Date.now();
    this.#notice(measured, nowMs);
    const gaugeOf = readerOf(this.#gauges());
    const { isClockSkewed, clockAheadMs } = this.#fleet.status();
    return {
      nowMs,
      serving: supervisor.serving,
      wanted: supervisor.wanted,
      isPublishingFailed: publisher.failing,
      isStoreAvailable: this.#isStoreAvailable,
      processes: measured.processes.map(({ measures }) => measures),
      certificate,
      clockSkewedMs: isClockSkewed ? clockAheadMs : null,
      nodesAway: await awayNodes(this.#fleet),
      webhooksFailing: webhooks?.failing ?? 0,
      webhooksSwitchedOff: webhooks?.switchedOff ?? 0,
      requests: recentRequests(requests),
      textsDamaged: gaugeOf('loadout_store_texts_damaged'),
      areEventsNotStored: gaugeOf('loadout_events_store_failing') > 0,
      eventsLagSeconds: gaugeOf('loadout_events_lag_seconds'),
      diskFreeBytes: (await diskRoom(folder.path))?.freeBytes ?? null,
      roseAt: (counter) => this.#increases.roseAt(counter, nowMs),
    };
  }

  get #fleet(): Fleet {
    return this.#deps.fleet.fleet;
  }

  get #isStoreAvailable(): boolean {
    return !this.#deps.delivery.publisher.storeAway && this.#fleet.status().storeAvailable;
  }

  async #measure(): Promise<MeasuredControl> {
    const { delivery, data, load } = this.#deps;
    const { supervisor, relayDropped } = delivery;
    return {
      processes: await supervisor.measure(),
      wanted: supervisor.wanted,
      restarts: supervisor.restarts,
      sequence: data.writer.sequence,
      load,
      logLinesDropped: { control: standardStream(2).dropped.count, delivery: relayDropped.count },
    };
  }

  async #figuresOf(measured: MeasuredControl): Promise<HealthFigures> {
    return healthFigures(measured, await this.#webhooks.soon(), this.#fleet.status());
  }

  /** Those that need no store. */
  #gauges(): Gauge[] {
    const { background, events, delivery, data } = this.#deps;
    return [
      ...background.textCheck.gauges,
      ...events.gauges(),
      ...delivery.assigned.gauges,
      ...(delivery.eventFiles?.gauges() ?? []),
      ...(data.certificate?.gauges() ?? []),
      ...(delivery.hub?.gauges() ?? []),
      ...(this.#deps.tracing?.gauges() ?? []),
    ];
  }

  #notice({ restarts, logLinesDropped }: MeasuredControl, nowMs: number): void {
    const gaugeOf = readerOf(this.#gauges());
    const counters: Readonly<Record<WatchedCounter, number>> = {
      restarts: restarts.died + restarts.killed,
      logLinesDropped: logLinesDropped.control + logLinesDropped.delivery,
      eventsLost: gaugeOf('loadout_events_lost_total'),
      eventFilesDropped: gaugeOf('loadout_events_files_dropped'),
      eventFilesSetAside: gaugeOf('loadout_events_files_set_aside'),
      assignedReportsDropped: gaugeOf('loadout_assigned_reports_dropped_total'),
    };
    for (const [name, value] of Object.entries(counters)) {
      this.#increases.note(name as WatchedCounter, value, nowMs);
    }
  }
}

/** Reads gauges by their names; 0 where the server has none of a name. */
function readerOf(gauges: readonly Gauge[]): (name: string) => number {
  return (name) => gauges.find((gauge) => gauge.name === name)?.value ?? 0;
}
