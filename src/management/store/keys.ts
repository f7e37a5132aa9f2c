/** Rows of API keys: made, listed, revoked. The key itself is never stored. */
import type { Selectable } from 'kysely';
import type { Reading } from './dialect.js';
import { randomId } from './random-id.js';
import { hashSecret, makeSecret, prefixOf } from './secret.js';
import type { ApiKeysTable } from './tables.js';
import type { Write } from './write.js';

export interface ApiKey {
  readonly id: string;
  readonly environment: string;
  readonly label: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

/** `key`: the text, which cannot be had again. */
export interface MadeKey extends ApiKey {
  readonly key: string;
}

export async function listKeys(db: Reading, environment: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(keyOf);
}

export async function findKey(
  db: Reading,
  environment: string,
  id: string,
): Promise<ApiKey | null> {
  const row = await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('environment', '=', environment)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : keyOf(row);
}

/**
 * Makes a key, or takes the given one. Null: the given key exists already, in whatever environment.
 * @param wish.expiresAtMs milliseconds since the epoch; null: never
 */
export async function insertKey(
  write: Write,
  environment: string,
  wish: {
    readonly key?: string | undefined;
    readonly label: string;
    readonly expiresAtMs: number | null;
  },
): Promise<MadeKey | null> {
  const key = wish.key ?? makeSecret('lo_');
  const row = {
    id: randomId('key'),
    environment,
    label: wish.label,
    prefix: prefixOf(key),
    hash: hashSecret(key),
    createdAt: write.at,
    expiresAt: wish.expiresAtMs,
    revokedAt: null,
    lastUsedAt: null,
  };
  const inserted = await write.db
    .insertInto('apiKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return null;
  write.touch('key', environment, row.hash);
  await write.audit('key.create', environment, row.id, { label: row.label, prefix: row.prefix });
  return { ...keyOf(row), key };
}

/** A revoked key stays in the listing; revoking it again changes nothing. */
export async function revokeKey(write: Write, environment: string, id: string): Promise<void> {
  const row = await write.db
    .updateTable('apiKeys')
    .set({ revokedAt: write.at })
    .where('environment', '=', environment)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(['hash', 'label', 'prefix'])
    .executeTakeFirst();
  if (row === undefined) return;
  write.touch('key', environment, row.hash);
  await write.audit('key.revoke', environment, id, { label: row.label, prefix: row.prefix });
}

function keyOf(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    environment: row.environment,
    label: row.label,
    prefix: row.prefix,
    createdAtMs: row.createdAt,
    expiresAtMs: row.expiresAt,
    revokedAtMs: row.revokedAt,
    lastUsedAtMs: row.lastUsedAt,
  };
}
