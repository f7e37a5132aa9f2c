/** Makes a session for a person whom the OpenID provider has confirmed: who they are here, and what they may do, follow from it. */
import { usersMax } from '../../contract/limits.js';
import type { SignInFailure } from '../../contract/sign-in-failure.js';
import { sessionHash } from '../http/auth/session-lookup.js';
import { lastUsedEveryMsMax } from '../limits/sessions.js';
import { listEnvironments } from '../store/environments.js';
import { requireSupportWriters } from '../store/require-writers.js';
import type { Store } from '../store/store.js';
import { systemActor, type UnitOfWork } from '../store/unit-of-work.js';
import {
  ensureProvidedToken,
  findUserOfIdentity,
  type Identity,
  insertIdentity,
  revokeAccess,
  spendSignIn,
} from '../store/users/identities.js';
import { deleteIdleSessions, insertSession } from '../store/users/sessions.js';
import { type Bearer, findBearerByTokenId } from '../store/users/tokens.js';
import {
  countUsers,
  findUserByName,
  insertUser,
  type User,
  updateUser,
} from '../store/users/users.js';
import type { Attempt } from './attempt.js';
import type { Claims } from './claimed-groups.js';
import { displayNames } from './display-name.js';
import type { Rights } from './group-roles.js';

export interface Admission {
  readonly identity: Identity;
  readonly claims: Claims;
  /** Null: no group of theirs has a role here. */
  readonly rights: Rights | null;
  readonly attempt: Attempt;
  /** Network address of the browser. */
  readonly address: string;
  /** Value of the session's cookie. */
  readonly cookie: string;
  readonly sessionMs: number;
  readonly sessionIdleMs: number;
}

/**
 * The server writes who the person is and what they may do; the session is then theirs. Their role counts for their other
 * sessions and their tokens from their next request on.
 * @returns why there is no session; null: there is one
 * @throws StoreUnavailable, UpgradeInProgress
 */
export async function admitPerson(
  store: Store,
  admission: Admission,
): Promise<SignInFailure | null> {
  const { attempt, address, cookie, sessionMs, sessionIdleMs } = admission;
  const { value } = await store.write({ ...systemActor, address }, async (write) => {
    if (!(await spendSignIn(write, attempt.state, attempt.expiresAtMs))) return 'attempt_ended';
    return recordPerson(write, admission);
  });
  if (typeof value === 'string') return value;
  const { id: userId, name, role } = value.user;
  const session = await store.write({ userId, name, role, address }, async (write) => {
    // They may have been removed a moment ago.
    const bearer = await findBearerByTokenId(write.db, value.token.id);
    if (bearer === null) return null;
    await deleteIdleSessions(write, write.at - sessionIdleMs - lastUsedEveryMsMax);
    const hash = sessionHash(store.id, cookie);
    return insertSession(write, bearer, hash, write.at + sessionMs);
  });
  return session.value === null ? 'attempt_ended' : null;
}

async function recordPerson(
  write: UnitOfWork,
  { identity, claims, rights }: Admission,
): Promise<Bearer | SignInFailure> {
  const known = await findUserOfIdentity(write.db, identity);
  if (rights === null) {
    if (known !== null) await refuse(write, known);
    return 'no_group';
  }
  if (rights.role === 'support') await requireSupportWriters(write);
  const { role } = rights;
  const environments = await presentEnvironments(write, rights.environments);
  if (known !== null) {
    const user = await updateUser(write, known, { role, environments });
    return { user, token: await ensureProvidedToken(write, user) };
  }
  if ((await countUsers(write.db)) >= usersMax) return 'users_full';
  const name = await freeName(write, claims);
  const made = await insertUser(write, { name, role, environments, service: false });
  if (made === null) throw new Error('the name was free in this very transaction');
  const user = await insertIdentity(write, made, identity);
  return { user, token: await ensureProvidedToken(write, user) };
}

/** Whoever has left the groups may do nothing from now on, with old sessions and tokens included. */
async function refuse(write: UnitOfWork, user: User): Promise<void> {
  await revokeAccess(write, user);
  await write.audit('session.refuse', '', user.id, { user: user.id, userName: user.name });
}

/** The others give no right now, and none by surprise when an environment of that id is made. */
async function presentEnvironments(
  write: UnitOfWork,
  ids: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (ids === null) return null;
  const present = new Set((await listEnvironments(write.db)).map(({ id }) => id));
  return ids.filter((id) => present.has(id));
}

async function freeName(write: UnitOfWork, claims: Claims): Promise<string> {
  for (const name of displayNames(claims)) {
    if ((await findUserByName(write.db, name)) === null) return name;
  }
  throw new Error('names have no end');
}
