/** Schema step 6: names of attributes that requests have carried. It only adds, so older servers go on writing. */
import type { SchemaModule } from 'kysely';

export async function attributesSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('seen_attributes')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_attributes_key', ['environment', 'name'])
    .execute();
}
