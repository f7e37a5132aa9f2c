/** Writes down what became of an attempt: the message's state, and whether its webhook still deserves more. */
import { webhookFailingMsMax, webhookFailuresMax } from '../limits.js';
import type { Delivery } from '../store/webhook-deliveries.js';
import { switchOff } from '../store/webhooks.js';
import type { Write } from '../store/write.js';
import { retryDelayMs } from './retry-schedule.js';
import type { Attempt } from './send-message.js';

/** Gone: the receiver says that nothing shall be sent to it any more (Standard Webhooks). */
const goneStatus = 410;

export interface Recorded {
  /** Why the webhook was switched off; null: it was not. */
  readonly switchedOff: string | null;
}

/**
 * @param random from 0 to below 1, for the wait
 * @param delaysMs the retry schedule
 */
export async function recordAttempt(
  write: Write,
  delivery: Delivery,
  attempt: Attempt,
  random: number,
  delaysMs: readonly number[],
): Promise<Recorded> {
  const delivered = attempt.error === '';
  const attempts = delivery.attempts + 1;
  const gone = attempt.status === goneStatus;
  const delayMs = delivered || gone ? null : retryDelayMs(attempts, random, delaysMs);
  await write.db
    .updateTable('webhookDeliveries')
    .set({
      status: delivered ? 'delivered' : delayMs === null ? 'failed' : 'pending',
      attempts,
      nextAttemptAt: delayMs === null ? null : write.at + Math.max(delayMs, attempt.retryAfterMs),
      lastAttemptAt: write.at,
      lastStatus: attempt.status,
      lastError: attempt.error,
      lastDurationMs: attempt.durationMs,
    })
    .where('id', '=', delivery.id)
    .execute();
  if (delivered) {
    await forgetFailures(write, delivery.webhookId);
    return { switchedOff: null };
  }
  return { switchedOff: await countFailure(write, delivery.webhookId, gone) };
}

async function forgetFailures(write: Write, webhookId: string): Promise<void> {
  await write.db
    .updateTable('webhooks')
    .set({ failures: 0, failingSince: null })
    .where('id', '=', webhookId)
    .where('failures', '>', 0)
    .execute();
}

/** Gives the reason where this failure was one too many. */
async function countFailure(write: Write, id: string, gone: boolean): Promise<string | null> {
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
  const reason = gone
    ? 'it answered 410 Gone'
    : counted.failures >= webhookFailuresMax && failingMs >= webhookFailingMsMax
      ? `${counted.failures} attempts in a row failed within ${Math.floor(failingMs / 3_600_000)} hours`
      : null;
  if (reason !== null) await switchOff(write, id, reason);
  return reason;
}
