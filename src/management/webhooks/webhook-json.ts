/** A webhook and a delivery as the admin API shows them. */
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type * as api from '../../contract/operations/webhooks.js';
import type { Delivery } from '../store/events/webhook-deliveries.js';
import { toIso } from '../to-iso.js';
import type { Webhook } from './rows.js';

/** Everything but its secrets: whoever has the URL of a chat can post there, so only where it leads is shown. */
export function webhookJson(webhook: Webhook): api.Webhook {
  const { disabledAtMs, failingSinceMs, createdAtMs, secretBeforeUntilMs, ...rest } = webhook;
  const { url, format } = rest;
  return {
    ...rest,
    url: format === 'loadout' ? url : `${new URL(url).origin}/…`,
    enabled: disabledAtMs === null,
    disabledAt: toIso(disabledAtMs),
    failingSince: toIso(failingSinceMs),
    createdAt: toIso(createdAtMs),
    secretBeforeUntil: toIso(secretBeforeUntilMs),
  };
}

/** Everything but the body of its message. */
export function deliveryJson(delivery: Delivery): WebhookDelivery {
  const { id, eventId, eventType: event, status, attempts } = delivery;
  const { lastStatus, lastError, lastDurationMs } = delivery;
  return {
    ...{ id, eventId, event, status, attempts, lastStatus, lastError, lastDurationMs },
    createdAt: toIso(delivery.createdAtMs),
    lastAttemptAt: toIso(delivery.lastAttemptAtMs),
    nextAttemptAt: toIso(delivery.nextAttemptAtMs),
  };
}
