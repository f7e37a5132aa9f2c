/** Databases on a PostgreSQL server of the tests: their addresses, their making and their end. */
import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';

const connectMillisMax = 10_000;
const queryMillisMax = 60_000;

/** The role Loadout signs in with: it owns its databases and is nothing beyond that. */
export const loadoutRole = 'loadout';
const superuser = 'postgres';

/** The address for Loadout of `database` on the servers at `ports`, in the order in which they are tried. */
export function databaseUrl(database: string, ...ports: number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://${loadoutRole}@${hosts}/${database}`;
}

/** Runs `sql` as superuser over a connection of its own; the rows of its last statement. */
export async function queryAsSuperuser<Row extends QueryResultRow>(
  port: number,
  sql: string,
  values: readonly unknown[] = [],
  database = 'postgres',
): Promise<Row[]> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    database,
    connectionTimeoutMillis: connectMillisMax,
    query_timeout: queryMillisMax,
  });
  // A server that goes away fails the query; what the connection says besides must not end the tests.
  client.on('error', () => {});
  try {
    await client.connect();
    // Without values several statements may go in one text, and are then answered by a list.
    const result = values.length === 0 ? client.query(sql) : client.query<Row>(sql, [...values]);
    const last = [await result].flat().at(-1);
    return (last?.rows ?? []) as Row[];
  } finally {
    // Not awaited: a server that answers no more does not answer this either.
    client.end().catch(() => {});
  }
}

/** A new database that belongs to Loadout's role, empty unless it is the copy of another one; its name. */
export async function createDatabase(port: number, template = 'template0'): Promise<string> {
  const name = `loadout_${randomBytes(6).toString('hex')}`;
  await queryAsSuperuser(port, `CREATE DATABASE ${name} OWNER ${loadoutRole} TEMPLATE ${template}`);
  return name;
}

/** Drops a database whoever is still connected. */
export async function dropDatabase(port: number, name: string): Promise<void> {
  await queryAsSuperuser(port, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
