/** Schema step 7: which values of a content OFREP's bulk evaluation lists, and the secret that tokens of streams are sealed with. */
import { type SchemaModule, sql } from 'kysely';
import type { Db, StoreDialect } from '../dialect.js';
import { randomStreamKey } from '../stream-key.js';

export async function flagsSchema(
  schema: SchemaModule,
  _bytesType: StoreDialect['bytesType'],
  db: Db,
): Promise<void> {
  await schema
    .alterTable('revisions')
    .addColumn('flags', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await schema
    .alterTable('store_state')
    .addColumn('stream_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // A store that is new has no row yet.
  await sql`update store_state set stream_key = ${randomStreamKey()}`.execute(db);
}
