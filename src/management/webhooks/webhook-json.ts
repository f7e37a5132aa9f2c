/** A webhook and a delivery as the admin API shows them. */
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type * as api from '../../contract/operations/webhooks.js';
import type { Delivery } from '../store/events/webhook-deliveries.js';
import { toIso } from '../to-iso.js';
import type { Webhook } from './rows.js';

/** Everything but its secret. */
export function webhookJson(webhook: Webhook): api.Webhook {
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

/** Everything but the body of its message. */
export function deliveryJson(delivery: Delivery): WebhookDelivery {
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
