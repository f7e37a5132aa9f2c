/** Schema step 5: what the audit's syncs and imports did to each content, and the audit by name. */
import type { SchemaModule } from 'kysely';

export async function auditedContentsSchema(schema: SchemaModule): Promise<void> {
  // The audit of one content is what people ask for most, and its events may be few among very many.
  await schema.createIndex('audit_by_name').on('audit').columns(['name', 'id']).execute();
  await schema
    .createTable('audited_contents')
    .addColumn('audit_id', 'text', (column) =>
      column.notNull().references('audit.id').onDelete('cascade'),
    )
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('change', 'text', (column) => column.notNull())
    .addColumn('live_before', 'bigint')
    .addColumn('live_after', 'bigint')
    .addColumn('newest', 'bigint')
    .addColumn('from_revision', 'bigint')
    .addPrimaryKeyConstraint('audited_contents_key', ['audit_id', 'id_lower'])
    .execute();
  await schema
    .createIndex('audited_contents_by_content')
    .on('audited_contents')
    .columns(['id_lower', 'audit_id'])
    .execute();
}
