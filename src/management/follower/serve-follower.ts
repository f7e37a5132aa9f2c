/** The control process of a server without a store: it follows another server, and serves what that one publishes (D128). */
import { hostname } from 'node:os';
import { pino } from 'pino';
import { ProcessLoad } from '../../published/process-load.js';
import { standardStream } from '../../published/standard-stream.js';
import type { Followers } from '../follow/followers.js';
import { ParentRequests } from '../follow/parent-requests.js';
import { ParentSession } from '../follow/parent-session.js';
import { ParentStore } from '../follow/parent-store.js';
import { RelayedReports } from '../follow/relayed-reports.js';
import { metricsText } from '../metrics/text.js';
import { PublishedFile } from '../publishing/published-file.js';
import { buildInfo } from '../serve/build-info.js';
import {
  type DeliveryCore,
  deliveryAddressOf,
  deliveryUrlOf,
  openFollowPort,
  startDelivery,
} from '../serve/delivery.js';
import { endWhenSignalled } from '../serve/end-signal.js';
import { HangUps } from '../serve/hang-ups.js';
import { shownHost } from '../serve/host.js';
import type { ServeOptions, Start } from '../serve/options.js';
import { checkPorts, chooseWork, reloadOnHangUp, type Served } from '../serve/serve.js';
import { ServeRejected } from '../serve-rejected.js';
import { DataFolder } from '../store/data-folder.js';
import { isDiskError, StoreUnavailable } from '../store/store-errors.js';
import { openCertificate } from '../tls/configured-certificate.js';
import type { DeliveryCertificate } from '../tls/delivery-certificate.js';
import { openWatchPort, type WatchedFollower } from './watch-port.js';

/** Starts everything, or nothing: what was started is ended again when a later step fails. */
export async function serveFollower(options: ServeOptions): Promise<Served> {
  const log = pino({ level: options.logLevel, base: { process: 'control' } }, standardStream(2));
  const undo: Start['undo'] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start({ options, log, tracing: null, undo }, close);
  } catch (error) {
    await close();
    if (error instanceof StoreUnavailable) {
      throw new ServeRejected(
        `Nothing was published here yet that could be served without the parent. ${error.message}`,
        { cause: error },
      );
    }
    if (!isDiskError(error)) throw error;
    throw new ServeRejected(
      `The disk of the data folder ${options.data} is full or fails: make room on it, then start again.`,
      { cause: error },
    );
  }
}

interface FollowerParts {
  readonly delivery: DeliveryCore;
  readonly certificate: DeliveryCertificate | null;
  readonly file: PublishedFile;
  readonly session: ParentSession;
  readonly relayed: RelayedReports;
  readonly requests: ParentRequests;
  readonly load: ProcessLoad;
}

async function start(startOf: Start, close: () => Promise<void>): Promise<Served> {
  const { options, log, undo } = startOf;
  chooseWork(options.native);
  const load = new ProcessLoad();
  const hangUps = new HangUps();
  undo.push(() => hangUps.close());
  const folder = new DataFolder(options.data);
  undo.push(() => folder.release());
  const certificate = openCertificate(options, folder, log);
  undo.push(() => certificate?.close());
  const file = new PublishedFile(folder.publishedPath, log);
  undo.push(() => file.close());
  const port = await checkPorts(options);
  const requests = parentRequests(options);
  undo.push(() => requests.close());
  const relayed = new RelayedReports(log);
  const store = new ParentStore(requests, folder.publishedPath, file.storeId);
  const data = { store, writer: file, folder, certificate };
  const delivery = await startDelivery(startOf, data, port, {
    used: (keys) => relayed.add('used', [...keys]),
    traffic: (seen) => relayed.add('traffic', [...seen]),
    receipts: (batches) => relayed.add('receipts', [...batches]),
    assigned: (report) => relayed.add('assigned', [report]),
    requests: (report) => relayed.add('requests', [report]),
  });
  const { publisher, supervisor, hub } = delivery;
  undo.push(() => supervisor.stop());
  const session = new ParentSession({
    ...{ requests, store, relayed, log },
    self: {
      id: folder.nodeId(),
      name: options.nodeName ?? hostname(),
      address: deliveryAddressOf(options, port),
      version: options.version,
    },
    served: () => publisher.served,
    serving: () => supervisor.serving,
    below: () => belowOf(hub?.followers ?? null, delivery),
    pull: () => publisher.pull(),
    resume: () => publisher.resume(),
  });
  delivery.onServed(() => session.moved());
  await supervisor.start();
  const watched = watchedOf(options, {
    ...{ delivery, certificate, file, session, relayed, requests, load },
  });
  const admin = await openWatchPort(options.adminHost, options.adminPort, watched);
  undo.push(() => closeServer(admin.server));
  const metricsUrl = await openMetrics(startOf, watched);
  const followUrl = await openFollowPort(options, hub);
  reloadOnHangUp(hangUps, supervisor, certificate, log);
  const closed = endOn(startOf, delivery, close);
  // The first to end: no edit waits for this server any more.
  undo.push(() => session.close());
  session.start();
  certificate?.serves();
  log.info(
    {
      ...{ event: 'serving', port, adminPort: admin.port, listeners: supervisor.wanted },
      ...{ sequence: file.sequence, parent: requests.url },
    },
    'serving',
  );
  return {
    deliveryUrl: deliveryUrlOf(options, port),
    adminUrl: `http://${shownHost(options.adminHost)}:${admin.port}/`,
    ...{ metricsUrl, followUrl, ownerToken: null, ownerTokenFile: null, closed },
  };
}

