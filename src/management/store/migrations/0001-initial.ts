/** Schema step 1: the tables of the first version. */
import type { SchemaModule } from 'kysely';
import type { StoreDialect } from '../dialect.js';

/** Everything the first version keeps. */
export async function initialSchema(
  schema: SchemaModule,
  bytesType: StoreDialect['bytesType'],
): Promise<void> {
  await schema
    .createTable('store_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('store_id', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('pruned_to', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('environments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('protected', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema
    .createIndex('api_keys_by_environment')
    .on('api_keys')
    .column('environment')
    .execute();
  await schema
    .createTable('segments')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('segments_key', ['environment', 'name'])
    .execute();
  await schema
    .createTable('texts')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('bytes', bytesType === 'blob' ? 'blob' : 'bytea', (column) => column.notNull())
    .execute();
  await contentTables(schema);
  await revisionTables(schema);
  await schema
    .createTable('change_log')
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('change_log_key', ['sequence', 'position'])
    .execute();
  await peopleTables(schema);
}

async function contentTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('contents')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('schema', 'text')
    .addColumn('newest', 'integer', (column) => column.notNull())
    .addColumn('live', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('contents_key', ['environment', 'id_lower'])
    .execute();
}

async function revisionTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('revisions')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('mapping', 'text', (column) => column.references('texts.digest'))
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('revisions_key', ['environment', 'id_lower', 'number'])
    .addForeignKeyConstraint(
      'revisions_of_content',
      ['environment', 'id_lower'],
      'contents',
      ['environment', 'id_lower'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createTable('revision_lines')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('text_digest', 'text', (column) => column.notNull().references('texts.digest'))
    .addColumn('text_bytes', 'integer', (column) => column.notNull())
    .addColumn('json_digest', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('json_bytes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('revision_lines_key', ['environment', 'id_lower', 'number', 'version'])
    .addForeignKeyConstraint(
      'lines_of_revision',
      ['environment', 'id_lower', 'number'],
      'revisions',
      ['environment', 'id_lower', 'number'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createTable('revision_segments')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('id_lower', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('segment', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('revision_segments_key', [
      'environment',
      'segment',
      'id_lower',
      'number',
    ])
    .addForeignKeyConstraint(
      'segments_of_revision',
      ['environment', 'id_lower', 'number'],
      'revisions',
      ['environment', 'id_lower', 'number'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  // The cascade from revisions looks rows up by content, which the key above does not begin with.
  await schema
    .createIndex('revision_segments_by_revision')
    .on('revision_segments')
    .columns(['environment', 'id_lower', 'number'])
    .execute();
}

async function peopleTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('tokens_by_user').on('tokens').column('user_id').execute();
  await schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
}
