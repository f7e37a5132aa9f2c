/** Who made which users and tokens. The rows outlive both: they say whose approvals of a release count. */
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { User } from './users.js';

/**
 * Notes that the actor made the user, or decided whether it is a program: who makes a person of a program could act as both.
 * Earlier makers stay noted.
 */
export async function putUserOrigin(
  write: UnitOfWork,
  { id: userId, name, service }: Pick<User, 'id' | 'name' | 'service'>,
): Promise<void> {
  const before = await write.db
    .selectFrom('userOrigins')
    .select('madeBy')
    .where('userId', '=', userId)
    .executeTakeFirst();
  const makers = new Set(before === undefined ? [] : (JSON.parse(before.madeBy) as string[]));
  if (write.actor.userId !== '') makers.add(write.actor.userId);
  const origin = { service: service ? 1 : 0, madeBy: JSON.stringify([...makers]) };
  await write.db
    .insertInto('userOrigins')
    .values({ userId, name, ...origin })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(origin))
    .execute();
}

/** Keeps the name of a user that is about to go, which revisions have as their author. */
export async function keepUserOrigin(
  write: UnitOfWork,
  { id: userId, name, service }: Pick<User, 'id' | 'name' | 'service'>,
): Promise<void> {
  await write.db
    .insertInto('userOrigins')
    .values({ userId, name, service: service ? 1 : 0, madeBy: '[]' })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
}

/** Notes that the actor made the token. */
export async function putTokenOrigin(write: UnitOfWork, tokenId: string): Promise<void> {
  const createdBy = write.actor.userId;
  await write.db.insertInto('tokenOrigins').values({ tokenId, createdBy }).execute();
}

/** Id of the user that made a token; '': the server itself, or it is not known. */
export async function findTokenMaker(db: Db, tokenId: string): Promise<string> {
  const row = await db
    .selectFrom('tokenOrigins')
    .select('createdBy')
    .where('tokenId', '=', tokenId)
    .executeTakeFirst();
  return row?.createdBy ?? '';
}

/** A user, present or gone. */
export interface UserOrigin {
  readonly userId: string;
  readonly name: string;
  /** Ids of the users that made it, as far as they are known. */
  readonly madeBy: readonly string[];
}

/** Of all users that are there, and of those that are gone. */
export async function listUserOrigins(db: Db): Promise<UserOrigin[]> {
  const rows = await db.selectFrom('userOrigins').select(['userId', 'name', 'madeBy']).execute();
  const known = rows.map((row) => ({ ...row, madeBy: JSON.parse(row.madeBy) as string[] }));
  const ids = new Set(known.map(({ userId }) => userId));
  const present = await db.selectFrom('users').select(['id', 'name']).execute();
  const older = present.filter(({ id }) => !ids.has(id));
  return [...known, ...older.map(({ id, name }) => ({ userId: id, name, madeBy: [] }))];
}
