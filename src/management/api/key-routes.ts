/** Routes of API keys: made, listed, edited, revoked. */
import { z } from 'zod';
import { parseInstant } from '../../content/mapping/instant.js';
import { editEnvironment, environmentUnknown } from '../authoring/edit-environment.js';
import { Refusal } from '../authoring/refusal.js';
import { givenKeyCharsMax, givenKeyCharsMin, keysMax } from '../limits.js';
import { findEnvironment } from '../store/environments.js';
import {
  type ApiKey,
  countKeys,
  findKey,
  insertKey,
  listKeys,
  revokeKey,
  updateKey,
} from '../store/keys.js';
import { commit } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { problems } from './problem-responses.js';
import { environmentParams, instantShape, labelShape, publishedShape, timeText } from './shapes.js';

const keyShape = z.object({
  id: z.string(),
  label: z.string(),
  prefix: z.string().describe('The first characters of the key.'),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable().describe('To the minute or so; null: never.'),
});
keyShape.register(z.globalRegistry, { id: 'Key' });

const keyParams = environmentParams.extend({ keyId: z.string().describe('Id of the key.') });

const givenKeyShape = z
  .string()
  .min(givenKeyCharsMin)
  .max(givenKeyCharsMax)
  .regex(/^[A-Za-z0-9_-]*$/, 'must consist of A-Z a-z 0-9 _ -')
  .describe('A key of your own, at least 128 random bits; left out, one is made.');

export function registerKeys(app: AdminApp, context: AdminContext): void {
  const tags = ['keys'];

  app.get(
    '/admin/v1/environments/:env/keys',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        description:
          'The API keys of an environment, oldest first, without their text. Revoked and expired ones stay.',
        params: environmentParams,
        response: {
          200: z.object({ keys: z.array(keyShape) }),
          ...problems('environment_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const keys = await context.store.read(async (db) =>
        (await findEnvironment(db, env)) === null ? null : listKeys(db, env),
      );
      if (keys === null) return sendProblem(reply, environmentUnknown(env));
      return reply.send({ keys: keys.map(keyJson) });
    },
  );

  app.post(
    '/admin/v1/environments/:env/keys',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags,
        description:
          'Makes an API key, which every listener takes from now on. It is shown this once.',
        params: environmentParams,
        body: z.strictObject({
          label: labelShape.default(''),
          expiresAt: instantShape
            .nullable()
            .default(null)
            .describe('RFC 3339 date-time from which the key is refused; null: none.'),
          key: givenKeyShape.optional(),
        }),
        response: {
          201: keyShape.extend({ key: z.string(), ...publishedShape }),
          ...problems('environment_not_found', 'key_exists', 'limit_reached', 'not_published'),
        },
      },
    },
    async (request, reply) => {
      const { label, expiresAt, key } = request.body;
      const expiresAtMs = expiresAt === null ? null : parseInstant(expiresAt);
      const { value, sequence } = await commit(context, request, async (write) => {
        const editable = await editEnvironment(write, request.params.env);
        if (editable instanceof Refusal) return editable;
        if ((await countKeys(write.db, editable.id)) >= keysMax) return tooMany(editable.id);
        return (await insertKey(write, editable.id, { label, expiresAtMs, key })) ?? keyExists();
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.code(201).send({ ...keyJson(value), key: value.key, sequence });
    },
  );

  app.patch(
    '/admin/v1/environments/:env/keys/:keyId',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags,
        description:
          'Changes the label and the time from which the key is refused. What is left out stays. A revoked key stays as it is.',
        params: keyParams,
        body: z.strictObject({
          label: labelShape.optional(),
          expiresAt: instantShape
            .nullable()
            .optional()
            .describe('RFC 3339 date-time from which the key is refused; null: none.'),
        }),
        response: {
          200: keyShape.extend(publishedShape),
          ...problems('environment_not_found', 'key_not_found', 'key_revoked', 'not_published'),
        },
      },
    },
    async (request, reply) => {
      const { env, keyId } = request.params;
      const { label, expiresAt } = request.body;
      const expiresAtMs = typeof expiresAt === 'string' ? parseInstant(expiresAt) : expiresAt;
      const { value, sequence } = await commit(context, request, async (write) => {
        const editable = await editEnvironment(write, env);
        if (editable instanceof Refusal) return editable;
        const key = await findKey(write.db, env, keyId);
        if (key === null) return keyUnknown(env, keyId);
        if (key.revokedAtMs !== null) return keyRevoked(key.prefix);
        return updateKey(write, key, { label, expiresAtMs });
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ ...keyJson(value), sequence });
    },
  );

  app.delete(
    '/admin/v1/environments/:env/keys/:keyId',
    {
      config: { role: 'editor', publishes: true },
      schema: {
        tags,
        description: 'Revokes the key: it is refused from now on, and stays in the listing.',
        params: keyParams,
        response: {
          200: keyShape.extend(publishedShape),
          ...problems('environment_not_found', 'key_not_found', 'not_published'),
        },
      },
    },
    async (request, reply) => {
      const { env, keyId } = request.params;
      const { value, sequence } = await commit(context, request, async (write) => {
        const editable = await editEnvironment(write, env);
        if (editable instanceof Refusal) return editable;
        await revokeKey(write, env, keyId);
        return (await findKey(write.db, env, keyId)) ?? keyUnknown(env, keyId);
      });
      if (value instanceof Refusal) return sendProblem(reply, value);
      return reply.send({ ...keyJson(value), sequence });
    },
  );
}

/** It does not say where: who gives a key must not learn in which environment it is valid. */
function keyExists(): Refusal {
  return new Refusal('key_exists', 'This key was created before; choose another one.');
}

function keyUnknown(environment: string, id: string): Refusal {
  return new Refusal('key_not_found', `The environment "${environment}" has no key "${id}".`);
}

function keyRevoked(prefix: string): Refusal {
  return new Refusal('key_revoked', `The key ${prefix}… is revoked for good; create another one.`);
}

function tooMany(environment: string): Refusal {
  return new Refusal('limit_reached', `"${environment}" has ${keysMax} keys already.`);
}

function keyJson(key: ApiKey): z.infer<typeof keyShape> {
  return {
    id: key.id,
    label: key.label,
    prefix: key.prefix,
    createdAt: timeText(key.createdAtMs),
    expiresAt: timeText(key.expiresAtMs),
    revokedAt: timeText(key.revokedAtMs),
    lastUsedAt: timeText(key.lastUsedAtMs),
  };
}
