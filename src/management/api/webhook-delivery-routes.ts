/** Routes of what webhooks were sent: the log, one message, sending it again, and the test button. */
import { z } from 'zod';
import { deliveryRowsDefault, deliveryRowsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { problems } from '../http/problem-responses.js';
import {
  findDelivery,
  listDeliveries,
  retryDelivery,
  retryFailed,
} from '../store/webhook-deliveries.js';
import { findWebhook, signingSecrets } from '../store/webhooks.js';
import { recordTest, testEvent } from '../webhooks/test-message.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import {
  deliveryJson,
  deliverySchema,
  deliveryStatusSchema,
  webhookParams,
  webhookUnknown,
} from './webhook-view.js';

const deliveryParams = webhookParams.extend({
  deliveryId: z.string().describe('Id of the delivery.'),
});

export function registerWebhookDeliveries(app: AdminApp, context: AdminContext): void {
  const tags = ['webhooks'];
  const config = { role: 'owner' } as const;
  /** Webhooks that are tested now: a receiver that hangs must not be asked many times at once. */
  const testing = new Set<string>();

  app.post(
    '/admin/v1/webhooks/:id/test',
    {
      config,
      schema: {
        tags,
        description:
          'Sends a message of the type webhook.test now, once, whether the webhook is on or off, and answers what became of it. It counts neither as success nor as failure of the webhook.',
        params: webhookParams,
        response: { 200: deliverySchema, ...problems('webhook_not_found', 'webhook_busy') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const actor = actorOf(request);
      const found = await context.store.read(async (db) => ({
        webhook: await findWebhook(db, id),
        secrets: await signingSecrets(db, id, context.now()),
      }));
      if (found.webhook === null) return sendProblem(reply, webhookUnknown(id));
      if (testing.has(id)) {
        return sendProblem(reply, new Problem('webhook_busy', 'It is being tested already.'));
      }
      testing.add(id);
      try {
        const { url } = found.webhook;
        const message = testEvent(id, actor, context.now());
        const { secrets } = found;
        const attempt = await context.webhooks.send({ ...message, url, secrets });
        const { value } = await context.store.write(actor, (write) =>
          recordTest(write, id, message, attempt),
        );
        if (value === null) return sendProblem(reply, webhookUnknown(id));
        return reply.send(deliveryJson(value));
      } finally {
        testing.delete(id);
      }
    },
  );

  app.get(
    '/admin/v1/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        description: 'What was sent and what waits, newest first. It is kept for 30 days.',
        params: webhookParams,
        querystring: z.object({
          status: deliveryStatusSchema.optional().describe('Only these; left out: all.'),
          before: z
            .string()
            .optional()
            .describe('Id of the delivery before which the page begins.'),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(deliveryRowsMax)
            .default(deliveryRowsDefault)
            .describe('Deliveries of a page.'),
        }),
        response: {
          200: z.object({
            deliveries: z.array(deliverySchema),
            next: z
              .string()
              .nullable()
              .describe('`before` of the next page; null: this is the last.'),
          }),
          ...problems('webhook_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { limit, ...filter } = request.query;
      const rows = await context.store.read(async (db) =>
        (await findWebhook(db, id)) === null
          ? null
          : listDeliveries(db, id, { ...filter, limit: limit + 1 }),
      );
      if (rows === null) return sendProblem(reply, webhookUnknown(id));
      const page = rows.slice(0, limit);
      const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
      return reply.send({ deliveries: page.map(deliveryJson), next });
    },
  );

  app.get(
    '/admin/v1/webhooks/:id/deliveries/:deliveryId',
    {
      config,
      schema: {
        tags,
        description: 'One delivery, with the body of its message.',
        params: deliveryParams,
        response: {
          200: deliverySchema.extend({ body: z.string().describe('As it is signed and sent.') }),
          ...problems('webhook_not_found', 'delivery_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const delivery = await context.store.read(async (db) =>
        (await findWebhook(db, id)) === null
          ? webhookUnknown(id)
          : ((await findDelivery(db, id, deliveryId)) ?? deliveryUnknown(deliveryId)),
      );
      if (delivery instanceof Problem) return sendProblem(reply, delivery);
      return reply.send({ ...deliveryJson(delivery), body: delivery.payload });
    },
  );

  app.post(
    '/admin/v1/webhooks/:id/deliveries/retry',
    {
      config,
      schema: {
        tags,
        operationId: 'retryFailedWebhookDeliveries',
        description:
          'Sends all failed messages again, oldest first, as if they were new: for a receiver that is back after a long time.',
        params: webhookParams,
        response: {
          200: z.object({ deliveries: z.int().describe('How many are sent again.') }),
          ...problems('webhook_not_found', 'webhook_disabled'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const webhook = await findWebhook(write.db, id);
        if (webhook === null) return webhookUnknown(id);
        if (webhook.disabledAtMs !== null) return switchedOff(webhook.disabledReason);
        return retryFailed(write, id);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send({ deliveries: value });
    },
  );

  app.post(
    '/admin/v1/webhooks/:id/deliveries/:deliveryId/retry',
    {
      config,
      schema: {
        tags,
        description:
          'Sends a message again as soon as its webhook is free, whatever became of it before; receivers know it by its webhook-id.',
        params: deliveryParams,
        response: {
          200: deliverySchema,
          ...problems('webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
        },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const webhook = await findWebhook(write.db, id);
        if (webhook === null) return webhookUnknown(id);
        const delivery = await findDelivery(write.db, id, deliveryId);
        if (delivery === null) return deliveryUnknown(deliveryId);
        if (webhook.disabledAtMs !== null) return switchedOff(webhook.disabledReason);
        await retryDelivery(write, delivery);
        return (await findDelivery(write.db, id, deliveryId)) ?? deliveryUnknown(deliveryId);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(deliveryJson(value));
    },
  );
}

function deliveryUnknown(id: string): Problem {
  return new Problem('delivery_not_found', `The webhook has no delivery "${id}".`);
}

function switchedOff(reason: string): Problem {
  return new Problem(
    'webhook_disabled',
    `The webhook is switched off (${reason}): switch it on first.`,
  );
}
