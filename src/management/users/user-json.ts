/** A user, a token and `GET /me` as the admin API shows them. */
import type * as api from '../../contract/schemas/user.js';
import type { Bearer, Token } from '../store/users/tokens.js';
import type { User } from '../store/users/users.js';
import { toIso } from '../to-iso.js';

export function userJson(user: User): api.User {
  const { id, name, role, environments, service, createdAtMs } = user;
  const origin = user.isProvided ? 'provider' : 'local';
  return { id, name, role, environments, service, origin, createdAt: toIso(createdAtMs) };
}

/** Everything but the text of the token. */
export function tokenJson(token: Token): api.Token {
  return {
    id: token.id,
    label: token.label,
    prefix: token.prefix,
    source: token.source,
    createdAt: toIso(token.createdAtMs),
    lastUsedAt: toIso(token.lastUsedAtMs),
  };
}

/** @param sessionEndsAtMs null: there is no session */
export function meJson({ user, token }: Bearer, sessionEndsAtMs: number | null): api.Me {
  const session = sessionEndsAtMs === null ? null : { expiresAt: toIso(sessionEndsAtMs) };
  return { ...userJson(user), token: tokenJson(token), session };
}
