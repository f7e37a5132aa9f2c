/** Schema step 8: releases with their changes, reviews, ramps and counted users; review policies; who made users and tokens. */
import type { CreateTableBuilder, SchemaModule } from 'kysely';

export async function releasesSchema(schema: SchemaModule): Promise<void> {
  await policies(schema);
  await segmentDrafts(schema);
  await releases(schema);
  await changes(schema);
  await reviews(schema);
  await ramps(schema);
}

async function policies(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('review_policies')
    .addColumn('environment', 'text', (column) =>
      column.primaryKey().references('environments.id').onDelete('cascade'),
    )
    .addColumn('required', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createTable('user_origins')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('service', 'integer', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('token_origins')
    .addColumn('token_id', 'text', (column) => column.primaryKey())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .execute();
}

async function segmentDrafts(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('segment_publications')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('number', 'integer')
    .addColumn('newest', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('segment_publications_key', ['environment', 'name', 'at'])
    .execute();
}

async function releases(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('releases')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('release', 'integer', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('steps', 'text', (column) => column.notNull())
    .addColumn('brake', 'text')
    .addColumn('scheduled_at', 'bigint')
    .addColumn('tolerance_ms', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_by_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('submitted_by', 'text')
    .addColumn('submitted_by_name', 'text')
    .addColumn('submitted_at', 'bigint')
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('run', 'integer', (column) => column.notNull())
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('step_at', 'bigint')
    .addColumn('held_ms', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('counted_below', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint')
    .addColumn('emergency', 'text')
    .addColumn('live_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('releases_key', ['environment', 'release'])
    .execute();
  await schema
    .createIndex('releases_by_state')
    .on('releases')
    .columns(['state', 'scheduled_at'])
    .execute();
}

async function changes(schema: SchemaModule): Promise<void> {
  await ofRelease(schema, 'release_changes')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer')
    .addColumn('base', 'integer')
    .addColumn('edit', 'text')
    .addColumn('live_before', 'integer')
    .addColumn('live_after', 'integer')
    .addColumn('added_by', 'text', (column) => column.notNull())
    .addColumn('added_by_name', 'text', (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_changes_key', ['environment', 'release', 'kind', 'name'])
    .execute();
  await schema
    .createTable('release_reach')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('release', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_reach_key', ['environment', 'kind', 'name'])
    .addForeignKeyConstraint(
      'release_reach_release',
      ['environment', 'release'],
      'releases',
      ['environment', 'release'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}

async function reviews(schema: SchemaModule): Promise<void> {
  await ofRelease(schema, 'release_approvals')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('comment', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_approvals_key', ['environment', 'release', 'user_id'])
    .execute();
  await ofRelease(schema, 'release_timeline')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint')
    .addColumn('permille', 'integer')
    .addColumn('text', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('release_timeline_by_release')
    .on('release_timeline')
    .columns(['environment', 'release', 'id'])
    .execute();
}

async function ramps(schema: SchemaModule): Promise<void> {
  await ofRelease(schema, 'release_users')
    .addColumn('run', 'integer', (column) => column.notNull())
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('user_hash', 'text', (column) => column.notNull())
    .addColumn('slice', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('ok', 'integer')
    .addPrimaryKeyConstraint('release_users_key', [
      ...['environment', 'release', 'run', 'step', 'user_hash'],
    ] as ['environment'])
    .execute();
}

/** A table of rows that belong to a release and go with it. */
function ofRelease(
  schema: SchemaModule,
  name: string,
): CreateTableBuilder<string, 'environment' | 'release'> {
  return schema
    .createTable(name)
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('release', 'integer', (column) => column.notNull())
    .addForeignKeyConstraint(
      `${name}_release`,
      ['environment', 'release'],
      'releases',
      ['environment', 'release'],
      (constraint) => constraint.onDelete('cascade'),
    ) as CreateTableBuilder<string, 'environment' | 'release'>;
}
