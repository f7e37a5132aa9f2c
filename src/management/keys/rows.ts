/** Rows of API keys: created, listed, edited, revoked. The key itself is never stored. */
import type { Selectable } from 'kysely';
import type { KeyPurpose } from '../../published/change.js';
import type { Db } from '../store/dialect.js';
import { randomId } from '../store/ids.js';
import { requireExperimentWriters } from '../store/require-writers.js';
import { hashSecret, makeSecret, prefixOf } from '../store/secret.js';
import type { ApiKeysTable } from '../store/tables/environments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface ApiKey {
  readonly id: string;
  readonly environment: string;
  readonly label: string;
  readonly purpose: KeyPurpose;
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
  const rows = await keys(db)
    .where('environment', '=', environment)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(keyOf);
}

export async function findKey(db: Db, environment: string, id: string): Promise<ApiKey | null> {
  const row = await keys(db)
    .where('environment', '=', environment)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : keyOf(row);
}

function keys(db: Db) {
  return db
    .selectFrom('apiKeys')
    .leftJoin('keyPurposes', 'keyPurposes.keyId', 'apiKeys.id')
    .selectAll('apiKeys')
    .select('purpose');
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
    readonly purpose?: KeyPurpose | undefined;
    readonly expiresAtMs: number | null;
  },
): Promise<MadeKey | null> {
  const { purpose = 'game' } = request;
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
  if (purpose === 'events') await insertPurpose(write, row.id, purpose);
  write.markChanged('key', environment, row.hash);
  const made = keyOf({ ...row, purpose });
  await write.audit('key.create', environment, row.id, {
    prefix: row.prefix,
    before: null,
    after: facts(made),
  });
  return { ...made, key };
}

/** Earlier versions take every key for a game's. */
async function insertPurpose(write: UnitOfWork, keyId: string, purpose: 'events'): Promise<void> {
  await requireExperimentWriters(write);
  await write.db.insertInto('keyPurposes').values({ keyId, purpose }).execute();
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
    .returning('hash')
    .executeTakeFirst();
  const after = row === undefined ? null : await findKey(write.db, environment, id);
  if (row === undefined || after === null) return;
  write.markChanged('key', environment, row.hash);
  await write.audit('key.revoke', environment, id, {
    prefix: after.prefix,
    before: facts({ ...after, revokedAtMs: null }),
    after: facts(after),
  });
}

/** What an edit can change, for the audit; and the purpose of a key that is no game's. */
function facts(key: ApiKey): Readonly<Record<string, string | null>> {
  return {
    label: key.label,
    ...(key.purpose === 'game' ? {} : { purpose: key.purpose }),
    expiresAt: timeOf(key.expiresAtMs),
    revokedAt: timeOf(key.revokedAtMs),
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

type KeyRow = Selectable<ApiKeysTable> & { readonly purpose: KeyPurpose | null };

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    environment: row.environment,
    label: row.label,
    purpose: row.purpose ?? 'game',
    prefix: row.prefix,
    createdAtMs: row.createdAt,
    expiresAtMs: row.expiresAt,
    revokedAtMs: row.revokedAt,
    lastUsedAtMs: row.lastUsedAt,
  };
}
