/**
 * Connections to the server of a database that serves the purpose: the one that takes writes, or any. They
 * throw the store's errors instead of the driver's, and never acknowledge a write that may be lost.
 */

import pg from 'pg';
import { toClientConfig } from 'pg-connection-string';
import {
  databaseConnectMsMax,
  databaseIdleInTransactionMsMax,
  databaseIdleMs,
  databaseLockMsMax,
  databasePlansMax,
  databaseQueryMsMax,
} from '../../limits/database.js';
import {
  isConnectionError,
  postgresError,
  StoreUnavailable,
  WriteInDoubt,
} from '../store-errors.js';
import type { DatabaseServer, DatabaseUrl } from './url.js';

export interface PoolUse {
  /** Whether a standby will not do: it takes no writes, and may not have the newest of them. */
  readonly primary: boolean;
  readonly writes: boolean;
  readonly max: number;
  /**
   * Whether the server keeps the plans of statements: what all nodes ask after each edit is a few, over and over, and
   * planning them took half of its time (bench/fleet). Not for others, whose lists of values never end.
   */
  readonly keepsPlans: boolean;
}

interface QueryResult {
  readonly command: 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE';
  readonly rowCount: number;
  // biome-ignore lint/suspicious/noExplicitAny: the rows of whatever was asked; Kysely types them.
  readonly rows: any[];
}

export class PostgresPool {
  readonly #url: DatabaseUrl;
  readonly #use: PoolUse;
  readonly #pools = new Map<DatabaseServer, pg.Pool>();
  /** The server that was right last. */
  #present: number = 0;
  #ended = false;

  constructor(url: DatabaseUrl, use: PoolUse) {
    this.#url = url;
    this.#use = use;
  }

