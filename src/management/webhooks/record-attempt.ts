/** Writes down what became of an attempt: the message's state, and whether its webhook still deserves more. */
import { webhookFailingMsMax, webhookFailuresMax } from '../limits/webhooks.js';
import { retryDelayMs } from '../store/events/retry-schedule.js';
import type { Delivery } from '../store/events/webhook-deliveries.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { goneReason } from './describe-failure.js';
import { findWebhook, switchOff, type Webhook } from './rows.js';
import type { Attempt } from './send-message.js';

export interface Recorded {
  /** Why the webhook was switched off; null: it was not. */
  readonly switchedOff: string | null;
}

/**
 * While one server takes over from another both may have sent the message: what arrived has arrived, and the same
 * failure is one.
 * @param delivery as it was when it was sent
 * @param target of its webhook, as it was when it was sent
 * @param random from 0 to below 1, for the wait
 * @param delaysMs the retry schedule
 */
export async function recordAttempt(
  write: UnitOfWork,
  delivery: Delivery,
  target: Pick<Webhook, 'url' | 'format'>,
  attempt: Attempt,
  random: number,
  delaysMs: readonly number[],
): Promise<Recorded> {
  if (attempt.error === '') {
    await recordDelivered(write, delivery, attempt);
    await forgetFailures(write, delivery.webhookId);
    return { switchedOff: null };
  }
  // It has got another URL meanwhile: this failure says nothing of that one, which the message still waits for.
  const present = await findWebhook(write.db, delivery.webhookId);
  if (present !== null && present.url !== target.url) return { switchedOff: null };
  const gone = goneReason(attempt.status, target.format);
  const delayMs = gone !== null ? null : retryDelayMs(delivery.attempts + 1, random, delaysMs);
  const isFirst = await recordFailed(write, delivery, attempt, delayMs);
  return { switchedOff: isFirst ? await countFailure(write, delivery.webhookId, gone) : null };
}

async function recordDelivered(
  write: UnitOfWork,
  { id }: Delivery,
  attempt: Attempt,
): Promise<void> {
  await write.db
    .updateTable('webhookDeliveries')
    .set((column) => ({
      ...outcome(write, attempt),
      status: 'delivered',
      attempts: column('attempts', '+', 1),
      nextAttemptAt: null,
    }))
    .where('id', '=', id)
    .where('status', '!=', 'delivered')
    .execute();
}

/**
 * @param delayMs until it is tried again; null: it is given up
 * @returns false: it was recorded already, or the message was restarted meanwhile
 */
async function recordFailed(
  write: UnitOfWork,
  { id, attempts }: Delivery,
  attempt: Attempt,
  delayMs: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await write.db
    .updateTable('webhookDeliveries')
    .set({
      ...outcome(write, attempt),
      status: delayMs === null ? 'failed' : 'pending',
      attempts: attempts + 1,
      nextAttemptAt: delayMs === null ? null : write.at + Math.max(delayMs, attempt.retryAfterMs),
    })
    .where((row) => row.and({ id, status: 'pending', attempts }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function outcome(write: UnitOfWork, { status, error, durationMs }: Attempt) {
  return {
    lastAttemptAt: write.at,
    lastStatus: status,
    lastError: error,
    lastDurationMs: durationMs,
  };
}

async function forgetFailures(write: UnitOfWork, webhookId: string): Promise<void> {
  await write.db
    .updateTable('webhooks')
    .set({ failures: 0, failingSince: null })
    .where('id', '=', webhookId)
    .where('failures', '>', 0)
    .execute();
}

/**
 * Gives the reason where this failure was one too many.
 * @param gone why its receiver takes nothing any more; null: it does
 */
async function countFailure(
  write: UnitOfWork,
  id: string,
  gone: string | null,
): Promise<string | null> {
  const counted = await write.db
    .updateTable('webhooks')
    .set((column) => ({
      failures: column('failures', '+', 1),
      failingSince: column.fn.coalesce('failingSince', column.val(write.at)),
    }))
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .returning(['failures', 'failingSince'])
    .executeTakeFirst();
  // Removed or switched off while the message was under way.
  if (counted === undefined) return null;
  const failingMs = write.at - (counted.failingSince ?? write.at);
  const isTooMany = counted.failures >= webhookFailuresMax && failingMs >= webhookFailingMsMax;
  const reason =
    gone ??
    (isTooMany
      ? `${counted.failures} attempts in a row failed within ${Math.floor(failingMs / 3_600_000)} hours`
      : null);
  if (reason !== null) await switchOff(write, id, reason);
  return reason;
}
