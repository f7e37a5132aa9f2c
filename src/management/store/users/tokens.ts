/** Rows of admin tokens: made, found by their text, listed, revoked. A token itself is never stored. */
import type { Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import { randomId } from '../ids.js';
import { hashSecret, makeSecret, prefixOf } from '../secret.js';
import type { TokensTable } from '../tables/users.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { putTokenOrigin } from './origins.js';
import { findUser, type User } from './users.js';

export interface Token extends Readonly<Pick<TokensTable, 'id' | 'userId' | 'label' | 'prefix'>> {
  /** `provider`: sessions of a person at an OpenID provider stand for it; no one has its text. */
  readonly source: TokensTable['source'] | 'provider';
  readonly createdAtMs: number;
  /** To the minute or so. */
  readonly lastUsedAtMs: number | null;
}

/** A token, and the user who sent it. */
export interface Bearer {
  readonly user: User;
  readonly token: Token;
}

/** Null: no such token. The look-up by hash reveals nothing about other tokens by its timing. */
export async function findBearerByHash(db: Db, hash: string): Promise<Bearer | null> {
  const row = await tokens(db).where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : bearerOf(db, row);
}

/** The present user of a token; null: it was revoked, or its user is gone. */
export async function findBearerByTokenId(db: Db, id: string): Promise<Bearer | null> {
  const row = await tokens(db).where('tokens.id', '=', id).executeTakeFirst();
  return row === undefined ? null : bearerOf(db, row);
}

/** Those that someone may have the text of, oldest first. */
export async function listTokens(db: Db, userId: string): Promise<Token[]> {
  const rows = await tokens(db)
    .where('tokens.userId', '=', userId)
    .where('userIdentities.tokenId', 'is', null)
    .orderBy('createdAt')
    .orderBy('tokens.id')
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
  { text, label, source }: { readonly text: string } & Pick<TokensTable, 'label' | 'source'>,
): Promise<Token> {
  const secret = { hash: hashSecret(text), prefix: prefixOf(text) };
  const times = { createdAt: write.at, lastUsedAt: null };
  const row = { id: randomId('token'), userId, ...secret, source, label, ...times };
  await write.db.insertInto('tokens').values(row).execute();
  await putTokenOrigin(write, row.id);
  return tokenOf({ ...row, providedTo: null });
}

/** The token is invalid from now on. Only the audit keeps a record of it. */
export async function deleteToken(write: UnitOfWork, user: User, token: Token): Promise<void> {
  await write.db.deleteFrom('tokens').where('id', '=', token.id).execute();
  await write.audit('token.revoke', '', token.id, about(user, token));
}

/**
 * Whether an owner of the whole server could still sign in without this user, or without this token, and whether or not the
 * OpenID provider is there. If none could, only LOADOUT_ADMIN_TOKEN and a restart would give access again.
 */
export async function ownerRemains(
  db: Db,
  without: { readonly userId?: string; readonly tokenId?: string },
): Promise<boolean> {
  let query = db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .leftJoin('userIdentities', 'userIdentities.userId', 'users.id')
    .select('tokens.id')
    .where('userIdentities.userId', 'is', null)
    .where('users.role', '=', 'owner')
    .where('users.environments', 'is', null);
  if (without.userId !== undefined) query = query.where('users.id', '!=', without.userId);
  if (without.tokenId !== undefined) query = query.where('tokens.id', '!=', without.tokenId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Whose hidden token it is comes with each. */
function tokens(db: Db) {
  return db
    .selectFrom('tokens')
    .leftJoin('userIdentities', 'userIdentities.tokenId', 'tokens.id')
    .selectAll('tokens')
    .select('userIdentities.userId as providedTo');
}

type TokenRow = Selectable<TokensTable> & { readonly providedTo: string | null };

async function bearerOf(db: Db, row: TokenRow): Promise<Bearer | null> {
  const user = await findUser(db, row.userId);
  return user === null ? null : { user, token: tokenOf(row) };
}

/** A prefix distinguishes tokens, and is far from being one. */
function about(user: User, token: Token): Readonly<Record<string, unknown>> {
  return { user: user.id, userName: user.name, label: token.label, prefix: token.prefix };
}

function tokenOf(row: TokenRow): Token {
  const { id, userId, label, prefix, createdAt, lastUsedAt } = row;
  const source = row.providedTo === null ? row.source : 'provider';
  const times = { createdAtMs: createdAt, lastUsedAtMs: lastUsedAt };
  return { id, userId, label, prefix, source, ...times };
}