function endOn(
  { options, log }: Start,
  { supervisor }: DeliveryCore,
  close: () => Promise<void>,
): Promise<number> {
  return endWhenSignalled({
    delayMs: options.drainDelayMs,
    leave: () => {
      const { drainDelayMs: delayMs } = options;
      log.info({ event: 'leaving', delayMs }, 'going to end; serving until then');
      supervisor.leave();
    },
    end: close,
  });
}

/** @throws ServeRejected when a file that it needs cannot be read */
function parentRequests({ follow, followTokenFile, followCa }: ServeOptions): ParentRequests {
  try {
    return new ParentRequests({
      urls: (follow ?? '').split(',').map((url) => url.trim()),
      tokenFile: followTokenFile ?? '',
      caFile: followCa,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServeRejected(`--follow-ca: ${reason}`, { cause: error });
  }
}

function belowOf(
  followers: Followers | null,
  { publisher }: DeliveryCore,
): ReturnType<ConstructorParameters<typeof ParentSession>[0]['below']> {
  const { sequence, mark } = publisher.served;
  return followers?.below ?? { tree: { sequence, mark }, live: 0, away: 0, names: [] };
}

async function openMetrics(
  { options, undo }: Start,
  watched: WatchedFollower,
): Promise<string | null> {
  const { metricsHost, metricsPort } = options;
  if (metricsPort === null) return null;
  const { server, port } = await openWatchPort(metricsHost, metricsPort, watched);
  undo.push(() => closeServer(server));
  return `http://${shownHost(metricsHost)}:${port}/`;
}

function closeServer(server: { close(): unknown; closeAllConnections(): void }): void {
  server.close();
  server.closeAllConnections();
}

function watchedOf(
  options: ServeOptions,
  { delivery, certificate, file, session, relayed, requests, load }: FollowerParts,
): WatchedFollower {
  const { publisher, supervisor, hub, relayDropped } = delivery;
  const isThere = (): boolean => session.isUp && !publisher.storeAway;
  return {
    parent: () => requests.url,
    status: () => ({
      ready: supervisor.serving > 0 && !publisher.failing && !supervisor.isLeaving,
      ...(supervisor.isLeaving && { draining: true }),
      listeners: supervisor.serving,
      listenersWanted: supervisor.wanted,
      sequence: file.sequence,
      store: isThere() ? 'available' : 'unavailable',
      ...(certificate === null
        ? {}
        : { certificate: certificate.state, certificateExpiresAt: certificate.expiresAt }),
    }),
    metrics: async () =>
      metricsText({
        processes: await supervisor.measure(),
        wanted: supervisor.wanted,
        restarts: supervisor.restarts,
        sequence: file.sequence,
        load,
        logLinesDropped: { control: standardStream(2).dropped.count, delivery: relayDropped.count },
        gauges: [
          buildInfo(options.version, 'parent'),
          ...[...session.gauges(), ...relayed.gauges(), ...(hub?.gauges() ?? [])],
          ...[...(certificate?.gauges() ?? []), ...publisher.counts.gauges()],
        ],
        histograms: [publisher.counts.times.read()],
      }),
  };
}
