/** Rows of people at the OpenID provider: which user each is, and the token that their sessions stand for. */
import { spentSignInsRemovedAtOnce } from '../../limits/sessions.js';
import type { Db } from '../dialect.js';
import { hashSecret, makeSecret } from '../secret.js';
import type { UnitOfWork } from '../unit-of-work.js';
import {
  deleteToken,
  findBearerByTokenId,
  insertTokenRow,
  listTokens,
  type Token,
} from './tokens.js';
import { findUser, type User } from './users.js';

/** Who a person is at the provider. Nothing else of theirs, such as an address, ever stands for them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export async function findUserOfIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<User | null> {
  const row = await db
    .selectFrom('userIdentities')
    .select('userId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row === undefined ? null : findUser(db, row.userId);
}

export async function insertIdentity(
  write: UnitOfWork,
  user: User,
  { issuer, subject }: Identity,
): Promise<User> {
  const row = { userId: user.id, issuer, subject, tokenId: null };
  await write.db.insertInto('userIdentities').values(row).execute();
  return { ...user, isProvided: true };
}

/** The token that sessions of the person stand for; it is made where there is none. Its text is forgotten at once. */
export async function ensureProvidedToken(write: UnitOfWork, { id }: User): Promise<Token> {
  const known = await findProvidedToken(write.db, id);
  if (known !== null) return known;
  const text = makeSecret('lot_');
  const made = await insertTokenRow(write, id, { text, label: 'single sign-on', source: 'made' });
  await write.db
    .updateTable('userIdentities')
    .set({ tokenId: made.id })
    .where('userId', '=', id)
    .execute();
  return { ...made, source: 'provider' };
}

async function findProvidedToken(db: Db, userId: string): Promise<Token | null> {
  const row = await db
    .selectFrom('userIdentities')
    .select('tokenId')
    .where('userId', '=', userId)
    .executeTakeFirst();
  const tokenId = row?.tokenId ?? null;
  return tokenId === null ? null : ((await findBearerByTokenId(db, tokenId))?.token ?? null);
}

/** Ends every session of the person, and revokes every token of theirs. The user stays, with no way in. */
export async function revokeAccess(write: UnitOfWork, user: User): Promise<void> {
  for (const token of await listTokens(write.db, user.id)) await deleteToken(write, user, token);
  // The hidden one, and with it the sessions.
  await write.db.deleteFrom('tokens').where('userId', '=', user.id).execute();
}

/**
 * Notes that a sign-in has been used.
 * @returns false: it had been already
 */
export async function spendSignIn(
  write: UnitOfWork,
  state: string,
  expiresAtMs: number,
): Promise<boolean> {
  const expired = await write.db
    .selectFrom('spentSignIns')
    .select('hash')
    .where('expiresAt', '<', write.at)
    .limit(spentSignInsRemovedAtOnce)
    .execute();
  if (expired.length > 0) {
    const hashes = expired.map(({ hash }) => hash);
    await write.db.deleteFrom('spentSignIns').where('hash', 'in', hashes).execute();
  }
  const { numInsertedOrUpdatedRows } = await write.db
    .insertInto('spentSignIns')
    .values({ hash: hashSecret(state), expiresAt: expiresAtMs })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
