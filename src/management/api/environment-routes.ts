/** Routes of environments. Owners make and remove them; everybody sees them. */
import { z } from 'zod';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { Refusal } from '../authoring/refusal.js';
import {
  deleteEnvironment,
  type Environment,
  findEnvironment,
  holdEnvironment,
  insertEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../store/environments.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import {
  environmentIdShape,
  environmentParams,
  nameShape,
  sequenceShape,
  timeText,
} from './shapes.js';

const environmentShape = z.object({
  id: z.string(),
  name: z.string(),
  protected: z.boolean(),
  createdAt: z.string(),
});

const changedShape = environmentShape.extend({ sequence: sequenceShape });

export function registerEnvironments(app: AdminApp, context: AdminContext): void {
  const tags = ['environments'];

  app.get(
    '/admin/v1/environments',
    {
      config: { role: 'viewer' },
      schema: { tags, response: { 200: z.object({ environments: z.array(environmentShape) }) } },
    },
    async () => ({
      environments: (await context.store.read(listEnvironments)).map(environmentJson),
    }),
  );

  app.post(
    '/admin/v1/environments',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        body: z.strictObject({
          id: environmentIdShape,
          name: nameShape.optional(),
          protected: z.boolean().default(false),
        }),
        response: { 201: changedShape },
      },
    },
    async (request, reply) => {
      const { id, name = id, protected: isProtected } = request.body;
      const { value, sequence } = await commit(context, request, async (write) => {
        if ((await findEnvironment(write.db, id)) !== null) {
          return new Refusal('environment_exists', `There is an environment "${id}" already.`);
        }
        return insertEnvironment(write, { id, name, protected: isProtected });
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.code(201).send({ ...environmentJson(value), sequence });
    },
  );

  app.get(
    '/admin/v1/environments/:env',
    {
      config: { role: 'viewer' },
      schema: { tags, params: environmentParams, response: { 200: environmentShape } },
    },
    async (request, reply) => {
      const { env } = request.params;
      const found = await context.store.read((db) => findEnvironment(db, env));
      if (found === null) return sendProblem(reply, environmentUnknown(env));
      return reply.send(environmentJson(found));
    },
  );

  app.patch(
    '/admin/v1/environments/:env',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        params: environmentParams,
        body: z.strictObject({ name: nameShape.optional(), protected: z.boolean().optional() }),
        response: { 200: changedShape },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { value, sequence } = await commit(context, request, async (write) => {
        if ((await holdEnvironment(write, env)) === null) return environmentUnknown(env);
        await updateEnvironment(write, env, request.body);
        return (await findEnvironment(write.db, env)) ?? environmentUnknown(env);
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ ...environmentJson(value), sequence });
    },
  );

  app.delete(
    '/admin/v1/environments/:env',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Removes the environment with its keys, segments, contents and their history.',
        params: environmentParams,
        response: { 200: z.object({ id: z.string(), sequence: sequenceShape }) },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { value, sequence } = await commit(context, request, async (write) => {
        const held = await holdEnvironment(write, env);
        if (held === null) return environmentUnknown(env);
        if (held.protected) return stillProtected(env);
        await deleteEnvironment(write, env);
        return held;
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ id: env, sequence });
    },
  );
}

function stillProtected(id: string): Refusal {
  const detail = `The environment "${id}" is protected: set "protected" to false before deleting it.`;
  return new Refusal('environment_protected', detail);
}

function environmentJson(environment: Environment): z.infer<typeof environmentShape> {
  const { id, name, protected: isProtected, createdAtMs } = environment;
  return { id, name, protected: isProtected, createdAt: timeText(createdAtMs) };
}
