/** The control process: owns the store, the admin listener and published.db, and keeps the listeners running. */
import type { AddressInfo } from 'node:net';
import { availableParallelism, hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import type { NativeChoice } from '../../native/native-choice.js';
import { chooseTextWork } from '../../native/text-work.js';
import { programFolder } from '../../program-folder.js';
import type { DeliveryOptions } from '../../published/barrier.js';
import { PublishedDamaged } from '../../published/damage.js';
import { ProcessLoad } from '../../published/process-load.js';
import { type DroppedLines, standardStream } from '../../published/standard-stream.js';
import { SeenAttributeRetention } from '../attributes/seen-attribute-retention.js';
import { AttributesSeen } from '../attributes/seen-attributes.js';
import { AuditRetention } from '../audit/retention.js';
import { copyStoreInThread } from '../backup/backup-in-thread.js';
import type { Fleet } from '../fleet/fleet.js';
import { FleetGauges } from '../fleet/fleet-gauges.js';
import { SingleServer } from '../fleet/single-server.js';
import { BodyBudgets } from '../http/body/body-budgets.js';
import { LeaderJobs } from '../jobs/leader-jobs.js';
import { WorkPool } from '../jobs/work-pool.js';
import { adminCloseMsMax, pollEveryMs, replicaPollEveryMs, storeGaugesMsMax } from '../limits.js';
import { metricsText } from '../metrics.js';
import { Supervisor } from '../processes/supervisor.js';
import { PublishedFile } from '../publishing/published-file.js';
import { Publisher } from '../publishing/publisher.js';
import { Housekeeping } from '../retention/housekeeping.js';
import { ServeRejected } from '../serve-rejected.js';
import { DataFolder } from '../store/data-folder.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { StaleCache } from '../store/stale-cache.js';
import { isDiskFault, StoreDamaged, StoreUnavailable } from '../store/store-faults.js';
import { checkCertificate, openCertificate } from '../tls/configured-certificate.js';
import type { DeliveryCertificate } from '../tls/delivery-certificate.js';
import { LastUsed } from '../users/last-used.js';
import { Owner } from '../users/owner.js';
import { DeliveryRetention } from '../webhooks/delivery-retention.js';
import { WebhookDispatcher } from '../webhooks/dispatcher.js';
import { webhookGauges } from '../webhooks/webhook-gauges.js';
import { tasks } from '../worker/tasks.js';
import { makeAdminApi } from './admin-api.js';
import { freePort } from './free-port.js';
import { HangUps } from './hang-ups.js';
import { openStore } from './open-store.js';
import { TextCheck } from './text-check.js';
import { UpgradeFinish } from './upgrade-finish.js';

/** Ports: 0 chooses a free one. Sizes in bytes. */
export interface ServeOptions {
  readonly port: number;
  readonly adminPort: number;
  readonly host: string;
  readonly adminHost: string;
  readonly data: string;
  /** null: a default that follows the cores. */
  readonly listeners: number | null;
  readonly workers: number | null;
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  readonly adminToken: string | null;
  readonly corsOrigins: readonly string[];
  readonly lenientCatalog: boolean;
  readonly logLevel: string;
  readonly bodyBytesMax: number;
  readonly idsMax: number;
  readonly combineBytesMax: number;
  readonly refreshBytesMax: number;
  readonly textBytesMax: number;
  readonly textLevelsMax: number;
  readonly keyRateMax: number | null;
  readonly native: NativeChoice;
  /** Proxies before the admin port whose X-Forwarded-For is believed: addresses or networks. */
  readonly trustedProxies: readonly string[];
  /** Days that the audit is kept; null: for ever. */
  readonly auditDaysKept: number | null;
  /** How often it is written when keys and tokens were used last, milliseconds. */
  readonly lastUsedEveryMs: number;
  /** Whether webhooks may go to loopback and link-local addresses. */
  readonly webhooksToLocal: boolean;
  /** Newest revisions of each content; null: all. */
  readonly keepRevisions: number | null;
  /** Days that deleted contents can be brought back; null: for ever. */
  readonly keepDeletedDays: number | null;
  /** A session of the console that is not used for so long ends, milliseconds. */
  readonly sessionIdleMs: number;
  /** The PostgreSQL database that servers share; null: the embedded store of the data folder. */
  readonly database: DatabaseUrl | null;
  /** A standby of it, whose log is followed; null: the database itself. */
  readonly databaseReplica: DatabaseUrl | null;
  /** What people call this server; null: as its host is called. */
  readonly nodeName: string | null;
  /** Whether an owner's token that is made goes to a file of the data folder: nobody is there to see it printed. */
  readonly ownerTokenToFile: boolean;
  /** Whether an empty store may take the place of contents that are served. */
  readonly acceptEmptyStore: boolean;
  /** Of Loadout. */
  readonly version: string;
}

export interface Served {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
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
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start(options, log, undo, close);
  } catch (error) {
    await close();
    if (!isDiskFault(error) && !(error instanceof StoreUnavailable)) throw error;
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

async function start(
  options: ServeOptions,
  log: Logger,
  undo: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Served> {
  chooseWork(options.native);
  const load = new ProcessLoad();
  const hangUps = new HangUps();
  undo.push(() => hangUps.close());
  const folder = new DataFolder(options.data);
  undo.push(() => folder.release());
  const certificate = openCertificate(options, folder, log);
  undo.push(() => certificate?.close());
  const writer = new PublishedFile(folder.publishedPath, log);
  undo.push(() => writer.close());
  const { database, databaseReplica } = options;
  const publishedFrom = writer.storeId;
  const store = await openStore({
    ...{ database, databaseReplica, folder, publishedFrom, log },
    publishedWasDamaged: writer.wasDamaged,
  });
  undo.push(() => store.close());
  const { adminToken: given, ownerTokenToFile: toFile } = options;
  const owner = new Owner({ store, folder, log, given, toFile });
  await owner.ensure(database !== null && publishedFrom !== '');
  const lastUsed = new LastUsed(store, log, options.lastUsedEveryMs);
  undo.push(() => lastUsed.close());
  const attributesSeen = new AttributesSeen(store, log, Date.now, options.lastUsedEveryMs);
  undo.push(() => attributesSeen.close());

  const port = await checkPorts(options);
  const listeners = options.listeners ?? defaultListeners();
  // Before the listeners start there is nobody to wait for.
  let supervisor: Supervisor | null = null;
  const publisher = new Publisher({
    store,
    writer,
    announce: async (sequence) => supervisor?.announce(sequence),
    isServed: () => supervisor === null || supervisor.serving > 0,
    withoutReaders: async (work) =>
      supervisor === null ? work() : supervisor.withoutReaders(work),
    log,
    acceptEmpty: options.acceptEmptyStore,
  });
  undo.push(() => publisher.close());
  await publisher.start();
  store.guardWrites(() => ({
    sequence: Math.max(publisher.served, writer.sequence),
    refusal: publisher.refusal,
    takesEmpty: options.acceptEmptyStore || writer.servesNothing,
  }));
  const delivery: DeliveryOptions = {
    ...deliveryOptions(options, folder.publishedPath, port, listeners),
    tlsCert: certificate?.path ?? null,
    tlsKey: certificate?.path ?? null,
  };
  const relayDropped: DroppedLines = { count: 0 };
  const running = new Supervisor({
    options: delivery,
    count: listeners,
    sequence: writer.sequence,
    log,
    used: (keys) => {
      for (const [hash, atMs] of keys) lastUsed.key(hash, atMs);
    },
    attributes: (seen) => attributesSeen.note(seen),
    damaged: (detail) => publisher.repair(detail === null ? null : new PublishedDamaged(detail)),
    logged: (line) => standardStream(2).write(line, relayDropped),
  });
  supervisor = running;

  const housekeeping = new Housekeeping({
    store,
    rules: { revisionsKept: options.keepRevisions, deletedDaysKept: options.keepDeletedDays },
    now: Date.now,
    log,
  });
  const toLocal = options.webhooksToLocal;
  const webhooks = new WebhookDispatcher({ store, log, now: Date.now, toLocal });
  const textCheck = new TextCheck({ store, log });
  const chores = new LeaderJobs([
    new AuditRetention(store, log, Date.now, options.auditDaysKept),
    housekeeping,
    webhooks,
    new DeliveryRetention(store, log, Date.now),
    new SeenAttributeRetention(store, log, Date.now),
    textCheck,
  ]);
  undo.push(() => chores.close());
  // No chore: a server of an older version may do those, and goes on doing them until it ends.
  const upgrade = new UpgradeFinish({
    store,
    publish: (sequence) => publisher.publish(sequence),
    log,
  });
  const work = new WorkPool(tasks, options.native, (error) =>
    log.error({ err: error }, 'a worker ended; another takes its place'),
  );
  undo.push(() => work.close());
  const scheme = options.tlsCert === null ? 'http' : 'https';
  const deliveryUrl = `${scheme}://${shownHost(options.host)}:${port}`;
  const self = {
    name: options.nodeName ?? hostname(),
    address: `${scheme}://${isAnyHost(options.host) ? hostname() : shownHost(options.host)}:${port}`,
    version: options.version,
  };
  const state = () => {
    const { sequence, mark } = writer.position;
    const { served } = publisher;
    // Between the writing of a number and its being served, the mark is that of the next one.
    return {
      sequence: served,
      mark: served === sequence && mark !== '' ? mark : null,
      serving: running.serving,
    };
  };
  const shared =
    database === null
      ? null
      : // Loaded only for a fleet, with the driver of PostgreSQL.
        new (await import('../fleet/shared-store-server.js')).SharedStoreServer({
          url: database,
          store,
          log,
          storeAvailable: !publisher.storeAway,
          nodeId: { id: folder.nodeId(), keep: (id) => folder.keepNodeId(id) },
          self,
          state,
          connected: async () => {
            await owner.ensureLate();
            publisher.resume();
          },
          wentBack: () => publisher.resume(),
          pull: () => publisher.pull(),
          publish: (sequence) => publisher.publish(sequence),
          chores,
          pollEveryMs: databaseReplica === null ? pollEveryMs : replicaPollEveryMs,
        });
  const fleet: Fleet =
    shared ?? new SingleServer({ ...self, startedAtMs: Date.now(), now: Date.now, state });
  const webhookNumbers = new StaleCache(() => webhookGauges(store), [], storeGaugesMsMax);
  const fleetGauges = new FleetGauges(fleet, () => publisher.served);
  const bodyBudgets = new BodyBudgets();
  const api = await makeAdminApi({
    bodyBudgets,
    deliveryUrl,
    store,
    publish: (sequence: number) => publisher.publish(sequence),
    fleet,
    logger: log,
    status: async () => ({
      ready: running.serving > 0 && !publisher.failing,
      listeners: running.serving,
      listenersWanted: running.wanted,
      sequence: writer.sequence,
      store: publisher.storeAway || !fleet.status().storeAvailable ? 'unavailable' : 'available',
      ...(certificate === null
        ? {}
        : { certificate: certificate.state, certificateExpiresAt: certificate.expiresAt }),
    }),
    metrics: async () =>
      metricsText({
        listeners: await running.measure(),
        wanted: running.wanted,
        restarts: running.restarts,
        sequence: writer.sequence,
        load,
        gauges: [
          ...(await webhookNumbers.soon()),
          ...(await fleetGauges.read()),
          ...bodyBudgets.gauges(),
          ...work.gauges(),
          ...textCheck.gauges,
          ...(certificate?.gauges() ?? []),
        ],
        logLinesDropped: {
          control: standardStream(2).dropped.count,
          delivery: relayDropped.count,
        },
      }),
    now: Date.now,
    lastUsed,
    trustedProxies: options.trustedProxies,
    sessionIdleMs: options.sessionIdleMs,
    consoleFolder: fileURLToPath(new URL('console', programFolder)),
    work,
    backup: async () => {
      const path = folder.scratchPath('backup');
      await copyStoreInThread(database ?? folder.storePath, path);
      return path;
    },
    housekeeping,
    webhooks,
    limits: { textBytesMax: options.textBytesMax, textLevelsMax: options.textLevelsMax },
  });
  // Together: neither a slow admin request nor a slow player holds up the other side.
  undo.push(() => Promise.all([running.stop(), closeApi(api, work)]));
  await running.start();
  // When any port will do, the system chooses as it listens: another process cannot take it meanwhile.
  await api.listen({ host: options.adminHost, port: options.adminPort });
  const adminPort = portOf(api.server.address()) ?? options.adminPort;
  reloadOnHangUp(hangUps, running, certificate, log);
  const closed = untilTold().then(async () => {
    await close();
    return 0;
  });
  if (shared === null) {
    await chores.start();
  } else {
    // First of all to end: nobody waits for this server any more, and another one does the chores.
    undo.push(async () => {
      await chores.close();
      await shared.close();
    });
    shared.start();
  }
  undo.push(() => upgrade.close());
  upgrade.start();
  certificate?.serves();
  log.info({ port, adminPort, listeners, sequence: writer.sequence }, 'serving');
  return {
    deliveryUrl,
    adminUrl: `http://${shownHost(options.adminHost)}:${adminPort}/`,
    ownerToken: owner.token,
    ownerTokenFile: owner.tokenFile,
    closed,
  };
}

function portOf(address: AddressInfo | string | null): number | null {
  return typeof address === 'object' && address !== null ? address.port : null;
}

/**
 * What would refuse a start whatever is in the data folder, for who has work to do there before it.
 * @throws ServeRefused
 */
export async function checkStart(options: ServeOptions): Promise<void> {
  chooseWork(options.native);
  checkCertificate(options);
  await checkPorts(options);
}

/** Gives the delivery port, chosen when any will do. */
async function checkPorts(options: ServeOptions): Promise<number> {
  const port = await freePort(options.host, options.port, 'delivery');
  await freePort(options.adminHost, options.adminPort, 'admin');
  return port;
}

/** Before anything is opened: a server that was told to use the addon must not start without it. */
function chooseWork(native: NativeChoice): void {
  try {
    chooseTextWork(native);
  } catch (error) {
    throw new ServeRejected(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

/** One core for the control process, the pool and the kernel; the others answer. */
function defaultListeners(): number {
  return Math.max(1, availableParallelism() - 1);
}

function deliveryOptions(
  options: ServeOptions,
  publishedPath: string,
  port: number,
  listeners: number,
): Omit<DeliveryOptions, 'tlsCert' | 'tlsKey'> {
  return {
    publishedPath,
    host: options.host,
    port,
    // Rendering is rare beside answering: a thread or two per listener, by what the machine has left.
    workers:
      options.workers ??
      Math.max(1, Math.min(2, Math.floor(availableParallelism() / listeners) - 1)),
    corsOrigins: options.corsOrigins,
    lenientCatalog: options.lenientCatalog,
    bodyBytesMax: options.bodyBytesMax,
    idsMax: options.idsMax,
    combineBytesMax: options.combineBytesMax,
    refreshBytesMax: options.refreshBytesMax,
    keyRateMax: options.keyRateMax,
    native: options.native,
    keysUsedEveryMs: options.lastUsedEveryMs,
    logLevel: options.logLevel,
  };
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
function reloadOnHangUp(
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
      .catch((error: unknown) => log.error({ err: error }, 'the delivery processes stay'));
  });
}

/** Resolves on SIGTERM or SIGINT. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function isAnyHost(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function shownHost(host: string): string {
  if (isAnyHost(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
