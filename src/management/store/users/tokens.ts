/** Rows of admin tokens: made, found by their text, listed, revoked. A token itself is never stored. */
import type { Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import { randomId } from '../ids.js';
import { hashSecret, makeSecret, prefixOf } from '../secret.js';
import type { TokensTable } from '../tables.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type User, userOf } from './users.js';

export interface Token {
  readonly id: string;
  readonly userId: string;
  /** What it is for, in its maker's words. */
  readonly label: string;
  /** The first characters of the token. */
  readonly prefix: string;
  /** `environment`: it came from LOADOUT_ADMIN_TOKEN. */
  readonly source: TokensTable['source'];
  readonly createdAtMs: number;
  /** To the minute or so. */
  readonly lastUsedAtMs: number | null;
}

/** Who sent a token, and the token. */
export interface Bearer {
  readonly user: User;
  readonly token: Token;
}

/** Null: no such token. Looked up by its hash, so that time tells nothing about the tokens there are. */
export async function findBearerByHash(db: Db, hash: string): Promise<Bearer | null> {
  const row = await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : bearerOf(db, row);
}

/** Who a token is of now; null: it was revoked, or its user is gone. */
export async function findBearerByTokenId(db: Db, id: string): Promise<Bearer | null> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : bearerOf(db, row);
}

/** Oldest first. */
export async function listTokens(db: Db, userId: string): Promise<Token[]> {
  const rows = await db
    .selectFrom('tokens')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(tokenOf);
}

/** Makes a token, whose text cannot be had again. */
export async function insertToken(
  write: UnitOfWork,
  user: User,
  label: string,
): Promise<{ readonly token: Token; readonly text: string }> {
  const text = makeSecret('lot_');
  const token = await insertTokenRow(write, user.id, { text, label, source: 'made' });
  await write.audit('token.create', '', token.id, about(user, token));
  return { token, text };
}

/** The row alone, of a text that may have been given. */
export async function insertTokenRow(
  write: UnitOfWork,
  userId: string,
  wish: { readonly text: string } & Pick<Token, 'label' | 'source'>,
): Promise<Token> {
  const row = {
    id: randomId('token'),
    userId,
    hash: hashSecret(wish.text),
    prefix: prefixOf(wish.text),
    source: wish.source,
    createdAt: write.at,
    label: wish.label,
    lastUsedAt: null,
  };
  await write.db.insertInto('tokens').values(row).execute();
  return tokenOf(row);
}

/** It is refused from now on; nothing of it stays but the audit. */
export async function deleteToken(write: UnitOfWork, user: User, token: Token): Promise<void> {
  await write.db.deleteFrom('tokens').where('id', '=', token.id).execute();
  await write.audit('token.revoke', '', token.id, about(user, token));
}

/**
 * Whether somebody could still sign in as owner of the whole server without this user, or without this token.
 * Without anybody the server could only be entered again through LOADOUT_ADMIN_TOKEN and a restart.
 */
export async function ownerRemains(
  db: Db,
  without: { readonly userId?: string; readonly tokenId?: string },
): Promise<boolean> {
  let query = db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .select('tokens.id')
    .where('users.role', '=', 'owner')
    .where('users.environments', 'is', null);
  if (without.userId !== undefined) query = query.where('users.id', '!=', without.userId);
  if (without.tokenId !== undefined) query = query.where('tokens.id', '!=', without.tokenId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

async function bearerOf(db: Db, row: Selectable<TokensTable>): Promise<Bearer | null> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', row.userId)
    .executeTakeFirst();
  return user === undefined ? null : { user: userOf(user), token: tokenOf(row) };
}

/** A prefix tells tokens apart, and is far from being one. */
function about(user: User, token: Token): Readonly<Record<string, unknown>> {
  return { user: user.id, userName: user.name, label: token.label, prefix: token.prefix };
}

function tokenOf(row: Selectable<TokensTable>): Token {
  return {
    id: row.id,
    userId: row.userId,
    label: row.label,
    prefix: row.prefix,
    source: row.source,
    createdAtMs: row.createdAt,
    lastUsedAtMs: row.lastUsedAt,
  };
}
