/** Routes of webhooks: made, listed, changed, removed, their secrets replaced. For owners: they say where data goes. */
import { z } from 'zod';
import { webhooksMax, webhookUrlCharsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { descriptionSchema, environmentIdSchema } from '../../contract/schemas/common.js';
import { storable } from '../../contract/schemas/storable.js';
import { problems } from '../http/problem-responses.js';
import type { Reading } from '../store/dialect.js';
import { listEnvironments } from '../store/environments.js';
import {
  changeSecret,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookEdit,
} from '../store/webhooks.js';
import { eventTypes } from '../../contract/events.js';
import { isSigningSecret, makeSigningSecret } from '../webhooks/signature.js';
import { refusedTarget } from '../webhooks/target-address.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { bodyFault, sendProblem } from './problem.js';
import { webhookJson, webhookParams, webhookSchema, webhookUnknown } from './webhook-view.js';

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
const secretSchema = z
  .string()
  .refine(isSigningSecret, 'must be "whsec_" and 24 to 64 bytes in base64')
  .describe('A secret of your own; left out, one is made.');

const withSecretSchema = webhookSchema.extend({
  secret: z.string().describe('Signs the messages; it is shown this once.'),
});

export function registerWebhooks(app: AdminApp, context: AdminContext): void {
  const tags = ['webhooks'];
  const config = { role: 'owner' } as const;

  app.get(
    '/admin/v1/webhooks',
    {
      config,
      schema: {
        tags,
        description: 'All webhooks, oldest first, without their secrets.',
        response: { 200: z.object({ webhooks: z.array(webhookSchema) }), ...problems() },
      },
    },
    async (_request, reply) => {
      const webhooks = await context.store.read(listWebhooks);
      return reply.send({ webhooks: webhooks.map(webhookJson) });
    },
  );

  app.post(
    '/admin/v1/webhooks',
    {
      config,
      schema: {
        tags,
        description:
          'Makes a webhook: a URL that is sent a signed message (Standard Webhooks) after each event. A message that does not arrive is tried again over about a day.',
        body: z.strictObject({
          url: urlSchema,
          description: descriptionSchema.default(''),
          environments: environmentsSchema.default(null),
          events: eventsSchema.default(null),
          enabled: z.boolean().default(true).describe('Whether it is sent anything.'),
          secret: secretSchema.optional(),
        }),
        response: { 201: withSecretSchema, ...problems('limit_reached') },
      },
    },
    async (request, reply) => {
      const { secret = makeSigningSecret(), ...wish } = request.body;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const fault = await editFault(write.db, wish, context.webhooks.toLocal);
        if (fault !== null) return fault;
        if ((await listWebhooks(write.db)).length >= webhooksMax) return tooMany();
        return insertWebhook(write, { ...wish, secret });
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.code(201).send({ ...webhookJson(value), secret });
    },
  );

  app.get(
    '/admin/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        description: 'One webhook, without its secret.',
        params: webhookParams,
        response: { 200: webhookSchema, ...problems('webhook_not_found') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const webhook = await context.store.read((db) => findWebhook(db, id));
      if (webhook === null) return sendProblem(reply, webhookUnknown(id));
      return reply.send(webhookJson(webhook));
    },
  );

  app.patch(
    '/admin/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        description:
          'Changes a webhook, or switches it off or on; a field that is left out stays as it is. When it is switched on, what waited is sent.',
        params: webhookParams,
        body: z.strictObject({
          url: urlSchema.optional(),
          description: descriptionSchema.optional(),
          environments: environmentsSchema.optional(),
          events: eventsSchema.optional(),
          enabled: z.boolean().optional().describe('Whether it is sent anything.'),
        }),
        response: { 200: webhookSchema, ...problems('webhook_not_found') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const webhook = await findWebhook(write.db, id);
        if (webhook === null) return webhookUnknown(id);
        const fault = await editFault(write.db, request.body, context.webhooks.toLocal);
        return fault ?? updateWebhook(write, webhook, request.body);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(webhookJson(value));
    },
  );

  app.delete(
    '/admin/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        description: 'Removes a webhook with its deliveries; what still waits is not sent.',
        params: webhookParams,
        response: { 200: webhookSchema, ...problems('webhook_not_found') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const webhook = await findWebhook(write.db, id);
        if (webhook === null) return webhookUnknown(id);
        await deleteWebhook(write, webhook);
        return webhook;
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(webhookJson(value));
    },
  );

  app.post(
    '/admin/v1/webhooks/:id/secret',
    {
      config,
      schema: {
        tags,
        description:
          'Replaces the secret. For 24 hours messages carry the signatures of both, so that receivers can be changed without a gap.',
        params: webhookParams,
        body: z.strictObject({ secret: secretSchema.optional() }).nullish(),
        response: { 200: withSecretSchema, ...problems('webhook_not_found') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const secret = request.body?.secret ?? makeSigningSecret();
      const { value } = await context.store.write(actorOf(request), async (write) => {
        if ((await findWebhook(write.db, id)) === null) return webhookUnknown(id);
        await changeSecret(write, id, secret);
        return (await findWebhook(write.db, id)) ?? webhookUnknown(id);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ ...webhookJson(value), secret });
    },
  );
}

/** What the shape of the body cannot tell. */
async function editFault(
  db: Reading,
  edit: WebhookEdit,
  toLocal: boolean,
): Promise<Problem | null> {
  const refused = edit.url === undefined ? null : refusedTarget(edit.url, toLocal);
  if (refused !== null) return bodyFault('url', refused);
  if (edit.environments === undefined || edit.environments === null) return null;
  // A slip in a name would be silence, which nobody notices.
  const known = new Set((await listEnvironments(db)).map((environment) => environment.id));
  const index = edit.environments.findIndex((id) => !known.has(id));
  if (index === -1) return null;
  return bodyFault(
    `environments[${index}]`,
    `there is no environment "${edit.environments[index]}"`,
  );
}

function tooMany(): Problem {
  return new Problem(
    'limit_reached',
    `There are ${webhooksMax} webhooks already; remove one first.`,
  );
}
