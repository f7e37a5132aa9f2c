/** Finds who is signed in by a cookie, and says until when. Nothing is remembered: every request asks the store. */
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';
import { sessionHoursMax } from '../limits.js';
import { hashSecret } from '../store/secret.js';
import { findSessionByHash, findSessionById, type Session } from '../store/sessions.js';
import { type Bearer, findBearerByTokenId } from '../store/tokens.js';
import type { User } from '../store/users.js';
import type { AdminContext } from './context.js';
import { readSessionCookie } from './session-cookie.js';

export interface SignedIn {
  readonly bearer: Bearer;
  readonly session: Session;
  /** If nothing is asked with it from now on. */
  readonly endsAtMs: number;
}

/**
 * Null: nobody is signed in, or not any more. A revoked token and a removed user have taken their sessions with them.
 * No guess is counted: the value has 256 bits, and behind one address a colleague's browser that asks on with an ended
 * session must not keep others from signing in.
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
  const isEnded = ({ session: { id, createdAtMs, usedAtMs } }: Pick<SignedIn, 'session'>) => {
    // Another server may have written a later use than this one has noted.
    const lastMs = Math.max(usedAtMs, lastUsed.sessionUsedAt(id) ?? 0);
    return nowMs >= endOf(createdAtMs, lastMs, sessionIdleMs);
  };
  let found = await read();
  // A use that was written since it was read is no longer noted, and is in the store by now.
  if (found !== null && isEnded(found)) found = await read();
  if (found === null || isEnded(found)) return null;
  return { ...found, endsAtMs: endOf(found.session.createdAtMs, nowMs, sessionIdleMs) };
}

/**
 * Who asked, as of now, for answers that take long; null: their token was revoked, or the session has ended. That an
 * answer goes on is no use of the session.
 */
export async function findUserNow(
  context: AdminContext,
  { token, session }: FastifyRequest,
): Promise<User | null> {
  assert(token !== null, 'the route names a role');
  if (session !== null && context.now() >= session.endsAtMs) return null;
  return context.store.read(async (db) => {
    if (session !== null && (await findSessionById(db, session.id)) === null) return null;
    return (await findBearerByTokenId(db, token.id))?.user ?? null;
  });
}

/** When a session ends that is used at `usedAtMs` for the last time. */
export function endOf(createdAtMs: number, usedAtMs: number, idleMs: number): number {
  return Math.min(usedAtMs + idleMs, createdAtMs + sessionMsMax);
}

const sessionMsMax = sessionHoursMax * 3_600_000;

/** With the store's identity, so that nobody is signed in at a store that was restored from a backup of it. */
export function sessionHash(storeId: string, value: string): string {
  return hashSecret(`${storeId}.${value}`);
}
