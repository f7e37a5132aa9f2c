/** The control process: owns the store, the admin API and published.db, and keeps the delivery processes running. */
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import type { NativeChoice } from '../../native/native-choice.js';
import { chooseTextWork } from '../../native/text-work.js';
import { ProcessLoad } from '../../published/process-load.js';
import { standardStream } from '../../published/standard-stream.js';
import type { SharedStoreServer } from '../fleet/shared-store-server.js';
import { WorkPool } from '../jobs/work-pool.js';
import { adminCloseMsMax } from '../limits/processes.js';
import type { Supervisor } from '../processes/supervisor.js';
import { ServeRejected } from '../serve-rejected.js';
import { isDiskError, StoreDamaged, StoreUnavailable } from '../store/store-errors.js';
import { checkCertificate } from '../tls/configured-certificate.js';
import type { DeliveryCertificate } from '../tls/delivery-certificate.js';
import { startTracing } from '../tracing/start-tracing.js';
import { tasks } from '../worker/tasks.js';
import type { makeAdminApi } from './admin-api.js';
import { type Background, joinFleet, makeBackground } from './background.js';
import { deliveryUrlOf, openFollowPort, startPublishing } from './delivery.js';
import { endWhenSignalled } from './end-signal.js';
import { makeEvents } from './events.js';
import { freePort } from './free-port.js';
import { HangUps } from './hang-ups.js';
import { shownHost } from './host.js';
import { openMetricsPort } from './metrics-port.js';
import { openData } from './open-store.js';
import type { ServeOptions, Start } from './options.js';
import { makeServerApi } from './server-api.js';

/** Where a server is that has started. */
export interface Served {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  /** Null: it has no port of its own. */
  readonly metricsUrl: string | null;
  /** Where servers follow it; null: none may. */
  readonly followUrl: string | null;
  /** The owner's token when it was just made and is in no file; it is shown this once. */
  readonly ownerToken: string | null;
  /** Path of the file that has it instead; null: there is none, or no token was made. */
  readonly ownerTokenFile: string | null;
  /** The exit code, once everything is drained after SIGTERM or SIGINT. */
  readonly closed: Promise<number>;
}

/** Starts everything, or nothing: what was started is ended again when a later step fails. */
export async function serve(options: ServeOptions): Promise<Served> {
  const log = pino({ level: options.logLevel, base: { process: 'control' } }, standardStream(2));
  const undo: Start['undo'] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const tracing = await startTracing(options, log);
    // Its end is the last one: the spans of what is under way are sent as well.
    undo.push(() => tracing?.close());
    return await start({ options, log, tracing, undo }, close);
  } catch (error) {
    await close();
    if (!isDiskError(error) && !(error instanceof StoreUnavailable)) throw error;
    if (error instanceof StoreDamaged) throw new ServeRejected(error.message, { cause: error });
    if (options.database !== null && error instanceof StoreUnavailable) {
      throw new ServeRejected(`${options.database.shown}: ${error.message}`, { cause: error });
    }
    throw new ServeRejected(
      `The disk of the data folder ${options.data} is full or fails: make room on it, then start again.`,
      { cause: error },
    );
  }
}

