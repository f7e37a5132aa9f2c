/** Deliveries of webhooks: the log, one message, sending it again, and the test button. */
import { z } from 'zod';
import { deliveryRowsDefault, deliveryRowsMax } from '../limits.js';
import { operation } from '../operation.js';
import { pageLimit } from '../schemas/common.js';
import { webhookParams } from './webhooks.js';

const deliveryStatusSchema = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('pending: it waits for its first attempt, or for the next.');

const deliverySchema = z
  .object({
    id: z.string(),
    eventId: z.string().describe('The `webhook-id` of the message, the same in every attempt.'),
    event: z.string().describe('Its type.'),
    status: deliveryStatusSchema,
    attempts: z.int(),
    createdAt: z.string(),
    lastAttemptAt: z.string().nullable(),
    nextAttemptAt: z.string().nullable().describe('Null: there will be none.'),
    lastStatus: z.int().nullable().describe('HTTP status; null: there was no response.'),
    lastError: z.string().describe('In plain words; empty when the last attempt did not fail.'),
    lastDurationMs: z.int().nullable(),
  })
  .register(z.globalRegistry, { id: 'WebhookDelivery' });

export type WebhookDelivery = z.output<typeof deliverySchema>;

const deliveryParams = webhookParams.extend({
  deliveryId: z.string().describe('Id of the delivery.'),
});

export const testWebhook = operation('POST /webhooks/:id/test', {
  tag: 'webhooks',
  description:
    'Sends a message of the type webhook.test now, once, whether the webhook is on or off, and responds with what became of it. It counts neither as success nor as failure of the webhook.',
  role: 'owner',
  params: webhookParams,
  responses: { 200: deliverySchema },
  problems: ['webhook_not_found', 'webhook_busy'],
});

export const listDeliveries = operation('GET /webhooks/:id/deliveries', {
  tag: 'webhooks',
  description: 'What was sent and what waits, newest first. It is kept for 30 days.',
  role: 'owner',
  params: webhookParams,
  query: z.object({
    status: deliveryStatusSchema.optional().describe('Only these; left out: all.'),
    before: z.string().optional().describe('Id of the delivery before which the page begins.'),
    limit: pageLimit('Deliveries', deliveryRowsMax, deliveryRowsDefault),
  }),
  responses: {
    200: z.object({
      deliveries: z.array(deliverySchema),
      next: z.string().nullable().describe('`before` of the next page; null: this is the last.'),
    }),
  },
  problems: ['webhook_not_found'],
});

export const getDelivery = operation('GET /webhooks/:id/deliveries/:deliveryId', {
  tag: 'webhooks',
  description: 'One delivery, with the body of its message.',
  role: 'owner',
  params: deliveryParams,
  responses: {
    200: deliverySchema.extend({ body: z.string().describe('As it is signed and sent.') }),
  },
  problems: ['webhook_not_found', 'delivery_not_found'],
});

export const retryFailedDeliveries = operation('POST /webhooks/:id/deliveries/retry', {
  tag: 'webhooks',
  operationId: 'retryFailedWebhookDeliveries',
  description:
    'Sends all failed messages again, oldest first, as if they were new: for a receiver that is back after a long time.',
  role: 'owner',
  params: webhookParams,
  responses: { 200: z.object({ deliveries: z.int().describe('How many are sent again.') }) },
  problems: ['webhook_not_found', 'webhook_disabled'],
});

export const retryDelivery = operation('POST /webhooks/:id/deliveries/:deliveryId/retry', {
  tag: 'webhooks',
  description:
    'Sends a message again as soon as its webhook is free, whatever became of it before; receivers know it by its webhook-id.',
  role: 'owner',
  params: deliveryParams,
  responses: { 200: deliverySchema },
  problems: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
});
