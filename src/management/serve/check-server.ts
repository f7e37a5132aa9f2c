/**
 * What `serve --check` looks at: all that a start would reject, one after the other. It changes nothing, makes no file and holds no
 * lock, so it can be run beside the server that is to be restarted.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BetterSqlite3 } from '../../published/sqlite-driver.js';
import { StoreTooNew, schemaNewest, schemaOf } from '../store/migrate.js';
import { certificateHint } from '../store/postgres/certificate-hint.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { codeOf, StoreUnavailable } from '../store/store-errors.js';
import { CertificateUnusable } from '../tls/certificate-pair.js';
import { readPair } from '../tls/read-pair.js';
import { readHeaders } from '../tracing/headers-file.js';
import { availableCores } from './available-cores.js';
import { processCount } from './delivery.js';
import { freePort } from './free-port.js';
import type { ServeOptions } from './options.js';

export interface Check {
  readonly name: string;
  readonly isPassed: boolean;
  /** What was found, or why a start would fail. */
  readonly text: string;
}

/** Why a check did not pass; the message is for the operator. */
class NotPassed extends Error {}

/** In the order in which a start needs them. */
export async function* checkServer(options: ServeOptions): AsyncGenerator<Check> {
  const path = resolve(options.data);
  const isInUse = isLocked(path);
  yield* check('processes', () => describeProcesses(options));
  yield* check('certificate', () => checkCertificate(options));
  yield* check('data folder', () => checkFolder(path, isInUse));
  const { database, databaseReplica, eventsDatabase } = options;
  if (options.follow !== null) {
    yield* check('follow token', () =>
      checkReadable('--follow-token-file', options.followTokenFile),
    );
  } else if (database === null) yield* check('store', () => checkEmbedded(join(path, 'store.db')));
  else yield* check('database', () => using(database, checkDatabase));
  if (databaseReplica !== null) yield* check('replica', () => using(databaseReplica, reach));
  if (eventsDatabase !== null) yield* check('events database', () => using(eventsDatabase, reach));
  const { prometheusTokenFile, otlpHeadersFile } = options;
  yield* check('prometheus', () => checkReadable('--prometheus-token-file', prometheusTokenFile));
  yield* check('traces', () => checkHeaders(otlpHeadersFile));
  for (const [name, host, port] of portsOf(options)) {
    yield* check(name, () => checkPort(host, port, name, isInUse));
  }
}

/** @param look gives what was found; null: there is nothing to check */
async function* check(
  name: string,
  look: () => Promise<string | null> | string | null,
): AsyncGenerator<Check> {
  try {
    const text = await look();
    if (text !== null) yield { name, isPassed: true, text };
  } catch (error) {
    yield { name, isPassed: false, text: error instanceof Error ? error.message : String(error) };
  }
}