async function start(startOf: Start, close: () => Promise<void>): Promise<Served> {
  const { options, log, tracing, undo } = startOf;
  chooseWork(options.native);
  const load = new ProcessLoad();
  const hangUps = new HangUps();
  undo.push(() => hangUps.close());
  const data = await openData(startOf);
  const port = await checkPorts(options);
  const delivery = await startPublishing(startOf, data, port);
  const work = new WorkPool(tasks, options.native, (error) =>
    log.error({ event: 'worker_ended', err: error }, 'a worker ended; another takes its place'),
  );
  undo.push(() => work.close());
  const background = makeBackground(startOf, data, delivery, work);
  const events = makeEvents(startOf, data, delivery);
  const fleet = await joinFleet(startOf, { data, delivery, background, port });
  const api = await makeServerApi(startOf, {
    ...{ data, delivery, background, events, fleet, work, load, port, tracing },
  });
  // Together: neither a slow admin request nor a slow player holds up the other side.
  undo.push(() => Promise.all([delivery.supervisor.stop(), closeApi(api, work)]));
  await delivery.supervisor.start();
  // When any port will do, the system chooses as it listens: another process cannot take it meanwhile.
  await api.listen({ host: options.adminHost, port: options.adminPort });
  const adminPort = portOf(api.server.address()) ?? options.adminPort;
  const metricsUrl = await openMetricsPort(startOf, api);
  const followUrl = await openFollowPort(options, delivery.hub);
  reloadOnHangUp(hangUps, delivery.supervisor, data.certificate, log);
  const closed = endWhenSignalled({
    delayMs: options.drainDelayMs,
    leave: () => {
      log.info(
        { event: 'leaving', delayMs: options.drainDelayMs },
        'going to end; serving until then',
      );
      delivery.supervisor.leave();
    },
    end: close,
  });
  await startBackground(startOf, background, fleet.shared);
  events.start();
  data.certificate?.serves();
  const { wanted: listeners } = delivery.supervisor;
  log.info(
    { event: 'serving', port, adminPort, listeners, sequence: data.writer.sequence },
    'serving',
  );
  return {
    deliveryUrl: deliveryUrlOf(options, port),
    adminUrl: `http://${shownHost(options.adminHost)}:${adminPort}/`,
    metricsUrl,
    followUrl,
    ownerToken: data.owner.token,
    ownerTokenFile: data.owner.tokenFile,
    closed,
  };
}

async function startBackground(
  { undo }: Start,
  { leaderJobs, upgrade }: Background,
  shared: SharedStoreServer | null,
): Promise<void> {
  if (shared === null) {
    await leaderJobs.start();
  } else {
    // The first to end: no edit waits for this server any more, and another one takes over the leader jobs.
    undo.push(async () => {
      await leaderJobs.close();
      await shared.close();
    });
    shared.start();
  }
  undo.push(() => upgrade.close());
  upgrade.start();
}

function portOf(address: AddressInfo | string | null): number | null {
  return typeof address === 'object' && address !== null ? address.port : null;
}

/**
 * Checks what does not depend on the data folder, for a command that works there before the start.
 * @throws ServeRejected
 */
export async function checkStart(options: ServeOptions): Promise<void> {
  chooseWork(options.native);
  checkCertificate(options);
  await checkPorts(options);
}

/** Gives the delivery port, chosen when any will do. */
export async function checkPorts(options: ServeOptions): Promise<number> {
  const port = await freePort(options.host, options.port, 'delivery');
  await freePort(options.adminHost, options.adminPort, 'admin');
  const { metricsHost, metricsPort } = options;
  if (metricsPort !== null) await freePort(metricsHost, metricsPort, 'metrics');
  const { followHost, followPort } = options;
  if (followPort !== null) await freePort(followHost, followPort, 'follow');
  return port;
}

/** Before anything is opened: `--native on` must not start without the addon. */
export function chooseWork(native: NativeChoice): void {
  try {
    chooseTextWork(native);
  } catch (error) {
    throw new ServeRejected(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

/** Lets admin requests under way finish, for a while; then their connections and their workers end. */
async function closeApi(
  api: Awaited<ReturnType<typeof makeAdminApi>>,
  work: WorkPool,
): Promise<void> {
  const timer = setTimeout(() => {
    api.server.closeAllConnections();
    void work.close();
  }, adminCloseMsMax);
  try {
    await api.close();
  } finally {
    clearTimeout(timer);
  }
}

/** SIGHUP replaces the delivery processes, one reload after the other. */
export function reloadOnHangUp(
  hangUps: HangUps,
  supervisor: Supervisor,
  certificate: DeliveryCertificate | null,
  log: Logger,
): void {
  let replacing: Promise<void> = Promise.resolve();
  hangUps.obey(() => {
    replacing = replacing
      .then(() =>
        certificate === null
          ? supervisor.replaceAll()
          : certificate.reload((trial) => supervisor.replaceAll(trial)),
      )
      .catch((error: unknown) =>
        log.error({ event: 'reload_failed', err: error }, 'the delivery processes stay'),
      );
  });
}
