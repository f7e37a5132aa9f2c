/** Brings a database's schema up to date with a role that may, and lets another one serve from it with the least rights it needs. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { withConnection } from '../store/connection.js';
import type { Db, StoreDialect } from '../store/dialect.js';
import { migrate, schemaNewest, schemaOf } from '../store/migrate.js';
import { postgresStore } from '../store/postgres/postgres.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import type { Tables } from '../store/tables/tables.js';
import { tableNames } from './copied-tables.js';
import { reachDatabase } from './reach-database.js';

/** The role cannot be given what it needs. The message is for the operator. */
export class GrantRejected extends Error {
  readonly code = 'grant_refused';
}

export interface Prepared {
  /** Step of the schema before; 0: there was none. */
  readonly before: number;
  readonly schema: number;
  /** The role that may serve from it now; null: none was named. */
  readonly grantedTo: string | null;
}

/**
 * May be done again at any time, also while servers run that the schema is not too new for.
 * @param grantTo a role that exists; null: the schema only
 * @param now milliseconds since the epoch
 * @throws SchemaNotUpToDate, SchemaForbidden, StoreTooNew, DatabaseUnreachable, GrantRejected
 */
export async function prepareDatabase(
  url: DatabaseUrl,
  grantTo: string | null,
  now: () => number,
): Promise<Prepared> {
  const dialect = postgresStore(url);
  return withConnection(dialect, 'write', async (db) => {
    const before = await reachDatabase(url, () => schemaOf(db, dialect));
    await migrate(db, dialect, now());
    if (grantTo !== null) await grant(db, dialect, grantTo);
    return { before, schema: schemaNewest, grantedTo: grantTo };
  });
}

/** All of it or nothing; what the role has already it keeps. */
async function grant(db: Kysely<Tables>, dialect: StoreDialect, role: string): Promise<void> {
  // As they are: the names of roles are not for Kysely to spell as it spells those of columns.
  await db
    .withoutPlugins()
    .transaction()
    .execute(async (transaction) => {
      // Of two at the same time, one would fail because the other changed the same rows.
      await dialect.lockSchema(transaction);
      await expectRole(transaction, role);
      const schema = await schemaOfTables(transaction);
      for (const statement of grants(schema, role)) await statement.execute(transaction);
      await expectConnect(transaction, role);
    });
}

function grants(schema: string, role: string): readonly RawBuilder<unknown>[] {
  const to = sql.id(role);
  const tables = tableNames
    .filter((name) => !(name in lesser))
    .map((name) => sql.id(schema, snakeCase(name)));
  return [
    sql`grant usage on schema ${sql.id(schema)} to ${to}`,
    sql`grant select on ${sql.id(schema, 'schema_version')} to ${to}`,
    sql`grant select, update on ${sql.id(schema, 'store_state')} to ${to}`,
    sql`grant select, insert, update, delete on ${sql.join(tables)} to ${to}`,
    // Tables that a later version adds are made by the same owner: its servers can use them at once.
    sql`alter default privileges in schema ${sql.id(schema)}
      grant select, insert, update, delete on tables to ${to}`,
  ];
}

/** Its one row is made with the schema, and is there for good. */
const lesser: Partial<Record<keyof Tables, true>> = { storeState: true };

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function expectRole(db: Db, role: string): Promise<void> {
  const { rows } = await sql`select 1 from pg_roles where rolname = ${role}`.execute(db);
  if (rows.length > 0) return;
  throw new GrantRejected(
    `There is no role ${JSON.stringify(role)}. Make it first: CREATE ROLE … LOGIN PASSWORD '…'.`,
  );
}

/** Where the tables are: the first of the owner's schemas, in which they were made. */
async function schemaOfTables(db: Db): Promise<string> {
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_namespace join pg_class on pg_namespace.oid = relnamespace
    where pg_class.oid = to_regclass('store_state')`.execute(db);
  const schema = rows[0]?.schema;
  if (schema === undefined) throw new GrantRejected('The tables are not in the search path.');
  return schema;
}

/** Everybody may, unless it was taken from them; then only the database's owner gives it. */
async function expectConnect(db: Db, role: string): Promise<void> {
  const { rows } = await sql<{ may: boolean; database: string }>`
    select has_database_privilege(${role}, current_database(), 'CONNECT') as may,
      current_database() as database`.execute(db);
  const found = rows[0];
  if (found === undefined || found.may) return;
  throw new GrantRejected(
    `The role may not connect to the database, and only its owner can change that: GRANT CONNECT ON DATABASE ${found.database} TO ….`,
  );
}
