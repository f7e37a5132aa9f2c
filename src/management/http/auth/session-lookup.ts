/** Finds the session of a cookie, its user and its end. Nothing is cached: every request reads the store. */
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';
import { sessionHoursMax } from '../../limits/sessions.js';
import { hashSecret } from '../../store/secret.js';
import { findSessionByHash, findSessionById, type Session } from '../../store/users/sessions.js';
import { type Bearer, findBearerByTokenId } from '../../store/users/tokens.js';
import type { User } from '../../store/users/users.js';
import type { AdminContext } from '../context.js';
import { readSessionCookie } from './session-cookie.js';

interface SignedIn {
  readonly bearer: Bearer;
  readonly session: Session;
  /** If no further request uses it. */
  readonly endsAtMs: number;
}

/**
 * Null: there is no session, or it has ended. Revoking a token and removing a user delete their sessions.
 * Wrong values are not counted: a value has 256 bits, and a browser that keeps sending the cookie of an ended session must
 * not keep colleagues behind the same address from signing in.
 */
export async function findSignedIn(
  context: AdminContext,
  request: FastifyRequest,
): Promise<SignedIn | null> {
  const { store, lastUsed, sessionIdleMs } = context;
  const value = readSessionCookie(request, store.id);
  if (value === null) return null;
  const hash = sessionHash(store.id, value);
  const read = (): Promise<Pick<SignedIn, 'bearer' | 'session'> | null> =>
    store.read(async (db) => {
      const session = await findSessionByHash(db, hash);
      const bearer = session === null ? null : await findBearerByTokenId(db, session.tokenId);
      return session === null || bearer === null ? null : { session, bearer };
    });
  const nowMs = context.now();
  const isEnded = ({ session }: Pick<SignedIn, 'session'>) => {
    // Another server may have written a later use than this one has in memory.
    const lastMs = Math.max(session.usedAtMs, lastUsed.sessionUsedAt(session.id) ?? 0);
    return nowMs >= endOf(session, lastMs, sessionIdleMs);
  };
  let found = await read();
  // A use that was written after the read is in memory no longer, but in the store.
  if (found !== null && isEnded(found)) found = await read();
  if (found === null || isEnded(found)) return null;
  return { ...found, endsAtMs: endOf(found.session, nowMs, sessionIdleMs) };
}

/**
 * The user of a request as of now, for responses that take long; null: the token was revoked, or the session has ended.
 * A response that goes on is no use of the session.
 */
export async function findUserNow(
  context: AdminContext,
  { token, session }: FastifyRequest,
): Promise<User | null> {
  assert(token !== null, 'the operation names a role');
  if (session !== null && context.now() >= session.endsAtMs) return null;
  return context.store.read(async (db) => {
    if (session !== null && (await findSessionById(db, session.id)) === null) return null;
    return (await findBearerByTokenId(db, token.id))?.user ?? null;
  });
}

/** When a session ends whose last use is at `usedAtMs`. */
export function endOf(
  { createdAtMs, endsAtMs }: Pick<Session, 'createdAtMs' | 'endsAtMs'>,
  usedAtMs: number,
  idleMs: number,
): number {
  return Math.min(
    usedAtMs + idleMs,
    createdAtMs + sessionMsMax,
    endsAtMs ?? Number.POSITIVE_INFINITY,
  );
}

const sessionMsMax = sessionHoursMax * 3_600_000;

/** With the identity of the store, so that a store restored from a backup takes no session of the original. */
export function sessionHash(storeId: string, value: string): string {
  return hashSecret(`${storeId}.${value}`);
}
