/** Events in the tables of the PostgreSQL sink. */
import type { ClientBase } from 'pg';
import type { Dialect, EventDatabase, SqlRow } from './event-database.js';

export const postgresDialect: Dialect = {
  epochMs: (timestamp) => `cast(extract(epoch from ${timestamp}) * 1000 as bigint)`,
  dayOf: (epochMs) => `cast(to_timestamp((${epochMs}) / 1000.0) at time zone 'UTC' as date)`,
  shortKey: (text) => text,
  shortKeyType: 'text',
  byBytes: (text) => `${text} collate "C"`,
};

/**
 * @param client in a transaction that sees one state of the tables, may make temporary ones and is rolled back
 */
export async function postgresEvents(client: ClientBase): Promise<EventDatabase> {
  await client.query(
    "select set_config('DateStyle', 'ISO', true), set_config('TimeZone', 'UTC', true)",
  );
  return {
    dialect: postgresDialect,
    // Its unique index is of each day.
    mayRepeat: true,
    query: async (sql, parameters) => (await client.query<SqlRow>(sql, [...parameters])).rows,
  };
}

/**
 * Changes whenever rows of any environment do, within seconds: PostgreSQL's own counters of what was added to and removed
 * from each partition. Looking at the rows would take as long as an analysis.
 */
export async function postgresFingerprint(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ fingerprint: string }>(
    `select coalesce(md5(string_agg(concat_ws(' ', relid, n_tup_ins, n_tup_upd, n_tup_del), ',' order by relid)), '') as fingerprint
     from pg_stat_user_tables where schemaname = current_schema()`,
  );
  return rows[0]?.fingerprint ?? '';
}
