/** The message of the test button: made, and noted in the log with what became of it. */
import { testEventType } from '../../contract/events.js';
import type { WebhookEvent } from '../store/events/events-of-write.js';
import { messageBody } from '../store/events/message-body.js';
import { type Delivery, findDelivery, insertDelivery } from '../store/events/webhook-deliveries.js';
import { timeOrderedId } from '../store/ids.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import { findWebhook, type Webhook } from './rows.js';
import type { Attempt } from './send-message.js';

export interface TestMessage {
  /** The message's `webhook-id`. */
  readonly id: string;
  readonly body: string;
}

export function testEvent(
  { id, format }: Pick<Webhook, 'id' | 'format'>,
  actor: Actor,
  nowMs: number,
): TestMessage {
  const event: WebhookEvent = {
    type: testEventType,
    environment: '',
    data: { webhook: id, by: actor.name },
  };
  return { id: `evt_${timeOrderedId(nowMs)}`, body: messageBody(event, format, nowMs) };
}

/** Null: the webhook was removed meanwhile. */
export async function recordTest(
  write: UnitOfWork,
  webhookId: string,
  { id: eventId, body: payload }: TestMessage,
  attempt: Attempt,
): Promise<Delivery | null> {
  if ((await findWebhook(write.db, webhookId)) === null) return null;
  const status = attempt.error === '' ? 'delivered' : 'failed';
  const id = await insertDelivery(write, {
    webhookId,
    eventId,
    eventType: testEventType,
    payload,
    status,
    attempts: 1,
    nextAttemptAt: null,
    lastAttemptAt: write.at,
    lastStatus: attempt.status,
    lastError: attempt.error,
    lastDurationMs: attempt.durationMs,
  });
  await write.audit('webhook.test', '', webhookId, { delivery: id, after: { status } });
  return findDelivery(write.db, webhookId, id);
}
