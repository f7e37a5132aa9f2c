/** Schema step 4: what several nodes need of one store: marks of the numbers, a clock they share, who they are. */
import type { SchemaModule } from 'kysely';

export async function fleetSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('sequences')
    .addColumn('sequence', 'bigint', (column) => column.primaryKey())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .alterTable('store_state')
    .addColumn('written_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('store_state')
    .addColumn('writer', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await schema
    .createTable('staged_texts')
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('staged_texts_key', ['digest', 'holder'])
    .execute();
  await schema
    .createTable('nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('serving', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
}
