/** Brings a store's schema up to date: numbered steps, never edited once they were released. */
import { randomUUID } from 'node:crypto';
import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Db, StoreDialect } from './dialect.js';
import { initialSchema } from './migrations/0001-initial.js';
import { authoringSchema } from './migrations/0002-authoring.js';
import { consoleSchema } from './migrations/0003-console.js';
import { fleetSchema } from './migrations/0004-fleet.js';
import { historySchema } from './migrations/0005-history.js';
import { attributesSchema } from './migrations/0006-attributes.js';
import { flagsSchema } from './migrations/0007-flags.js';
import { releasesSchema } from './migrations/0008-releases.js';
import { guardsSchema } from './migrations/0009-guards.js';
import { experimentsSchema } from './migrations/0010-experiments.js';
import { changeIndexSchema } from './migrations/0011-change-index.js';
import { trafficSchema } from './migrations/0012-traffic.js';
import { pastStatesSchema } from './migrations/0013-past-states.js';
import { providerSignInSchema } from './migrations/0014-provider-sign-in.js';
import { webhookFormatsSchema } from './migrations/0015-webhook-formats.js';
import { codeOf } from './store-errors.js';
import { randomStreamKey } from './stream-key.js';
import type { Tables } from './tables/tables.js';

/** A data folder from a newer Loadout: an older one must not touch it. */
export class StoreTooNew extends Error {
  readonly code = 'store_too_new';

  constructor(found: number, known: number) {
    super(
      `The store was written by a newer version of Loadout (schema ${found}; this version knows ${known}). ` +
        'Use that version, or restore a backup made before the upgrade.',
    );
    this.name = 'StoreTooNew';
  }
}

type Step = (
  schema: SchemaModule,
  bytesType: StoreDialect['bytesType'],
  db: Db,
  now: number,
) => Promise<void>;

const steps: readonly Step[] = [
  initialSchema,
  authoringSchema,
  consoleSchema,
  fleetSchema,
  historySchema,
  attributesSchema,
  flagsSchema,
  releasesSchema,
  guardsSchema,
  experimentsSchema,
  changeIndexSchema,
  trafficSchema,
  pastStatesSchema,
  providerSignInSchema,
  webhookFormatsSchema,
];

/** The schema that this version reads and writes. */
export const schemaNewest: number = steps.length;

/** The role that the server was given may not change the schema, and it must be changed. */
export class SchemaNotUpToDate extends Error {
  readonly code = 'schema_not_up_to_date';

  constructor(found: number, cause: unknown) {
    super(
      `The database's schema is at step ${found}, this version needs ${steps.length}, and the user it was given may not change it. ` +
        'Run "loadout database prepare" as a user who may, with --grant-to for this one.',
      { cause },
    );
    this.name = 'SchemaNotUpToDate';
  }
}

/** The role that the server was given may not even look. */
export class SchemaForbidden extends Error {
  readonly code = 'schema_forbidden';

  constructor(cause: unknown) {
    super(
      'The user it was given may not read its tables. Run "loadout database prepare" as their owner, with --grant-to for this one.',
      { cause },
    );
    this.name = 'SchemaForbidden';
  }
}

/**
 * Brings the schema up to date in one transaction, so that a crash leaves the old state or the new one, and of many
 * nodes that start together one does it. What is up to date is left alone: a role without such rights can start.
 * @throws StoreTooNew, SchemaNotUpToDate, SchemaForbidden
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  now: number,
): Promise<void> {
  if ((await schemaOf(db, dialect)) === steps.length) return;
  await db.transaction().execute(async (transaction) => {
    await dialect.lockSchema(transaction);
    const found = await schemaOf(transaction, dialect);
    if (found > steps.length) throw new StoreTooNew(found, steps.length);
    try {
      await applySteps(transaction, dialect, found, now);
    } catch (error) {
      throw isForbidden(error) ? new SchemaNotUpToDate(found, error) : error;
    }
  });
}

/** SQLSTATE: insufficient privilege, and no schema in the search path that the role may use. */
function isForbidden(error: unknown): boolean {
  return ['42501', '3F000'].includes(codeOf(error));
}

async function applySteps(
  transaction: Kysely<Tables>,
  dialect: StoreDialect,
  found: number,
  now: number,
): Promise<void> {
  const { schemaPlugin } = dialect;
  const schema =
    schemaPlugin === null ? transaction.schema : transaction.schema.withPlugin(schemaPlugin);
  if (found === 0) {
    await schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute();
  }
  for (const [index, step] of steps.entries()) {
    if (index < found) continue;
    await step(schema, dialect.bytesType, transaction, now);
    await sql`insert into schema_version values (${index + 1}, ${now})`.execute(transaction);
  }
  await transaction
    .insertInto('storeState')
    .values({
      ...{ id: 1, storeId: randomUUID(), sequence: 0, prunedTo: 0 },
      streamKey: randomStreamKey(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * The step that the schema is at; 0: there is none yet.
 * @throws SchemaForbidden
 */
export async function schemaOf(db: Db, dialect: StoreDialect): Promise<number> {
  if (!(await dialect.hasTable(db, 'schema_version'))) return 0;
  try {
    const { rows } = await sql<{ version: number | null }>`
      select max(version) as version from schema_version`.execute(db);
    return rows[0]?.version ?? 0;
  } catch (error) {
    throw isForbidden(error) ? new SchemaForbidden(error) : error;
  }
}
