/** Routes of sample users: saved user contexts, shared by all who work in an environment. Delivery knows nothing of them. */
import { z } from 'zod';
import { contextBytesMax, sampleUsersMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { environmentParams, nameSchema } from '../../contract/schemas/common.js';
import { userContextFields } from '../../contract/schemas/user-context.js';
import { editEnvironment, environmentUnknown } from '../authoring/edit-environment.js';
import { problems } from '../http/problem-responses.js';
import { findEnvironment } from '../store/environments.js';
import {
  countSampleUsers,
  deleteSampleUser,
  findSampleUser,
  listSampleUsers,
  putSampleUser,
  type SampleUser,
} from '../store/sample-users.js';
import { toIso } from '../to-iso.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { bodyFault, sendProblem } from './problem.js';
import { rawList, rawObject, sendRaw } from './raw-json.js';
import { rawMembers } from './raw-members.js';

const { p, v } = userContextFields;
const bodySchema = z.strictObject({ u: z.string().optional().describe('User id.'), p, v });
bodySchema.register(z.globalRegistry, {
  examples: [{ u: 'player-123', p: { country: 'DE', level: 12 }, v: '1.4.0' }],
});

const sampleUserSchema = z.object({
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  context: z
    .object({
      u: z.string().optional(),
      p: z.record(z.string(), z.unknown()).optional(),
      v: z.string().optional(),
    })
    .describe('What was given of it; the values of `p` byte for byte as they were sent.'),
});
sampleUserSchema.register(z.globalRegistry, { id: 'SampleUser' });

const sampleUserParams = environmentParams.extend({
  name: nameSchema.describe('Name of the sample user.'),
});

export function registerSampleUsers(app: AdminApp, { store }: AdminContext): void {
  const tags = ['evaluate'];

  app.get(
    '/admin/v1/environments/:env/sample-users',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        description: 'Lists the saved user contexts that contents are tried with, by name.',
        params: environmentParams,
        response: {
          200: z.object({
            limit: z.int().describe('Of sample users in one environment.'),
            sampleUsers: z.array(sampleUserSchema),
          }),
          ...problems(),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const found = await store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
        return listSampleUsers(db, env);
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      const plain = { limit: sampleUsersMax };
      return sendRaw(reply, 200, rawList(plain, 'sampleUsers', found.map(sampleUserJson)));
    },
  );

  app.put(
    '/admin/v1/environments/:env/sample-users/:name',
    {
      config: { role: 'editor' },
      schema: {
        tags,
        description: 'Saves a user context under a name; what was saved under it is replaced.',
        params: sampleUserParams,
        body: bodySchema,
        response: { 200: sampleUserSchema, 201: sampleUserSchema, ...problems('limit_reached') },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const context = contextText(request.body, request.rawBody);
      const bytes = Buffer.byteLength(context);
      if (bytes > contextBytesMax) {
        const message = `makes the context ${bytes} bytes long; the limit is ${contextBytesMax}`;
        return sendProblem(reply, bodyFault('p', message));
      }
      const { value } = await store.write(actorOf(request), async (write) => {
        const editable = await editEnvironment(write, env);
        if (editable instanceof Problem) return editable;
        const before = await findSampleUser(write.db, env, name);
        if (before === null && (await countSampleUsers(write.db, env)) >= sampleUsersMax) {
          return tooMany(env);
        }
        const saved = await putSampleUser(write, env, before, { name, context });
        return { created: before === null, saved };
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return sendRaw(reply, value.created ? 201 : 200, sampleUserJson(value.saved));
    },
  );

  app.delete(
    '/admin/v1/environments/:env/sample-users/:name',
    {
      config: { role: 'editor' },
      schema: {
        tags,
        description: 'Removes a saved user context.',
        params: sampleUserParams,
        response: { 200: z.object({ name: z.string() }), ...problems('sample_user_not_found') },
      },
    },
    async (request, reply) => {
      const { env, name } = request.params;
      const { value } = await store.write(actorOf(request), async (write) => {
        const editable = await editEnvironment(write, env);
        if (editable instanceof Problem) return editable;
        const user = await findSampleUser(write.db, env, name);
        if (user === null) return unknown(env, name);
        await deleteSampleUser(write, env, user);
        return user;
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ name: value.name });
    },
  );
}

/** The members that were given. The attributes stay as they were sent: parsing them may lose what a condition asks for. */
function contextText(body: z.output<typeof bodySchema>, raw: Uint8Array | null): string {
  const given: string[] = [];
  if (body.u !== undefined) given.push(`"u":${JSON.stringify(body.u)}`);
  const attributes = rawMembers(raw ?? new Uint8Array()).get('p');
  if (attributes !== undefined) given.push(`"p":${Buffer.from(attributes).toString()}`);
  if (typeof body.v === 'string' && body.v !== '') given.push(`"v":${JSON.stringify(body.v)}`);
  return `{${given.join(',')}}`;
}

function sampleUserJson({ name, context, createdAtMs, updatedAtMs }: SampleUser): Buffer {
  const plain = { name, createdAt: toIso(createdAtMs), updatedAt: toIso(updatedAtMs) };
  return rawObject(plain, { context });
}

function unknown(environment: string, name: string): Problem {
  return new Problem(
    'sample_user_not_found',
    `The environment "${environment}" has no sample user "${name}".`,
  );
}

function tooMany(environment: string): Problem {
  return new Problem(
    'limit_reached',
    `The environment "${environment}" has ${sampleUsersMax} sample users already; remove some first.`,
  );
}
