/**
 * Schema step 14: people who sign in through an OpenID provider, when their sessions end, and which sign-ins are spent. It only adds. The
 * session of such a person stands for a token like any other, so older servers go on accepting it.
 */
import type { SchemaModule } from 'kysely';

export async function providerSignInSchema(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('user_identities')
    .addColumn('user_id', 'text', (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text', (column) =>
      column.unique().references('tokens.id').onDelete('set null'),
    )
    .addUniqueConstraint('user_identities_person', ['issuer', 'subject'])
    .execute();
  await schema.alterTable('sessions').addColumn('ends_at', 'bigint').execute();
  await schema
    .createTable('spent_sign_ins')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}
