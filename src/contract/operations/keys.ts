/** API keys of an environment: what game clients, and game servers that report events, send as `X-Api-Key`. */
import { z } from 'zod';
import { givenKeyCharsMax, givenKeyCharsMin } from '../limits.js';
import { operation } from '../operation.js';
import { environmentParams, instantSchema, labelSchema, published } from '../schemas/common.js';

const purposeSchema = z
  .enum(['game', 'events'])
  .describe(
    'game: goes out with a game. events: stays on your own servers, opens `POST /api/v1/events` and nothing else, and its events count for trusted metrics.',
  );

const keySchema = z
  .object({
    id: z.string(),
    label: z.string(),
    purpose: purposeSchema,
    prefix: z.string().describe('The first characters of the key.'),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
    lastUsedAt: z.string().nullable().describe('To the minute or so; null: never.'),
  })
  .register(z.globalRegistry, { id: 'Key' });

export type Key = z.output<typeof keySchema>;

const keyParams = environmentParams.extend({ keyId: z.string().describe('Id of the key.') });

const expiresAtSchema = instantSchema.nullable();
const expiresAtText = 'RFC 3339 date-time from which the key is rejected; null: none.';

const givenKeySchema = z
  .string()
  .min(givenKeyCharsMin)
  .max(givenKeyCharsMax)
  .regex(/^[A-Za-z0-9_-]*$/, 'must consist of A-Z a-z 0-9 _ -')
  .describe('A key of your own, at least 128 random bits; left out, one is made.');

export const listKeys = operation('GET /environments/:env/keys', {
  tag: 'keys',
  description:
    'The API keys of an environment, oldest first, without their text. Revoked and expired ones stay.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: z.object({ keys: z.array(keySchema) }) },
});

export const createKey = operation('POST /environments/:env/keys', {
  tag: 'keys',
  description:
    'Makes an API key, which every delivery process accepts from now on. It is shown this once.',
  role: 'editor',
  publishes: true,
  params: environmentParams,
  body: z.strictObject({
    label: labelSchema.default(''),
    expiresAt: expiresAtSchema.default(null).describe(expiresAtText),
    key: givenKeySchema.optional(),
    purpose: purposeSchema.default('game'),
  }),
  responses: { 201: published(keySchema.extend({ key: z.string() })) },
  problems: ['key_exists', 'limit_reached'],
});

export const updateKey = operation('PATCH /environments/:env/keys/:keyId', {
  tag: 'keys',
  description:
    'Changes the label and the time from which the key is rejected. What is left out stays. A revoked key stays as it is.',
  role: 'editor',
  publishes: true,
  params: keyParams,
  body: z.strictObject({
    label: labelSchema.optional(),
    expiresAt: expiresAtSchema.optional().describe(expiresAtText),
  }),
  responses: { 200: published(keySchema) },
  problems: ['key_not_found', 'key_revoked'],
});

export const revokeKey = operation('DELETE /environments/:env/keys/:keyId', {
  tag: 'keys',
  description: 'Revokes the key: it is rejected from now on, and stays in the listing.',
  role: 'editor',
  publishes: true,
  params: keyParams,
  responses: { 200: published(keySchema) },
  problems: ['key_not_found'],
});
