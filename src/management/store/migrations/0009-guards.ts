/** Schema step 9: guards of contents, environments that have findings confirmed, and what releases were confirmed with. */
import type { SchemaModule } from 'kysely';

export async function guardsSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('content_guards')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('guards', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('content_guards_key', ['environment', 'id_lower'])
    .addForeignKeyConstraint(
      'guards_of_content',
      ['environment', 'id_lower'],
      'contents',
      ['environment', 'id_lower'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createTable('confirm_policies')
    .addColumn('environment', 'text', (column) =>
      column.primaryKey().references('environments.id').onDelete('cascade'),
    )
    .execute();
  await schema
    .createTable('release_findings')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('release', 'integer', (column) => column.notNull())
    .addColumn('findings', 'text', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('confirmed', 'text')
    .addColumn('needs_approval', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_findings_key', ['environment', 'release'])
    .addForeignKeyConstraint(
      'findings_of_release',
      ['environment', 'release'],
      'releases',
      ['environment', 'release'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}
