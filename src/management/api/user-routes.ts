/** Routes of those who use the admin API: who am I, and for owners everybody. */
import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { Refusal } from '../authoring/refusal.js';
import { deleteUser, findUser, insertUser, listUsers, type User } from '../store/users.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { nameShape, timeText } from './shapes.js';

const roleShape = z.enum(['owner', 'editor', 'viewer']);

const userShape = z.object({
  id: z.string(),
  name: z.string(),
  role: roleShape,
  createdAt: z.string(),
});

export function registerUsers(app: AdminApp, context: AdminContext): void {
  const tags = ['users'];

  app.get(
    '/admin/v1/me',
    { config: { role: 'viewer' }, schema: { tags, response: { 200: userShape } } },
    async (request) => {
      assert(request.user !== null, 'the route names a role');
      return userJson(request.user);
    },
  );

  app.get(
    '/admin/v1/users',
    {
      config: { role: 'owner' },
      schema: { tags, response: { 200: z.object({ users: z.array(userShape) }) } },
    },
    async () => ({ users: (await context.store.read(listUsers)).map(userJson) }),
  );

  app.post(
    '/admin/v1/users',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Makes a user and their token, which is shown this once.',
        body: z.strictObject({ name: nameShape, role: roleShape }),
        response: { 201: userShape.extend({ token: z.string() }) },
      },
    },
    async (request, reply) => {
      const { name, role } = request.body;
      const { value } = await context.store.write(actorOf(request), (write) =>
        insertUser(write, name, role),
      );
      if (value === null) {
        return sendProblem(reply, new Refusal('user_exists', `There is a user "${name}" already.`));
      }
      return reply.code(201).send({ ...userJson(value.user), token: value.token });
    },
  );

  app.delete(
    '/admin/v1/users/:userId',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Removes the user; their tokens are refused from now on.',
        params: z.object({ userId: z.string() }),
        response: { 200: userShape },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const user = await findUser(write.db, userId);
        if (user === null) return new Refusal('user_not_found', `There is no user "${userId}".`);
        const owners = (await listUsers(write.db)).filter((other) => other.role === 'owner');
        if (user.role === 'owner' && owners.length === 1) {
          return new Refusal('last_owner', 'It is the only owner: make another one first.');
        }
        await deleteUser(write, user);
        return user;
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send(userJson(value));
    },
  );
}

function userJson({ id, name, role, createdAtMs }: User): z.infer<typeof userShape> {
  return { id, name, role, createdAt: timeText(createdAtMs) };
}
