/** Rows of users: their role, the environments it is for, and whether they are programs. */
import type { Db } from '../dialect.js';
import { randomId } from '../ids.js';
import type { UsersTable } from '../tables/users.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { keepUserOrigin, putUserOrigin } from './origins.js';

export type Role = UsersTable['role'];

export interface User extends Readonly<Pick<UsersTable, 'id' | 'name' | 'role'>> {
  /** Ids of the environments the role is for; null: all of them, and the server itself. */
  readonly environments: readonly string[] | null;
  /** A program, such as CI. */
  readonly service: boolean;
  /** Signs in through the OpenID provider, whose groups give the role. */
  readonly isProvided: boolean;
  readonly createdAtMs: number;
}

export type UserOptions = Pick<User, 'name' | 'role' | 'environments' | 'service'>;

export interface UserEdit {
  readonly role?: Role | undefined;
  readonly environments?: readonly string[] | null | undefined;
  readonly service?: boolean | undefined;
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  const row = await users(db).where('users.id', '=', id).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

export async function findUserByName(db: Db, name: string): Promise<User | null> {
  const row = await users(db).where('users.name', '=', name).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** By name. */
export async function listUsers(db: Db): Promise<User[]> {
  const rows = await users(db).orderBy('users.name').execute();
  return rows.map(userOf);
}

function users(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('userOrigins', 'userOrigins.userId', 'users.id')
    .leftJoin('userIdentities', 'userIdentities.userId', 'users.id')
    .selectAll('users')
    .select(['userOrigins.service', 'userIdentities.issuer']);
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A user without a token cannot do anything yet. Null: the name is taken. */
export async function insertUser(write: UnitOfWork, options: UserOptions): Promise<User | null> {
  const user = await insertUserRow(write, options);
  if (user === null) return null;
  const details = { name: user.name, before: null, after: rightsOf(user) };
  await write.audit('user.create', '', user.id, details);
  return user;
}

/** The row alone: `ensureOwner` writes another event to the audit. */
export async function insertUserRow(
  write: UnitOfWork,
  { name, role, environments, service }: UserOptions,
): Promise<User | null> {
  const rights = { role, environments: environmentsText(environments) };
  const row = { id: randomId('user'), name, ...rights, createdAt: write.at };
  const inserted = await write.db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return null;
  const user = userOf({ ...row, service: service ? 1 : 0, issuer: null });
  await putUserOrigin(write, user);
  return user;
}

/** What is left out stays. It counts from the user's next request on. */
export async function updateUser(write: UnitOfWork, user: User, edit: UserEdit): Promise<User> {
  const { role = user.role, environments = user.environments, service = user.service } = edit;
  const edited: User = { ...user, role, environments, service };
  const [before, after] = [rightsOf(user), rightsOf(edited)];
  if (JSON.stringify(before) === JSON.stringify(after)) return user;
  await write.db
    .updateTable('users')
    .set({ role, environments: environmentsText(environments) })
    .where('id', '=', user.id)
    .execute();
  if (service !== user.service) await putUserOrigin(write, edited);
  await write.audit('user.update', '', user.id, { name: user.name, before, after });
  return edited;
}

/** Removes the user and every token of theirs. What they did stays in history and audit. */
export async function deleteUser(write: UnitOfWork, user: User): Promise<void> {
  await keepUserOrigin(write, user);
  await write.db.deleteFrom('users').where('id', '=', user.id).execute();
  const details = { name: user.name, before: rightsOf(user), after: null };
  await write.audit('user.delete', '', user.id, details);
}

/**
 * Takes a deleted environment out of every list: a new environment of the same name is another one. A list that becomes
 * empty stays an empty list.
 */
export async function forgetEnvironmentOfUsers(
  write: UnitOfWork,
  environment: string,
): Promise<void> {
  for (const user of await listUsers(write.db)) {
    if (user.environments?.includes(environment) !== true) continue;
    const environments = user.environments.filter((id) => id !== environment);
    await updateUser(write, user, { environments });
  }
}

/** @param row `service` null: the user was there before it was known who is a program; `issuer` null: no provider knows them */
function userOf({
  createdAt,
  environments,
  service,
  issuer,
  ...rest
}: UsersTable & { readonly service: number | null; readonly issuer: string | null }): User {
  const ids = environments === null ? null : (JSON.parse(environments) as string[]);
  return {
    ...rest,
    environments: ids,
    service: service === 1,
    isProvided: issuer !== null,
    createdAtMs: createdAt,
  };
}

function rightsOf({
  role,
  environments,
  service,
}: User): Pick<User, 'role' | 'environments'> & { readonly service?: true } {
  return { role, environments, ...(service ? { service } : {}) };
}

function environmentsText(environments: readonly string[] | null): string | null {
  return environments === null ? null : JSON.stringify(environments);
}
