/** How webhooks and their deliveries look in the admin API. */
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import type { Delivery } from '../store/webhook-deliveries.js';
import type { Webhook } from '../store/webhooks.js';
import { toIso } from '../to-iso.js';
import { eventTypes } from '../../contract/events.js';

export const webhookParams = z.object({ id: z.string().describe('Id of the webhook.') });

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  environments: z.array(z.string()).readonly().nullable().describe('Their ids; null: all.'),
  events: z.array(z.enum(eventTypes)).readonly().nullable().describe('Null: all.'),
  enabled: z.boolean().describe('What happens while it is off is not told later.'),
  disabledAt: z.string().nullable(),
  disabledReason: z.string().describe('Who or what switched it off; empty when it is on.'),
  failures: z.int().describe('Attempts that failed one after the other; a success makes it 0.'),
  failingSince: z.string().nullable(),
  createdAt: z.string(),
  secretBeforeUntil: z
    .string()
    .nullable()
    .describe('Until then the secret before the present one signs as well.'),
});
webhookSchema.register(z.globalRegistry, { id: 'Webhook' });

export function webhookJson(webhook: Webhook): z.infer<typeof webhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    environments: webhook.environments,
    events: webhook.events,
    enabled: webhook.disabledAtMs === null,
    disabledAt: toIso(webhook.disabledAtMs),
    disabledReason: webhook.disabledReason,
    failures: webhook.failures,
    failingSince: toIso(webhook.failingSinceMs),
    createdAt: toIso(webhook.createdAtMs),
    secretBeforeUntil: toIso(webhook.secretBeforeUntilMs),
  };
}

export const deliveryStatusSchema = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('pending: it waits for its first attempt, or for the next.');

export const deliverySchema = z.object({
  id: z.string(),
  eventId: z.string().describe('The `webhook-id` of the message, the same in every attempt.'),
  event: z.string().describe('Its type.'),
  status: deliveryStatusSchema,
  attempts: z.int(),
  createdAt: z.string(),
  lastAttemptAt: z.string().nullable(),
  nextAttemptAt: z.string().nullable().describe('Null: there will be none.'),
  lastStatus: z.int().nullable().describe('HTTP status; null: there was no answer.'),
  lastError: z.string().describe('In plain words; empty when the last attempt did not fail.'),
  lastDurationMs: z.int().nullable(),
});
deliverySchema.register(z.globalRegistry, { id: 'WebhookDelivery' });

export function deliveryJson(delivery: Delivery): z.infer<typeof deliverySchema> {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: toIso(delivery.createdAtMs),
    lastAttemptAt: toIso(delivery.lastAttemptAtMs),
    nextAttemptAt: toIso(delivery.nextAttemptAtMs),
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    lastDurationMs: delivery.lastDurationMs,
  };
}

export function webhookUnknown(id: string): Problem {
  return new Problem('webhook_not_found', `There is no webhook "${id}".`);
}