function describeProcesses({ processes }: ServeOptions): string {
  const [count, cores] = [processCount(processes), availableCores()];
  return `${count} delivery ${count === 1 ? 'process' : 'processes'}, ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

function checkCertificate({ tlsCert, tlsKey }: ServeOptions): string | null {
  if (tlsCert === null || tlsKey === null) return null;
  const { facts } = readPair({ cert: tlsCert, key: tlsKey });
  const until = new Date(facts.expiresAtMs).toISOString();
  if (facts.expiresAtMs <= Date.now()) {
    throw new CertificateUnusable(`The certificate in ${tlsCert} expired at ${until}.`);
  }
  return `valid until ${until}`;
}

function checkFolder(path: string, isInUse: boolean): string {
  if (!existsSync(path)) {
    let above = dirname(path);
    while (!existsSync(above)) above = dirname(above);
    expectWritable(above);
    return `${path} will be made`;
  }
  if (!statSync(path).isDirectory()) throw new NotPassed(`${path} is not a folder.`);
  expectWritable(path);
  return isInUse ? `${path}, which a running server uses: stop it first` : path;
}

function expectWritable(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const uid = process.getuid?.();
    const who = uid === undefined ? '' : ` by the user with id ${uid}`;
    throw new NotPassed(`${folder} cannot be written to${who}.`);
  }
}

/** Whether a server has the folder's lock, which keeps others from reading the file. */
function isLocked(folder: string): boolean {
  const path = join(folder, 'lock.db');
  if (!existsSync(path)) return false;
  try {
    const lock = new BetterSqlite3(path, { readonly: true, timeout: 0 });
    try {
      lock.prepare('SELECT count(*) FROM sqlite_schema').get();
      return false;
    } finally {
      lock.close();
    }
  } catch (error) {
    return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
  }
}

function checkEmbedded(path: string): string {
  if (!existsSync(path)) return 'store.db will be made';
  const store = new BetterSqlite3(path, { readonly: true });
  try {
    const found = store.prepare('SELECT max(version) AS version FROM schema_version').get();
    return describeSchema((found as { version: number | null }).version ?? 0, 'a copy is kept');
  } finally {
    store.close();
  }
}

/** @throws StoreTooNew */
function describeSchema(found: number, meanwhile: string): string {
  if (found > schemaNewest) throw new StoreTooNew(found, schemaNewest);
  if (found === schemaNewest) return `schema ${found}, up to date`;
  if (found === 0) return `the tables will be made (schema ${schemaNewest})`;
  return `schema ${found}, which the start brings to ${schemaNewest}; ${meanwhile}`;
}

/** @throws NotPassed with the address, without its password, where the database cannot be used */
async function using(
  url: DatabaseUrl,
  look: (url: DatabaseUrl) => Promise<string>,
): Promise<string> {
  try {
    return await look(url);
  } catch (error) {
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    const code = codeOf(cause);
    const message = certificateHint(cause) ?? (cause instanceof Error ? cause.message : '');
    const why = error instanceof StoreTooNew || code === '' ? message : `${message} (${code})`;
    throw new NotPassed(`${url.shown} cannot be used: ${why}`, { cause: error });
  }
}

async function checkDatabase(url: DatabaseUrl): Promise<string> {
  const { postgresStore } = await import('../store/postgres/postgres.js');
  const dialect = postgresStore(url);
  const db = dialect.connect('read');
  try {
    const schema = await schemaOf(db, dialect);
    return `${url.shown}: ${describeSchema(schema, 'make a backup first')}`;
  } finally {
    await db.destroy();
  }
}

async function reach(url: DatabaseUrl): Promise<string> {
  const { PostgresPool } = await import('../store/postgres/pool.js');
  const pool = new PostgresPool(url, { primary: false, writes: false, max: 1, keepsPlans: false });
  try {
    const client = await pool.connect();
    client.release();
    return `${url.shown} responds`;
  } finally {
    await pool.end();
  }
}

function checkReadable(flag: string, path: string | null): string | null {
  if (path === null) return null;
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new NotPassed(`${flag}: ${path} cannot be read.`);
  }
  return `${path} can be read`;
}

async function checkHeaders(path: string | null): Promise<string | null> {
  const text = checkReadable('--otlp-headers-file', path);
  if (path !== null) await readHeaders(path);
  return text;
}

type PortRow = readonly [name: string, host: string, port: number];

function portsOf(options: ServeOptions): readonly PortRow[] {
  const { host, port, adminHost, adminPort, metricsHost, metricsPort } = options;
  const { followHost, followPort } = options;
  return [
    ['delivery port', host, port],
    ['admin port', adminHost, adminPort],
    ...(metricsPort === null ? [] : [['metrics port', metricsHost, metricsPort] as const]),
    ...(followPort === null ? [] : [['follow port', followHost, followPort] as const]),
  ];
}

async function checkPort(
  host: string,
  port: number,
  name: string,
  isInUse: boolean,
): Promise<string> {
  if (port === 0) return `${host}, any free port`;
  try {
    await freePort(host, port, name.replace(' port', ''), 0);
    return `${host} port ${port} is free`;
  } catch (error) {
    // The server that is to be restarted has it.
    if (isInUse) return `${host} port ${port} is served, perhaps by the running server`;
    throw error;
  }
}