  /** @throws StoreUnavailable */
  async connect(): Promise<PostgresClient> {
    const { servers } = this.#url;
    let failure: unknown = null;
    for (let tried = 0; tried < servers.length && !this.#ended; tried += 1) {
      const at = (this.#present + tried) % servers.length;
      try {
        const client = await this.#connectTo(servers[at] as DatabaseServer);
        this.#present = at;
        return client;
      } catch (error) {
        // What says most stays: that a server is a standby says less than why the primary is away.
        failure = failure === null || isStandby(failure) ? error : failure;
      }
    }
    throw postgresError(failure ?? new Error('The pool has ended.'));
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }

  async #connectTo(server: DatabaseServer): Promise<PostgresClient> {
    const client = await this.#borrow(this.#poolOf(server));
    try {
      await prepare(client, this.#use);
      return new PostgresClient(client, this.#use.keepsPlans);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #borrow(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      const isBusy = pool.totalCount >= this.#use.max && pool.idleCount === 0;
      throw isBusy ? new StoreUnavailable(error, busy) : error;
    }
  }

  #poolOf(server: DatabaseServer): pg.Pool {
    const known = this.#pools.get(server);
    if (known !== undefined) return known;
    const pool = new pg.Pool({
      ...clientOptions(this.#url, server, this.#use),
      max: this.#use.max,
      idleTimeoutMillis: databaseIdleMs,
    });
    // A connection that breaks while it is idle is replaced at its next use.
    pool.on('error', () => undefined);
    // A query reports the end of its connection; without a listener for the event the process would end, too.
    pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pools.set(server, pool);
    return pool;
  }
}

const rejected = 'The database rejects the request; the log of the server says more.';
const busy = 'The database is busy with other writes. Nothing was changed; try again in a moment.';

/** What every connection of Loadout says of itself and asks for. */
export function clientOptions(
  url: DatabaseUrl,
  server: DatabaseServer,
  use: PoolUse,
): pg.ClientConfig {
  const config = toClientConfig(url.options as Parameters<typeof toClientConfig>[0]);
  return {
    ...config,
    host: server.host,
    port: server.port,
    application_name: config.application_name ?? 'loadout',
    connectionTimeoutMillis: databaseConnectMsMax,
    query_timeout: databaseQueryMsMax,
    keepAlive: true,
    types: { getTypeParser },
    options: [config.options ?? '', ...settings(use)].join(' ').trim(),
  };
}

/*
 * No statement_timeout: a commit that waits for its synchronous standby would be reported as done by it, and the edit
 * be acknowledged although only one server has it. Our own deadline (query_timeout) closes the connection instead.
 */
function settings({ writes }: PoolUse): string[] {
  const common = [
    // A node that is cut off in the middle of a write must not hold up the others for the two hours of TCP.
    '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    '-c tcp_user_timeout=25000',
    '-c statement_timeout=0',
    '-c jit=off',
  ];
  if (!writes) return [...common, '-c default_transaction_read_only=on'];
  return [
    ...common,
    // Of a snapshot that is older than the turn to write, the write would fail.
    '-c default_transaction_isolation=read\\ committed -c default_transaction_read_only=off',
    `-c lock_timeout=${databaseLockMsMax}`,
    `-c idle_in_transaction_session_timeout=${databaseIdleInTransactionMsMax}`,
  ];
}

const prepared = new WeakSet<pg.PoolClient>();

/** Asks a connection once, when it is new, whether it leads to the right server. */
async function prepare(client: pg.PoolClient, use: PoolUse): Promise<void> {
  if (prepared.has(client)) return;
  const { rows } = await client.query<{ standby: boolean; commit: string; encoding: string }>(
    `select pg_is_in_recovery() as standby, current_setting('synchronous_commit') as commit,
       current_setting('server_encoding') as encoding`,
  );
  const found = rows[0];
  if (found === undefined) throw new Error('The database says nothing of itself.');
  if (found.standby && use.primary) throw new Standby();
  if (found.encoding !== 'UTF8') throw new EncodingUnusable(found.encoding);
  // What is acknowledged is on a disk, whatever the cluster's default is.
  if (use.writes && found.commit === 'off') await client.query('set synchronous_commit = on');
  prepared.add(client);
}

class Standby extends Error {
  readonly code = '25006';

  constructor() {
    super('The server is a standby.');
  }
}

function isStandby(error: unknown): boolean {
  return error instanceof Standby;
}

/** Texts of all languages must fit. */
export class EncodingUnusable extends Error {
  readonly code = 'encoding_unusable';

  constructor(found: string) {
    super(`The database must be of encoding UTF8, and is of ${found}.`);
  }
}

/** A borrowed connection, as Kysely's PostgreSQL dialect uses one. */
export class PostgresClient {
  readonly #client: pg.PoolClient;
  readonly #keepsPlans: boolean;
  #isBroken = false;

  constructor(client: pg.PoolClient, keepsPlans: boolean) {
    this.#client = client;
    this.#keepsPlans = keepsPlans;
  }

  /** @throws StoreUnavailable, WriteInDoubt, or what the database rejected */
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own interface of a client.
  query(text: any, parameters?: readonly unknown[]): any {
    if (text === 'commit') return this.#commit();
    // It would fail, and stand in the place of what broke the connection; the server rolls back by itself.
    if (text === 'rollback' && this.#isBroken)
      return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    return this.#query(text, parameters);
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** Closes the connection instead of giving it back. */
  destroy(): void {
    this.#client.release(true);
  }

  /**
   * From now on `received` is called with the payload of each notification on a channel that the connection listens to,
   * and `ended` once when it is gone.
   */
  onNotification(received: (payload: string) => void, ended: () => void): void {
    this.#client.on('notification', ({ payload }) => received(payload ?? ''));
    this.#client.on('end', ended);
  }

  async #query(text: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    try {
      const name = this.#keepsPlans ? planName(text) : undefined;
      const values = [...parameters];
      return (await this.#client.query({ text, values, ...(name && { name }) })) as QueryResult;
    } catch (error) {
      if (isConnectionError(error)) this.#isBroken = true;
      const failure = postgresError(error);
      // A follower only reads what the server wrote: the cause is the database, or a change made to it by hand.
      const isTheirs = this.#keepsPlans && error instanceof pg.DatabaseError;
      throw isTheirs && failure === error ? new StoreUnavailable(error, rejected) : failure;
    }
  }

  async #commit(): Promise<QueryResult> {
    const warnings: unknown[] = [];
    const warned = (warning: unknown): void => {
      warnings.push(warning);
    };
    this.#client.on('notice', warned);
    let result: QueryResult;
    try {
      result = (await this.#client.query('commit')) as unknown as QueryResult;
    } catch (error) {
      if (!isConnectionError(error)) throw postgresError(error);
      this.#isBroken = true;
      throw new WriteInDoubt(error);
    } finally {
      this.#client.off('notice', warned);
    }
    // A statement had failed and the error was swallowed: nothing was kept.
    if ((result.command as string) === 'ROLLBACK') {
      throw new Error('The transaction had failed, and was committed all the same.');
    }
    // The wait for the synchronous standby was cancelled: the edit is on one server, and may be lost with it.
    if (warnings.length > 0) throw new WriteInDoubt(warnings[0]);
    return result;
  }
}

const planNames = new Map<string, string>();

/** The same for the same text; none once there are too many: each connection of the server keeps them all. */
function planName(text: string): string | undefined {
  const known = planNames.get(text);
  if (known !== undefined || planNames.size >= databasePlansMax) return known;
  const name = `loadout-${planNames.size}`;
  planNames.set(text, name);
  return name;
}

const int8 = 20;
const numeric = 1700;

/** Counts, times and sums are numbers here as in SQLite: none of them comes near 2^53. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (
  id: number,
  format?: 'text' | 'binary',
) => (id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format as 'text'));
