/** Users: the one of the request, and all of them listed, created, changed, removed. */
import { strict as assert } from 'node:assert';
import { usersMax } from '../../contract/limits.js';
import {
  createUser,
  deleteUser,
  getMe,
  getUser,
  listUsers,
  updateUser,
} from '../../contract/operations/people/users.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handle, handleChange, handleRead } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import type { Db } from '../store/dialect.js';
import { listEnvironments } from '../store/environments.js';
import { requireSupportWriters } from '../store/require-writers.js';
import { insertToken, ownerRemains } from '../store/users/tokens.js';
import * as rows from '../store/users/users.js';
import { meJson, userJson } from './user-json.js';

export const userHandlers: readonly Handler[] = [
  handle(getMe, async ({ user, request: { token, session } }) => {
    assert(token !== null, 'the operation names a role');
    return meJson({ user, token }, session?.endsAtMs ?? null);
  }),

  handleRead(listUsers, async (_call, db) => ({ users: (await rows.listUsers(db)).map(userJson) })),

  handleChange(createUser, async ({ body }, write) => {
    const environments = sorted(body.environments);
    const problem = await environmentsProblem(write.db, environments);
    if (problem !== null) return problem;
    if ((await rows.countUsers(write.db)) >= usersMax) {
      const detail = `There are ${usersMax} users already; remove some first.`;
      return new Problem('limit_reached', detail);
    }
    if (body.role === 'support') await requireSupportWriters(write);
    const user = await rows.insertUser(write, { ...body, environments });
    if (user === null) {
      return new Problem('user_exists', `There is a user "${body.name}" already.`);
    }
    return { ...userJson(user), token: (await insertToken(write, user, '')).text };
  }),

  handleRead(getUser, async ({ params: { userId } }, db) => {
    const user = await rows.findUser(db, userId);
    return user === null ? userUnknown(userId) : userJson(user);
  }),

  handleChange(updateUser, async ({ params: { userId }, body }, write) => {
    const user = await rows.findUser(write.db, userId);
    if (user === null) return userUnknown(userId);
    if (user.isProvided) return ofProvider(user);
    if (body.role === 'support') await requireSupportWriters(write);
    const edit = { ...body, environments: body.environments && sorted(body.environments) };
    const problem = await environmentsProblem(write.db, edit.environments ?? null);
    if (problem !== null) return problem;
    const { role = user.role, environments = user.environments } = edit;
    const staysOwner = role === 'owner' && environments === null;
    if (!staysOwner && (await isLastOwner(write.db, user))) return lastOwner();
    return userJson(await rows.updateUser(write, user, edit));
  }),

  handleChange(deleteUser, async ({ params: { userId } }, write) => {
    const user = await rows.findUser(write.db, userId);
    if (user === null) return userUnknown(userId);
    if (await isLastOwner(write.db, user)) return lastOwner();
    await rows.deleteUser(write, user);
    return userJson(user);
  }),
];

export function userUnknown(id: string): Problem {
  return new Problem('user_not_found', `There is no user "${id}".`);
}

function ofProvider({ name }: rows.User): Problem {
  const detail = `"${name}" signs in through the OpenID provider: change their groups there.`;
  return new Problem('user_of_provider', detail);
}

export function lastOwner(): Problem {
  return new Problem(
    'last_owner',
    'This is the last owner of the whole server: make another owner first.',
  );
}

/** Owners of some environments only cannot make others. */
async function isLastOwner(db: Db, user: rows.User): Promise<boolean> {
  if (user.role !== 'owner' || user.environments !== null) return false;
  return !(await ownerRemains(db, { userId: user.id }));
}

/** A typo in an id would give no right now, and an unintended one when an environment of that id is created. */
async function environmentsProblem(
  db: Db,
  environments: readonly string[] | null,
): Promise<Problem | null> {
  if (environments === null) return null;
  const known = new Set((await listEnvironments(db)).map(({ id }) => id));
  const unknown = environments.find((id) => !known.has(id));
  if (unknown === undefined) return null;
  return bodyIssue('environments', `there is no environment "${unknown}"`);
}

function sorted(environments: readonly string[] | null): readonly string[] | null {
  return environments === null ? null : [...new Set(environments)].sort();
}
