/**
 * Schema step 15: the form in which a webhook is sent its messages (D125). What was there before receives what it did.
 */
import type { SchemaModule } from 'kysely';

export async function webhookFormatsSchema(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable('webhooks')
    .addColumn('format', 'text', (column) => column.notNull().defaultTo('loadout'))
    .execute();
}
