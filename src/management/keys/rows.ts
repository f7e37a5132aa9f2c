/** Rows of API keys: created, listed, edited, revoked. The key itself is never stored. */
import type { Selectable } from 'kysely';
import type { Db } from '../store/dialect.js';
import { randomId } from '../store/ids.js';
import { hashSecret, makeSecret, prefixOf } from '../store/secret.js';
import type { ApiKeysTable } from '../store/tables.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface ApiKey {
  readonly id: string;
  readonly environment: string;
  readonly label: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** To the minute or so: delivery processes report it now and then, not per request. */
  readonly lastUsedAtMs: number | null;
}

interface KeyEdit {
  readonly label?: string | undefined;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAtMs?: number | null | undefined;
}

/** `key`: the text, which cannot be had again. */
interface MadeKey extends ApiKey {
  readonly key: string;
}

export async function listKeys(db: Db, environment: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(keyOf);
}

export async function findKey(db: Db, environment: string, id: string): Promise<ApiKey | null> {
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
 * @param request.expiresAtMs milliseconds since the epoch; null: never
 */
export async function insertKey(
  write: UnitOfWork,
  environment: string,
  request: {
    readonly key?: string | undefined;
    readonly label: string;
    readonly expiresAtMs: number | null;
  },
): Promise<MadeKey | null> {
  const key = request.key ?? makeSecret('lo_');
  const row = {
    id: randomId('key'),
    environment,
    label: request.label,
    prefix: prefixOf(key),
    hash: hashSecret(key),
    createdAt: write.at,
    expiresAt: request.expiresAtMs,
    revokedAt: null,
    lastUsedAt: null,
  };
  const inserted = await write.db
    .insertInto('apiKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return null;
  write.markChanged('key', environment, row.hash);
  const made = keyOf(row);
  await write.audit('key.create', environment, row.id, {
    prefix: row.prefix,
    before: null,
    after: facts(made),
  });
  return { ...made, key };
}

/** Revoked ones count too: they stay in the listing. */
export async function countKeys(db: Db, environment: string): Promise<number> {
  const { count } = await db
    .selectFrom('apiKeys')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What is left out stays. */
export async function updateKey(write: UnitOfWork, key: ApiKey, edit: KeyEdit): Promise<ApiKey> {
  const { label = key.label, expiresAtMs = key.expiresAtMs } = edit;
  if (label === key.label && expiresAtMs === key.expiresAtMs) return key;
  const edited: ApiKey = { ...key, label, expiresAtMs };
  const row = await write.db
    .updateTable('apiKeys')
    .set({ label, expiresAt: expiresAtMs })
    .where('id', '=', key.id)
    .returning('hash')
    .executeTakeFirstOrThrow();
  write.markChanged('key', key.environment, row.hash);
  await write.audit('key.update', key.environment, key.id, {
    prefix: key.prefix,
    before: facts(key),
    after: facts(edited),
  });
  return edited;
}

/** A revoked key stays in the listing; revoking it again changes nothing. */
export async function revokeKey(write: UnitOfWork, environment: string, id: string): Promise<void> {
  const row = await write.db
    .updateTable('apiKeys')
    .set({ revokedAt: write.at })
    .where('environment', '=', environment)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return;
  write.markChanged('key', environment, row.hash);
  const after = keyOf(row);
  await write.audit('key.revoke', environment, id, {
    prefix: row.prefix,
    before: facts({ ...after, revokedAtMs: null }),
    after: facts(after),
  });
}

/** What an edit can change, for the audit. */
function facts(key: ApiKey): Readonly<Record<string, string | null>> {
  return {
    label: key.label,
    expiresAt: timeOf(key.expiresAtMs),
    revokedAt: timeOf(key.revokedAtMs),
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
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
