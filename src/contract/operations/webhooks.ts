/** Webhooks: URLs that are sent a signed message after each event. For owners, because they say where data goes. */
import { z } from 'zod';
import { eventTypes, webhookFormats } from '../events.js';
import { webhookUrlCharsMax } from '../limits.js';
import { operation } from '../operation.js';
import { descriptionSchema, environmentIdSchema } from '../schemas/common.js';
import { storable } from '../schemas/storable.js';
import { isSigningSecret } from '../signing-secret.js';

const webhookSchema = z
  .object({
    id: z.string(),
    url: z
      .string()
      .describe('Of a chat only the origin, for its URL is a secret: `https://hooks.slack.com/…`.'),
    format: z
      .enum(webhookFormats)
      .describe('`loadout`: signed JSON; else a message for people, as the chat service takes it.'),
    description: z.string(),
    environments: z.array(z.string()).readonly().nullable().describe('Their ids; null: all.'),
    events: z.array(z.enum(eventTypes)).readonly().nullable().describe('Null: all.'),
    enabled: z.boolean().describe('Events that happen while it is off are never sent to it.'),
    disabledAt: z.string().nullable(),
    disabledReason: z.string().describe('Who or what switched it off; empty when it is on.'),
    failures: z.int().describe('Attempts that failed one after the other; a success makes it 0.'),
    failingSince: z.string().nullable(),
    createdAt: z.string(),
    secretBeforeUntil: z
      .string()
      .nullable()
      .describe('Until then the secret before the present one signs as well.'),
  })
  .register(z.globalRegistry, { id: 'Webhook' });

export type Webhook = z.output<typeof webhookSchema>;

const withSecretSchema = webhookSchema.extend({
  secret: z
    .string()
    .describe(
      'Signs the messages; it is shown this once. Empty for a chat: no chat checks signatures.',
    ),
});

export type WebhookWithSecret = z.output<typeof withSecretSchema>;

export const webhookParams = z.object({ id: z.string().describe('Id of the webhook.') });

const urlSchema = storable(z.string().max(webhookUrlCharsMax)).describe(
  'https:// or http://. Not to this machine nor its link unless the server was started with --webhooks-to-local; private networks are fine. Redirects are not followed.',
);
const environmentsSchema = z
  .array(environmentIdSchema)
  .min(1)
  .max(100)
  .nullable()
  .describe('Ids of environments; null: all.');
const eventsSchema = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(eventTypes.length)
  .nullable()
  .describe('Types of events; null: all, later ones included.');
const enabledText = 'Whether messages are sent to it.';
const secretSchema = z
  .string()
  .refine(isSigningSecret, 'must be "whsec_" and 24 to 64 bytes in base64')
  .describe('A secret of your own; left out, one is made.');

export const listWebhooks = operation('GET /webhooks', {
  tag: 'webhooks',
  description: 'All webhooks, oldest first, without their secrets.',
  role: 'owner',
  responses: { 200: z.object({ webhooks: z.array(webhookSchema) }) },
});

export const createWebhook = operation('POST /webhooks', {
  tag: 'webhooks',
  description:
    'Makes a webhook: a URL that is sent a signed message (Standard Webhooks) after each event. A message that does not arrive is tried again over about a day.',
  role: 'owner',
  body: z.strictObject({
    url: urlSchema,
    format: z
      .enum(webhookFormats)
      .default('loadout')
      .describe('How messages look. It cannot be changed later.'),
    description: descriptionSchema.default(''),
    environments: environmentsSchema.default(null),
    events: eventsSchema.default(null),
    enabled: z.boolean().default(true).describe(enabledText),
    secret: secretSchema.optional(),
  }),
  responses: { 201: withSecretSchema },
  problems: ['limit_reached'],
});

export const getWebhook = operation('GET /webhooks/:id', {
  tag: 'webhooks',
  description: 'One webhook, without its secret.',
  role: 'owner',
  params: webhookParams,
  responses: { 200: webhookSchema },
  problems: ['webhook_not_found'],
});

export const updateWebhook = operation('PATCH /webhooks/:id', {
  tag: 'webhooks',
  description:
    'Changes a webhook, or switches it off or on; a field that is left out stays as it is. When it is switched on, what waited is sent.',
  role: 'owner',
  params: webhookParams,
  body: z.strictObject({
    url: urlSchema.optional(),
    description: descriptionSchema.optional(),
    environments: environmentsSchema.optional(),
    events: eventsSchema.optional(),
    enabled: z.boolean().optional().describe(enabledText),
  }),
  responses: { 200: webhookSchema },
  problems: ['webhook_not_found'],
});

export const deleteWebhook = operation('DELETE /webhooks/:id', {
  tag: 'webhooks',
  description: 'Removes a webhook with its deliveries; what still waits is not sent.',
  role: 'owner',
  params: webhookParams,
  responses: { 200: webhookSchema },
  problems: ['webhook_not_found'],
});

export const replaceSecret = operation('POST /webhooks/:id/secret', {
  tag: 'webhooks',
  description:
    'Replaces the secret. For 24 hours messages carry the signatures of both, so that receivers can be changed without a gap.',
  role: 'owner',
  params: webhookParams,
  body: z.strictObject({ secret: secretSchema.optional() }).nullish(),
  responses: { 200: withSecretSchema },
  problems: ['webhook_not_found'],
});
