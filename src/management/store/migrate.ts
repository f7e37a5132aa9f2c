/** Brings a store's schema up to date: numbered steps, never edited once they were released. */
import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { StoreDialect } from './dialect.js';
import { initialSchema } from './migrations/0001-initial.js';
import { authoringSchema } from './migrations/0002-authoring.js';
import { consoleSchema } from './migrations/0003-console.js';
import type { Tables } from './tables.js';

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

type Step = (schema: SchemaModule, bytesType: StoreDialect['bytesType']) => Promise<void>;

const steps: readonly Step[] = [initialSchema, authoringSchema, consoleSchema];

/** The schema that this version reads and writes. */
export const schemaNewest: number = steps.length;

/**
 * Brings the schema up to date in one transaction, so that a crash leaves the old state or the new one.
 * @throws StoreTooNew
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  now: number,
): Promise<void> {
  await db.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.transaction().execute(async (transaction) => {
    const rows = await sql<{ version: number | null }>`
      select max(version) as version from schema_version`.execute(transaction);
    const found = rows.rows[0]?.version ?? 0;
    if (found > steps.length) throw new StoreTooNew(found, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index < found) continue;
      await step(transaction.schema, dialect.bytesType);
      await sql`insert into schema_version values (${index + 1}, ${now})`.execute(transaction);
    }
  });
}
