/** Routes of those who use the admin API: who am I, and for owners everybody. */
import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { userEnvironmentsMax, usersMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { environmentIdSchema, nameSchema } from '../../contract/schemas/common.js';
import { problems } from '../http/problem-responses.js';
import type { Reading } from '../store/dialect.js';
import { listEnvironments } from '../store/environments.js';
import { insertToken, ownerRemains } from '../store/tokens.js';
import {
  countUsers,
  deleteUser,
  findUser,
  insertUser,
  listUsers,
  type User,
  updateUser,
} from '../store/users.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { meJson, meSchema } from './me-view.js';
import { bodyFault, sendProblem } from './problem.js';
import { roleSchema, userJson, userSchema } from './user-view.js';

const environmentsSchema = z
  .array(environmentIdSchema)
  .max(userEnvironmentsMax)
  .nullable()
  .describe('Ids of environments; null: all.');

export const userParams = z.object({ userId: z.string().describe('Id of the user.') });

export function registerUsers(app: AdminApp, context: AdminContext): void {
  const tags = ['users'];

  app.get(
    '/admin/v1/me',
    {
      config: { role: 'viewer', scoped: true },
      schema: {
        tags,
        description:
          'Who the token or the session is of: the user, their role, the token, and until when.',
        response: { 200: meSchema, ...problems() },
      },
    },
    async (request, reply) => {
      const { user, token, session } = request;
      assert(user !== null && token !== null, 'the route names a role');
      return reply.send(meJson({ user, token }, session?.endsAtMs ?? null));
    },
  );

  app.get(
    '/admin/v1/users',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'All users, by name.',
        response: { 200: z.object({ users: z.array(userSchema) }), ...problems() },
      },
    },
    async (_request, reply) =>
      reply.send({ users: (await context.store.read(listUsers)).map(userJson) }),
  );

  app.post(
    '/admin/v1/users',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Makes a user and their first token, which is shown this once.',
        body: z.strictObject({
          name: nameSchema.describe('By which the history and the audit know them.'),
          role: roleSchema,
          environments: environmentsSchema.default(null),
        }),
        response: {
          201: userSchema.extend({ token: z.string() }),
          ...problems('user_exists', 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const wish = { ...request.body, environments: sorted(request.body.environments) };
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const fault = await environmentsFault(write.db, wish.environments);
        if (fault !== null) return fault;
        if ((await countUsers(write.db)) >= usersMax) return tooMany();
        const user = await insertUser(write, wish);
        if (user === null) return nameTaken(wish.name);
        return { user, token: (await insertToken(write, user, '')).text };
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.code(201).send({ ...userJson(value.user), token: value.token });
    },
  );

  app.get(
    '/admin/v1/users/:userId',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'One user.',
        params: userParams,
        response: { 200: userSchema, ...problems('user_not_found') },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const user = await context.store.read((db) => findUser(db, userId));
      if (user === null) return sendProblem(reply, userUnknown(userId));
      return reply.send(userJson(user));
    },
  );

  app.patch(
    '/admin/v1/users/:userId',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description:
          'Changes the role and the environments it is for, from the next request on. The last owner of the whole server stays one.',
        params: userParams,
        body: z.strictObject({
          role: roleSchema.optional(),
          environments: environmentsSchema.optional(),
        }),
        response: { 200: userSchema, ...problems('user_not_found', 'last_owner') },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const { role, environments } = request.body;
      const edit = { role, environments: environments && sorted(environments) };
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const user = await findUser(write.db, userId);
        if (user === null) return userUnknown(userId);
        const fault = await environmentsFault(write.db, edit.environments ?? null);
        if (fault !== null) return fault;
        const { role = user.role, environments = user.environments } = edit;
        const staysOwner = role === 'owner' && environments === null;
        if (!staysOwner && (await isLastOwner(write.db, user))) return lastOwner();
        return updateUser(write, user, edit);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(userJson(value));
    },
  );

  app.delete(
    '/admin/v1/users/:userId',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Removes the user; their tokens are refused from now on.',
        params: userParams,
        response: { 200: userSchema, ...problems('user_not_found', 'last_owner') },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const user = await findUser(write.db, userId);
        if (user === null) return userUnknown(userId);
        if (await isLastOwner(write.db, user)) return lastOwner();
        await deleteUser(write, user);
        return user;
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(userJson(value));
    },
  );
}

export function userUnknown(id: string): Problem {
  return new Problem('user_not_found', `There is no user "${id}".`);
}

export function lastOwner(): Problem {
  return new Problem(
    'last_owner',
    'Nobody else could sign in as owner of the whole server: make another owner first.',
  );
}

/** Owners of some environments only cannot make others. */
async function isLastOwner(db: Reading, user: User): Promise<boolean> {
  if (user.role !== 'owner' || user.environments !== null) return false;
  return !(await ownerRemains(db, { userId: user.id }));
}

/** A slip in a name would give nothing now, and something else when somebody makes that environment. */
async function environmentsFault(
  db: Reading,
  environments: readonly string[] | null,
): Promise<Problem | null> {
  if (environments === null) return null;
  const known = new Set((await listEnvironments(db)).map(({ id }) => id));
  const unknown = environments.find((id) => !known.has(id));
  if (unknown === undefined) return null;
  return bodyFault('environments', `there is no environment "${unknown}"`);
}

function sorted(environments: readonly string[] | null): readonly string[] | null {
  return environments === null ? null : [...new Set(environments)].sort();
}

function nameTaken(name: string): Problem {
  return new Problem('user_exists', `There is a user "${name}" already.`);
}

function tooMany(): Problem {
  return new Problem('limit_reached', `There are ${usersMax} users already; remove some first.`);
}
