/** Rows of the console's sessions: made with a token, found by the hash of a cookie, ended. A cookie's value is never stored. */
import type { Selectable } from 'kysely';
import { sessionsPerUserMax, sessionsRemovedAtOnce } from '../../limits/sessions.js';
import type { Db } from '../dialect.js';
import { randomId } from '../ids.js';
import type { SessionsTable } from '../tables/users.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Bearer } from './tokens.js';

export interface Session {
  readonly id: string;
  /** The session is as good as this token: it goes with it, and it has the rights of its user at the time. */
  readonly tokenId: string;
  readonly createdAtMs: number;
  /** As far as it was written. */
  readonly usedAtMs: number;
  /** Whatever its use; null: as every session. */
  readonly endsAtMs: number | null;
}

export function findSessionByHash(db: Db, hash: string): Promise<Session | null> {
  return findSession(db, 'hash', hash);
}

export function findSessionById(db: Db, id: string): Promise<Session | null> {
  return findSession(db, 'id', id);
}

async function findSession(db: Db, by: 'hash' | 'id', value: string): Promise<Session | null> {
  const row = await db.selectFrom('sessions').selectAll().where(by, '=', value).executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

/**
 * Where the user has the maximum of sessions already, the least recently used ones end.
 * @param endsAtMs whatever its use; null: as every session
 */
export async function insertSession(
  write: UnitOfWork,
  { user, token }: Bearer,
  hash: string,
  endsAtMs: number | null = null,
): Promise<Session> {
  const surplus = await write.db
    .selectFrom('sessions')
    .innerJoin('tokens', 'tokens.id', 'sessions.tokenId')
    .select('sessions.id')
    .where('tokens.userId', '=', user.id)
    .orderBy('sessions.usedAt', 'desc')
    .orderBy('sessions.id')
    // SQLite takes no offset without a limit.
    .limit(sessionsRemovedAtOnce)
    .offset(sessionsPerUserMax - 1)
    .execute();
  await removeSessions(write, surplus);
  const times = { createdAt: write.at, usedAt: write.at, endsAt: endsAtMs };
  const row = { id: randomId('session'), tokenId: token.id, hash, ...times };
  await write.db.insertInto('sessions').values(row).execute();
  await write.audit('session.create', '', row.id, about({ user, token }));
  return sessionOf(row);
}

/** Signs out: the cookie is invalid from now on. False: the session had ended already. */
export async function deleteSession(
  write: UnitOfWork,
  session: Session,
  bearer: Bearer,
): Promise<boolean> {
  const { numDeletedRows } = await write.db
    .deleteFrom('sessions')
    .where('id', '=', session.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await write.audit('session.delete', '', session.id, about(bearer));
  return true;
}

/**
 * Removes some of the sessions that were not used since `beforeMs`, as far as it was written. They give no access any more.
 * Every sign-in removes some, so that there are never many.
 */
export async function deleteIdleSessions(write: UnitOfWork, beforeMs: number): Promise<void> {
  const idle = await write.db
    .selectFrom('sessions')
    .select('id')
    .where('usedAt', '<', beforeMs)
    .limit(sessionsRemovedAtOnce)
    .execute();
  await removeSessions(write, idle);
}

async function removeSessions(
  write: UnitOfWork,
  rows: readonly Pick<SessionsTable, 'id'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await write.db.deleteFrom('sessions').where('id', 'in', ids).execute();
}

/** Names the token, not the cookie, of which nothing is ever shown. */
function about({ user, token }: Bearer): Readonly<Record<string, unknown>> {
  const { id, label, prefix } = token;
  return { user: user.id, userName: user.name, token: id, label, prefix };
}

function sessionOf(row: Selectable<SessionsTable>): Session {
  const { id, tokenId, createdAt, usedAt, endsAt } = row;
  return { id, tokenId, createdAtMs: createdAt, usedAtMs: usedAt, endsAtMs: endsAt };
}
