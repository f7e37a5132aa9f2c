/** The tables of events in PostgreSQL, in a schema of their own: partitioned by day of receipt, made where they are not there (D97). */
import type { ClientBase } from 'pg';
import { columnsOf, type EventTable, eventTables, keyOf } from '../rows.js';
import { eventSchema } from './event-database.js';

/** Held while tables and partitions are made: of two servers that do so at once, one would fail. */
const makingLock = 0x10ad_e7e5;

/** Columns that may be null. */
const optional: readonly string[] = ['attributes'];

/** Makes the schema and its tables. */
export async function makeEventTables(client: ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS made', [
    `${eventSchema}.settings`,
  ]);
  if (rows[0]?.made === true) return;
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(${makingLock})`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${eventSchema}`);
  for (const table of eventTables) await client.query(tableSql(table));
  await client.query(
    `CREATE TABLE IF NOT EXISTS forgotten_users (environment text NOT NULL, hash text NOT NULL, at bigint NOT NULL, PRIMARY KEY (environment, hash))`,
  );
  await client.query(
    `CREATE TABLE IF NOT EXISTS settings (name text PRIMARY KEY, value text NOT NULL)`,
  );
  await client.query('COMMIT');
}

/** The index on the key keeps an event that is stored again out, and finds a user's. */
function tableSql(table: EventTable): string {
  const columns = columnsOf[table].map(
    ({ name, postgres }) => `"${name}" ${postgres}${optional.includes(name) ? '' : ' NOT NULL'}`,
  );
  return `CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')}, UNIQUE (${keyOf[table].join(', ')}, day)) PARTITION BY RANGE (day)`;
}

/** Partitions for the days of rows that are about to be inserted. */
export async function makePartitions(
  client: ClientBase,
  table: EventTable,
  days: readonly string[],
): Promise<void> {
  const missing = [];
  for (const day of days) {
    const name = partitionName(table, day);
    const { rows } = await client.query('SELECT to_regclass($1) IS NULL AS missing', [
      `${eventSchema}.${name}`,
    ]);
    if (rows[0]?.missing === true) missing.push({ name, day });
  }
  if (missing.length === 0) return;
  await client.query(`SELECT pg_advisory_xact_lock(${makingLock})`);
  for (const { name, day } of missing) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}')`,
    );
  }
}

/** Removes the partitions of days before `firstKept`. */
export async function dropPartitions(client: ClientBase, firstKept: string): Promise<void> {
  for (const table of eventTables) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass`,
      [`${eventSchema}.${table}`],
    );
    const first = partitionName(table, firstKept);
    for (const { name } of rows) {
      const isOld = partitionPattern.test(name) && name.length === first.length && name < first;
      if (isOld) await client.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }
}

const partitionPattern = /^[a-z_]+_\d{8}$/;

function partitionName(table: EventTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3_600_000).toISOString().slice(0, 10);
}
