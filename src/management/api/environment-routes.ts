/** Routes of environments. Owners make and remove them; everybody sees those that their role is for. */
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import {
  environmentIdSchema,
  environmentParams,
  nameSchema,
  publishedSchema,
} from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { problems } from '../http/problem-responses.js';
import {
  deleteEnvironment,
  type Environment,
  findEnvironment,
  holdEnvironment,
  insertEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../store/environments.js';
import { toIso } from '../to-iso.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { seesEnvironment } from './environment-scope.js';
import { sendProblem } from './problem.js';

const environmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  protected: z.boolean(),
  createdAt: z.string(),
});
environmentSchema.register(z.globalRegistry, { id: 'Environment' });

const changedSchema = environmentSchema.extend(publishedSchema);

export function registerEnvironments(app: AdminApp, context: AdminContext): void {
  const tags = ['environments'];

  app.get(
    '/admin/v1/environments',
    {
      config: { role: 'viewer', scoped: true },
      schema: {
        tags,
        description: 'The environments that the role of the caller is for, by id.',
        response: { 200: z.object({ environments: z.array(environmentSchema) }), ...problems() },
      },
    },
    async (request, reply) => {
      const all = await context.store.read(listEnvironments);
      const seen = all.filter(({ id }) => seesEnvironment(request.user, id));
      return reply.send({ environments: seen.map(environmentJson) });
    },
  );

  app.post(
    '/admin/v1/environments',
    {
      config: { role: 'owner', publishes: true },
      schema: {
        tags,
        description:
          'Makes an empty environment. A protected one takes edits only from owners. The role must be for all environments.',
        body: z.strictObject({
          id: environmentIdSchema,
          name: nameSchema.optional().describe('For people; the id when it is left out.'),
          protected: z.boolean().default(false).describe('Whether only owners may edit it.'),
        }),
        response: { 201: changedSchema, ...problems('environment_exists', 'not_published') },
      },
    },
    async (request, reply) => {
      const { id, name = id, protected: isProtected } = request.body;
      const { value, sequence } = await commit(context, request, async (write) => {
        if ((await findEnvironment(write.db, id)) !== null) {
          return new Problem('environment_exists', `There is an environment "${id}" already.`);
        }
        return insertEnvironment(write, { id, name, protected: isProtected });
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.code(201).send({ ...environmentJson(value), sequence });
    },
  );

  app.get(
    '/admin/v1/environments/:env',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        description: 'One environment.',
        params: environmentParams,
        response: { 200: environmentSchema, ...problems('environment_not_found') },
      },
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
      config: { role: 'owner', publishes: true },
      schema: {
        tags,
        description: 'Renames, protects or unprotects the environment. What is left out stays.',
        params: environmentParams,
        body: z.strictObject({
          name: nameSchema.optional().describe('For people.'),
          protected: z.boolean().optional().describe('Whether only owners may edit it.'),
        }),
        response: { 200: changedSchema, ...problems('environment_not_found', 'not_published') },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { value, sequence } = await commit(context, request, async (write) => {
        const held = await holdEnvironment(write, env);
        if (held === null) return environmentUnknown(env);
        return updateEnvironment(write, held, request.body);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ ...environmentJson(value), sequence });
    },
  );

  app.delete(
    '/admin/v1/environments/:env',
    {
      config: { role: 'owner', publishes: true },
      schema: {
        tags,
        description:
          'Removes the environment with its keys, segments, contents and their history, and from the lists of users. A protected one must be unprotected first.',
        params: environmentParams,
        response: {
          200: z.object({ id: z.string(), ...publishedSchema }),
          ...problems('environment_not_found', 'environment_protected', 'not_published'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { value, sequence } = await commit(context, request, async (write) => {
        const held = await holdEnvironment(write, env);
        if (held === null) return environmentUnknown(env);
        if (held.protected) return stillProtected(env);
        await deleteEnvironment(write, held);
        return held;
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ id: env, sequence });
    },
  );
}

function stillProtected(id: string): Problem {
  const detail = `The environment "${id}" is protected: set "protected" to false before deleting it.`;
  return new Problem('environment_protected', detail);
}

function environmentJson(environment: Environment): z.infer<typeof environmentSchema> {
  const { id, name, protected: isProtected, createdAtMs } = environment;
  return { id, name, protected: isProtected, createdAt: toIso(createdAtMs) };
}
