/** Schema step 11: which values each event of the audit changed, so that the audit can be searched by path and value. */
import { type CreateTableBuilder, type SchemaModule, sql } from 'kysely';
import type { Db, StoreDialect } from '../dialect.js';

export async function changeIndexSchema(
  schema: SchemaModule,
  _bytesType: StoreDialect['bytesType'],
  db: Db,
): Promise<void> {
  await ofEvent(schema, 'audit_changes')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('from_revision', 'integer')
    .addColumn('to_revision', 'integer')
    .addColumn('places', 'integer', (column) => column.notNull())
    .addColumn('cut', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_changes_key', ['audit_id', 'item'])
    .execute();
  await byContent(schema, 'audit_changes');
  // Few events change more than is indexed. They are counted in each search.
  await schema
    .createIndex('audit_changes_cut')
    .on('audit_changes')
    .columns(['cut', 'audit_id'])
    .execute();
  await ofEvent(schema, 'audit_places')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('value_before', 'text')
    .addColumn('value_after', 'text')
    .addPrimaryKeyConstraint('audit_places_key', ['audit_id', 'item', 'position'])
    .execute();
  await byContent(schema, 'audit_places');
  await schema
    .createTable('change_index')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('indexed_to', 'text', (column) => column.notNull())
    .addColumn('filled_from', 'text', (column) => column.notNull())
    .execute();
  // What is there is indexed in the background, newest first: in the step it would take minutes. "~" follows every id.
  await sql`
    insert into change_index
    select 1, coalesce(max(id), ''), coalesce(max(id) || '~', '') from audit`.execute(db);
}

/** A table of what events changed in contents; its rows go with the event. */
function ofEvent(
  schema: SchemaModule,
  name: string,
): CreateTableBuilder<string, 'audit_id' | 'item' | 'id_lower'> {
  return schema
    .createTable(name)
    .addColumn('audit_id', 'text', (column) =>
      column.notNull().references('audit.id').onDelete('cascade'),
    )
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull());
}

/** The changes of one content may be few among very many. */
async function byContent(schema: SchemaModule, table: string): Promise<void> {
  await schema
    .createIndex(`${table}_by_content`)
    .on(table)
    .columns(['id_lower', 'audit_id'])
    .execute();
}
