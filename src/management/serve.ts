/** The control process: owns the store, the admin listener and published.db, and keeps the listeners running. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { type Logger, pino } from 'pino';
import type { DeliveryOptions } from '../published/barrier.js';
import { PublishedWriter } from '../published/writer.js';
import { makeAdminApi } from './api/admin-api.js';
import { DataFolder } from './data-folder.js';
import { portFreeMsMax } from './limits.js';
import { metricsText } from './metrics.js';
import { Publisher } from './publisher.js';
import { sqliteStore } from './store/sqlite.js';
import { Store } from './store/store.js';
import { Supervisor } from './supervisor.js';

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
}

export interface Served {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  /** The owner's token when it was just made; it is shown this once. */
  readonly ownerToken: string | null;
  /** The exit code, once everything is drained after SIGTERM or SIGINT. */
  readonly closed: Promise<number>;
}

/** What the operator asked for cannot be done; the message says what to change. */
export class ServeRefused extends Error {
  readonly code = 'serve_refused';
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
  const folder = new DataFolder(options.data);
  undo.push(() => folder.release());
  const store = await Store.open(sqliteStore(folder.storePath), Date.now);
  undo.push(() => store.close());
  const ownerToken = await store.ensureOwner(options.adminToken ?? undefined);
  const writer = new PublishedWriter(folder.publishedPath, store.id, Date.now);
  undo.push(() => writer.close());

  const port = await freePort(options.host, options.port, 'delivery');
  const listeners = options.listeners ?? defaultListeners();
  let announce = (_sequence: number): Promise<void> => Promise.resolve();
  const publisher = new Publisher(store, writer, (sequence) => announce(sequence));
  await publisher.start();
  const delivery = deliveryOptions(options, folder.publishedPath, port, listeners);
  const supervisor = new Supervisor(delivery, listeners, writer.sequence, log);
  announce = (sequence) => supervisor.announce(sequence);

  const adminPort = await freePort(options.adminHost, options.adminPort, 'admin');
  const api = await makeAdminApi({
    store,
    publish: (sequence: number) => publisher.publish(sequence),
    logger: log,
    status: async () => ({
      ready: supervisor.serving > 0,
      listeners: supervisor.serving,
      listenersWanted: supervisor.wanted,
      sequence: writer.sequence,
    }),
    metrics: async () => metricsText(await supervisor.measure(), supervisor.wanted),
    now: Date.now,
    limits: { textBytesMax: options.textBytesMax, textLevelsMax: options.textLevelsMax },
  });
  undo.push(() => supervisor.stop());
  undo.push(() => api.close());
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
  };
}

/**
 * The listeners share their port with SO_REUSEPORT, which would join a foreign server's silently: a plain
 * bind shows whether somebody has it. Our own listeners of a moment ago may still be leaving: waits for them.
 * @returns the port, chosen when `port` is 0
 */
async function freePort(host: string, port: number, name: string): Promise<number> {
  const until = Date.now() + portFreeMsMax;
  for (;;) {
    const result = await tryBind(host, port);
    if (typeof result === 'number') return result;
    const taken = result.code === 'EADDRINUSE';
    if (!taken || Date.now() > until) {
      throw new ServeRefused(
        taken
          ? `Port ${port} on ${host} (${name}) is served by another process; stop it or choose another port.`
          : `Cannot listen on ${host} port ${port} (${name}): ${result.code ?? result.message}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function tryBind(host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** Resolves on SIGTERM or SIGINT; SIGHUP replaces the listeners meanwhile. */
function untilTold(supervisor: Supervisor, log: Logger): Promise<void> {
  let replacing: Promise<void> = Promise.resolve();
  process.on('SIGHUP', () => {
    replacing = replacing
      .then(() => supervisor.replaceAll())
      .then(() => log.info('the delivery processes were replaced'))
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
