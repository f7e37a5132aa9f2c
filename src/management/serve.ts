/** The control process: owns the store, the admin listener and published.db, and keeps the listeners running. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Logger, pino } from 'pino';
import type { DeliveryOptions } from '../published/barrier.js';
import { makeAdminApi } from './api/admin-api.js';
import { DataFolder } from './data-folder.js';
import { freePort } from './free-port.js';
import { adminCloseMsMax } from './limits.js';
import { metricsText } from './metrics.js';
import { openPublished } from './open-published.js';
import { Publisher } from './publisher.js';
import { ServeRefused } from './serve-refused.js';
import { sqliteStore } from './store/sqlite.js';
import { Store } from './store/store.js';
import { Supervisor } from './supervisor.js';
import { WorkPool } from './work/work-pool.js';

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
  readonly textBytesMax: number;
  readonly textLevelsMax: number;
  readonly keyRateMax: number | null;
  readonly native: 'auto' | 'on' | 'off';
}

export interface Served {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  /** The owner's token when it was just made; it is shown this once. */
  readonly ownerToken: string | null;
  /** The exit code, once everything is drained after SIGTERM or SIGINT. */
  readonly closed: Promise<number>;
}

/** Starts everything, or nothing: what was started is ended again when a later step fails. */
export async function serve(options: ServeOptions): Promise<Served> {
  const log = pino({ level: options.logLevel, base: { process: 'control' } }, pino.destination(2));
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start(options, log, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: ServeOptions,
  log: Logger,
  undo: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Served> {
  for (const file of [options.tlsCert, options.tlsKey]) {
    if (file !== null && !existsSync(file)) throw new ServeRefused(`There is no file ${file}.`);
  }
  // Tokens and keys are in the data folder, if only as hashes; it may have been made for others to enter.
  process.umask(0o077);
  const folder = new DataFolder(options.data);
  undo.push(() => folder.release());
  const store = await Store.open(sqliteStore(folder.storePath), Date.now);
  undo.push(() => store.close());
  const ownerToken = await store.ensureOwner(options.adminToken ?? undefined);
  const writer = openPublished(folder.publishedPath, store.id, log);
  undo.push(() => writer.close());

  const port = await freePort(options.host, options.port, 'delivery');
  const listeners = options.listeners ?? defaultListeners();
  let announce = (_sequence: number): Promise<void> => Promise.resolve();
  const publisher = new Publisher({
    store,
    writer,
    announce: (sequence) => announce(sequence),
    log,
  });
  undo.push(() => publisher.close());
  await publisher.start();
  const delivery = deliveryOptions(options, folder.publishedPath, port, listeners);
  const supervisor = new Supervisor(delivery, listeners, writer.sequence, log);
  announce = (sequence) => supervisor.announce(sequence);

  const work = new WorkPool();
  undo.push(() => work.close());
  const adminPort = await freePort(options.adminHost, options.adminPort, 'admin');
  const api = await makeAdminApi({
    store,
    publish: (sequence: number) => publisher.publish(sequence),
    logger: log,
    status: async () => ({
      ready: supervisor.serving > 0 && !publisher.failing,
      listeners: supervisor.serving,
      listenersWanted: supervisor.wanted,
      sequence: writer.sequence,
    }),
    metrics: async () => metricsText(await supervisor.measure(), supervisor.wanted),
    now: Date.now,
    work,
    limits: { textBytesMax: options.textBytesMax, textLevelsMax: options.textLevelsMax },
  });
  // Together: neither a slow admin request nor a slow player holds up the other side.
  undo.push(() => Promise.all([supervisor.stop(), closeApi(api)]));
  await supervisor.start();
  await api.listen({ host: options.adminHost, port: adminPort });

  const scheme = options.tlsCert === null ? 'http' : 'https';
  const closed = untilTold(supervisor, log).then(async () => {
    await close();
    return 0;
  });
  log.info({ port, adminPort, listeners, sequence: writer.sequence }, 'serving');
  return {
    deliveryUrl: `${scheme}://${shownHost(options.host)}:${port}`,
    adminUrl: `http://${shownHost(options.adminHost)}:${adminPort}/`,
    ownerToken,
    closed,
  };
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
): DeliveryOptions {
  return {
    publishedPath,
    host: options.host,
    port,
    // Rendering is rare beside answering: a thread or two per listener, by what the machine has left.
    workers:
      options.workers ??
      Math.max(1, Math.min(2, Math.floor(availableParallelism() / listeners) - 1)),
    tlsCert: options.tlsCert,
    tlsKey: options.tlsKey,
    corsOrigins: options.corsOrigins,
    lenientCatalog: options.lenientCatalog,
    bodyBytesMax: options.bodyBytesMax,
    idsMax: options.idsMax,
    keyRateMax: options.keyRateMax,
    native: options.native,
    logLevel: options.logLevel,
  };
}

/** Lets admin requests under way finish, for a while. */
async function closeApi(api: Awaited<ReturnType<typeof makeAdminApi>>): Promise<void> {
  const timer = setTimeout(() => api.server.closeAllConnections(), adminCloseMsMax);
  try {
    await api.close();
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves on SIGTERM or SIGINT; SIGHUP replaces the listeners meanwhile. */
function untilTold(supervisor: Supervisor, log: Logger): Promise<void> {
  let replacing: Promise<void> = Promise.resolve();
  process.on('SIGHUP', () => {
    replacing = replacing
      .then(() => supervisor.replaceAll())
      .catch((error: unknown) => log.error({ err: error }, 'the delivery processes stay'));
  });
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
