/** Deliveries of webhooks: the log, one message, sending it again, and the test button. */
import {
  getDelivery,
  listDeliveries,
  retryDelivery,
  retryFailedDeliveries,
  testWebhook,
} from '../../contract/operations/webhook-deliveries.js';
import { Problem } from '../../contract/problems.js';
import { actorOf } from '../http/commit.js';
import { type Handler, handle, handleChange, handleRead } from '../http/handlers.js';
import { pageOf } from '../http/page.js';
import * as rows from '../store/events/webhook-deliveries.js';
import { webhookUnknown } from './handlers.js';
import { findWebhook, signingSecrets } from './rows.js';
import { recordTest, testEvent } from './test-message.js';
import { deliveryJson } from './webhook-json.js';

/** Of one app: each webhook is tested by one request at a time, so that a receiver that hangs is not sent many. */
export function testHandler(): Handler {
  const testing = new Set<string>();
  return handle(testWebhook, async ({ params: { id }, context, request }) => {
    const { store, webhooks, now } = context;
    const actor = actorOf(request);
    const { webhook, secrets } = await store.read(async (db) => ({
      webhook: await findWebhook(db, id),
      secrets: await signingSecrets(db, id, now()),
    }));
    if (webhook === null) return webhookUnknown(id);
    if (testing.has(id)) return new Problem('webhook_busy', 'It is being tested already.');
    testing.add(id);
    try {
      const message = testEvent(webhook, actor, now());
      const attempt = await webhooks.send({
        ...message,
        url: webhook.url,
        secrets,
        format: webhook.format,
      });
      const { value } = await store.write(actor, (write) =>
        recordTest(write, id, message, attempt),
      );
      return value === null ? webhookUnknown(id) : deliveryJson(value);
    } finally {
      testing.delete(id);
    }
  });
}

export const deliveryHandlers: readonly Handler[] = [
  handleRead(listDeliveries, async ({ params: { id }, query }, db) => {
    if ((await findWebhook(db, id)) === null) return webhookUnknown(id);
    const { limit, ...filter } = query;
    const found = await rows.listDeliveries(db, id, { ...filter, limit: limit + 1 });
    const page = pageOf(found, limit);
    return { deliveries: page.rows.map(deliveryJson), next: page.next };
  }),

  handleRead(getDelivery, async ({ params: { id, deliveryId } }, db) => {
    if ((await findWebhook(db, id)) === null) return webhookUnknown(id);
    const delivery = await rows.findDelivery(db, id, deliveryId);
    if (delivery === null) return deliveryUnknown(deliveryId);
    return { ...deliveryJson(delivery), body: delivery.payload };
  }),

  handleChange(retryFailedDeliveries, async ({ params: { id } }, write) => {
    const webhook = await findWebhook(write.db, id);
    if (webhook === null) return webhookUnknown(id);
    if (webhook.disabledAtMs !== null) return switchedOff(webhook.disabledReason);
    return { deliveries: await rows.retryFailed(write, id) };
  }),

  handleChange(retryDelivery, async ({ params: { id, deliveryId } }, write) => {
    const webhook = await findWebhook(write.db, id);
    if (webhook === null) return webhookUnknown(id);
    const delivery = await rows.findDelivery(write.db, id, deliveryId);
    if (delivery === null) return deliveryUnknown(deliveryId);
    if (webhook.disabledAtMs !== null) return switchedOff(webhook.disabledReason);
    await rows.retryDelivery(write, delivery);
    const waiting = await rows.findDelivery(write.db, id, deliveryId);
    return waiting === null ? deliveryUnknown(deliveryId) : deliveryJson(waiting);
  }),
];

function deliveryUnknown(id: string): Problem {
  return new Problem('delivery_not_found', `The webhook has no delivery "${id}".`);
}

function switchedOff(reason: string): Problem {
  const detail = `The webhook is switched off (${reason}): switch it on first.`;
  return new Problem('webhook_disabled', detail);
}
