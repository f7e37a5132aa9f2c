/** Rows of users and their tokens. A token itself is never stored. */
import type { Reading } from './dialect.js';
import { randomId } from './random-id.js';
import { hashSecret, makeSecret, prefixOf } from './secret.js';
import type { TokensTable, UsersTable } from './tables.js';
import type { Write } from './write.js';

export type Role = UsersTable['role'];

export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
}

/** Null: no such token. Looked up by its hash, so that time tells nothing about the tokens there are. */
export async function findUserByToken(db: Reading, token: string): Promise<User | null> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.userId')
    .selectAll('users')
    .where('tokens.hash', '=', hashSecret(token))
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

export async function findUser(db: Reading, id: string): Promise<User | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

export async function listUsers(db: Reading): Promise<User[]> {
  const rows = await db.selectFrom('users').selectAll().orderBy('name').execute();
  return rows.map(userOf);
}

/** Makes a user and a token, which cannot be had again. Null: the name is taken. */
export async function insertUser(
  write: Write,
  name: string,
  role: Role,
): Promise<{ readonly user: User; readonly token: string } | null> {
  const user = await insertUserRow(write, name, role);
  if (user === null) return null;
  const token = makeSecret('lot_');
  await insertToken(write, user.id, token, 'made');
  await write.audit('user.create', '', user.id, { name, role });
  return { user, token };
}

/** Removes the user and every token of theirs. What they did stays in history and audit. */
export async function deleteUser(write: Write, user: User): Promise<void> {
  await write.db.deleteFrom('users').where('id', '=', user.id).execute();
  await write.audit('user.delete', '', user.id, { name: user.name, role: user.role });
}

/**
 * Sees to it that somebody can sign in as owner.
 * @param given LOADOUT_ADMIN_TOKEN: becomes the token of the user `owner`, instead of the one given before
 * @returns the token that was made because there was no user at all, or null
 */
export async function ensureOwner(write: Write, given: string | undefined): Promise<string | null> {
  if (given !== undefined) {
    await takeGivenToken(write, given);
    return null;
  }
  const anybody = await write.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (anybody !== undefined) return null;
  return (await insertUser(write, ownerName, 'owner'))?.token ?? null;
}

const ownerName = 'owner';

async function takeGivenToken(write: Write, given: string): Promise<void> {
  const row = await write.db
    .selectFrom('users')
    .selectAll()
    .where('name', '=', ownerName)
    .executeTakeFirst();
  const owner = row === undefined ? await insertUserRow(write, ownerName, 'owner') : userOf(row);
  if (owner === null) return;
  const hash = hashSecret(given);
  const before = await write.db
    .selectFrom('tokens')
    .select(['id', 'hash'])
    .where('source', '=', 'environment')
    .execute();
  if (before.length === 1 && before[0]?.hash === hash && owner.role === 'owner') return;
  // A user may have been given the name with a lesser role: who sets the server's environment owns it.
  await write.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.id).execute();
  await write.db
    .deleteFrom('tokens')
    .where((where) => where.or([where('source', '=', 'environment'), where('hash', '=', hash)]))
    .execute();
  await insertToken(write, owner.id, given, 'environment');
  await write.audit('user.token', '', owner.id, { source: 'environment' });
}

async function insertUserRow(write: Write, name: string, role: Role): Promise<User | null> {
  const row = { id: randomId('user'), name, role, environments: null, createdAt: write.at };
  const inserted = await write.db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 0n ? null : userOf(row);
}

async function insertToken(
  write: Write,
  userId: string,
  token: string,
  source: TokensTable['source'],
): Promise<void> {
  await write.db
    .insertInto('tokens')
    .values({
      id: randomId('token'),
      userId,
      hash: hashSecret(token),
      prefix: prefixOf(token),
      source,
      createdAt: write.at,
      label: '',
    })
    .execute();
}

function userOf(row: UsersTable): User {
  return { id: row.id, name: row.name, role: row.role, createdAtMs: row.createdAt };
}
