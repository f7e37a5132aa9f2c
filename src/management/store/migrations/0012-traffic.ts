/**
 * A part of schema step 12: what environments keep of the user contexts that requests carry, and frequent values of attributes. It only
 * adds, so older servers go on writing.
 */
import type { SchemaModule } from 'kysely';

export async function trafficSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('traffic_policies')
    .addColumn('environment', 'text', (column) =>
      column.primaryKey().references('environments.id').onDelete('cascade'),
    )
    .addColumn('kept', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('seen_values')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('looked', 'bigint', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_values_key', ['environment', 'name'])
    .execute();
}
