/** Schema step 2: what a sync leaves behind, what deletion takes back, who may edit where, webhooks and their deliveries. */
import type { SchemaModule } from 'kysely';

export async function authoringSchema(schema: SchemaModule): Promise<void> {
  await schema.alterTable('revisions').addColumn('synced_from', 'text').execute();
  await schema.alterTable('revisions').addColumn('synced_revision', 'integer').execute();
  await schema.alterTable('contents').addColumn('live_before', 'integer').execute();
  await schema.alterTable('users').addColumn('environments', 'text').execute();
  await schema
    .alterTable('tokens')
    .addColumn('label', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await schema.alterTable('tokens').addColumn('last_used_at', 'bigint').execute();
  // Whether a text is still used is asked for every text when unused ones are removed, by the foreign keys as well.
  await schema
    .createIndex('revision_lines_by_text')
    .on('revision_lines')
    .column('text_digest')
    .execute();
  await schema.createIndex('revisions_by_mapping').on('revisions').column('mapping').execute();
  await schema
    .createIndex('audit_by_environment')
    .on('audit')
    .columns(['environment', 'id'])
    .execute();
  await schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('environments', 'text')
    .addColumn('events', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('secret_before', 'text')
    .addColumn('secret_before_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .addColumn('disabled_reason', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) =>
      column.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('last_attempt_at', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text', (column) => column.notNull())
    .addColumn('last_duration_ms', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('webhook_deliveries_by_webhook')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'id'])
    .execute();
  await schema
    .createIndex('webhook_deliveries_by_status')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'status', 'id'])
    .execute();
}
