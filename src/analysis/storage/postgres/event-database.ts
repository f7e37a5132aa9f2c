/** Connections to the database of events: to the first of its servers that takes writes. */
import pg from 'pg';
import { StorageFailed } from '../storage-failed.js';

const connectMsMax = 10_000;
/** Any statement: a copy of a batch, a query of an analysis. A job has a limit of its own above it. */
const statementMsMax = 300_000;
/** Another server makes the tables, or the partitions of a day: a moment. */
const lockMsMax = 15_000;

export const eventSchema = 'loadout_events';

/** As libpq reads them: what each connection sets. */
const settings = [
  '-c timezone=UTC',
  '-c datestyle=ISO',
  '-c jit=off',
  `-c search_path=${eventSchema}`,
  `-c statement_timeout=${statementMsMax}`,
  `-c lock_timeout=${lockMsMax}`,
  '-c idle_in_transaction_session_timeout=60000',
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
];

export class EventDatabase {
  readonly #servers: readonly pg.ClientConfig[];

  constructor(servers: readonly pg.ClientConfig[]) {
    this.#servers = servers;
  }

  /**
   * Lends a connection.
   * @throws StorageFailed `sink_unavailable` where no server can be reached that takes writes
   */
  async use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      return await work(client);
    } catch (error) {
      throw databaseFailure(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** In a transaction, which commits when `work` has succeeded. */
  transaction<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    });
  }

  async #connect(): Promise<pg.Client> {
    let failure: unknown = null;
    for (const server of this.#servers) {
      const client = new pg.Client({
        ...server,
        application_name: server.application_name ?? 'loadout events',
        connectionTimeoutMillis: connectMsMax,
        keepAlive: true,
        options: [server.options ?? '', ...settings].join(' ').trim(),
      });
      // The query that is under way reports it as well.
      client.on('error', () => undefined);
      try {
        await client.connect();
        if (await takesWrites(client)) return client;
        failure ??= new Error('The server is a standby.');
      } catch (error) {
        failure = error;
      }
      await client.end().catch(() => undefined);
    }
    throw databaseFailure(failure);
  }
}

async function takesWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
  return rows[0]?.standby === false;
}

/** SQLSTATE classes of values that a table does not take; a missing privilege or table is none of them. */
const ofValues = /^2[23]/;
const diskFull = '53100';

function databaseFailure(error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = `The database of events: ${error instanceof Error ? error.message || code : String(error)}`;
  if (code === diskFull) return new StorageFailed('disk_full', message, { cause: error });
  if (!ofValues.test(code)) return new StorageFailed('sink_unavailable', message, { cause: error });
  return new StorageFailed('failed', message, { cause: error, mayBeBatch: true });
}
