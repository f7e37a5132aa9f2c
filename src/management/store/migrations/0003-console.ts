/** Schema step 3: what the console needs: who is signed in, and the user contexts that a team tries its contents with. */
import type { SchemaModule } from 'kysely';

export async function consoleSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_id', 'text', (column) =>
      column.notNull().references('tokens.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  // The cascade from tokens looks sessions up by token, and so does the limit per user.
  await schema.createIndex('sessions_by_token').on('sessions').column('token_id').execute();
  await schema.createIndex('sessions_by_use').on('sessions').column('used_at').execute();
  await schema
    .createTable('sample_users')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('context', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('sample_users_key', ['environment', 'name'])
    .execute();
}
