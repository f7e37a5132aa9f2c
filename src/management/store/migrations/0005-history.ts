/**
 * Schema step 5: what was live when, the revisions of segments, what syncs and imports did to each content, by which rule
 * contents are hashed, and which versions may write while a fleet is upgraded.
 */
import { type SchemaModule, sql } from 'kysely';
import { noteOldTransfers } from '../contents/audited-contents.js';
import type { Db, StoreDialect } from '../dialect.js';

export async function historySchema(
  schema: SchemaModule,
  _bytesType: StoreDialect['bytesType'],
  db: Db,
): Promise<void> {
  await segmentRevisions(schema, db);
  await publications(schema, db);
  await auditedContents(schema, db);
  await schema.alterTable('revision_lines').addColumn('state_hash', 'text').execute();
  await schema
    .alterTable('store_state')
    .addColumn('writers_min', 'integer', (column) => column.notNull().defaultTo(5))
    .execute();
  await schema
    .alterTable('store_state')
    .addColumn('hash_rule', 'text', (column) => column.notNull().defaultTo('state'))
    .execute();
  // A store that is new has no row yet. What this one has was hashed by the old rule.
  await sql`update store_state set hash_rule = 'json'`.execute(db);
  await schema
    .alterTable('nodes')
    .addColumn('schema', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function segmentRevisions(schema: SchemaModule, db: Db): Promise<void> {
  await schema
    .alterTable('segments')
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await schema
    .createTable('segment_revisions')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('synced_from', 'text')
    .addColumn('synced_revision', 'integer')
    .addPrimaryKeyConstraint('segment_revisions_key', ['environment', 'name', 'number'])
    .execute();
  // Of a segment that was saved before its revisions were kept the present state is known, and since when. What a sync
  // brought has the very time of the sync's own event.
  await sql`
    insert into segment_revisions
    select segments.environment, segments.name, 1, condition, coalesce(user_name, ''), '', updated_at,
      (select min(sync.name) from audit as sync
        where sync.environment = segments.environment and sync.action = 'environment.sync' and sync.at = audit.at),
      null
    from segments
    left join (
      select environment, name, max(id) as id from audit where action = 'segment.put' group by environment, name
    ) as newest on newest.environment = segments.environment and newest.name = segments.name
    left join audit on audit.id = newest.id`.execute(db);
}

async function publications(schema: SchemaModule, db: Db): Promise<void> {
  await schema
    .createTable('publications')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('number', 'integer')
    .addPrimaryKeyConstraint('publications_key', ['environment', 'id_lower', 'at'])
    .addForeignKeyConstraint(
      'publications_of_content',
      ['environment', 'id_lower'],
      'contents',
      ['environment', 'id_lower'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  // Whatever made a revision live also set the time of the content's last change: it has been live since then at least.
  await sql`insert into publications select environment, id_lower, updated_at, live from contents`.execute(
    db,
  );
}

async function auditedContents(schema: SchemaModule, db: Db): Promise<void> {
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
  await noteOldTransfers(db);
}
