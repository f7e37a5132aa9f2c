/**
 * Writes the messages of a write's events into its own transaction: webhooks receive every edit that was acknowledged, however
 * the server ends, and no other (D23).
 */
import type { EventType, WebhookFormat } from '../../../contract/events.js';
import type { Db } from '../dialect.js';
import { timeOrderedId } from '../ids.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { eventsOfWrite, type WebhookEvent } from './events-of-write.js';
import { messageBody } from './message-body.js';
import { deliveryId } from './webhook-deliveries.js';

/** Thirteen columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 500;

/**
 * Costs one look at a table of at most a few dozen rows without webhooks, and nothing where nothing happened.
 * @param sequence the write's own number
 * @returns the ids of the webhooks that have something to send
 */
export async function enqueueEvents(write: UnitOfWork, sequence: number): Promise<string[]> {
  if (write.audited.length === 0 && write.changed.length === 0) return [];
  const subscriptions = await listSubscriptions(write.db);
  if (subscriptions.length === 0) return [];
  const events = await eventsOfWrite(write, sequence);
  const rows = events.flatMap((event) => {
    const eventId = `evt_${timeOrderedId(write.at)}`;
    const payloads = new Map<WebhookFormat, string>();
    const payloadOf = (format: WebhookFormat): string => {
      const payload = payloads.get(format) ?? messageBody(event, format, write.at);
      payloads.set(format, payload);
      return payload;
    };
    return subscriptions
      .filter((subscription) => wants(subscription, event))
      .map(({ id: webhookId, format }) => ({
        ...{ id: deliveryId(write.at), webhookId, eventId, eventType: event.type },
        payload: payloadOf(format),
        ...{ ...neverTried, status: 'pending' as const, lastError: '' },
        ...{ nextAttemptAt: write.at, createdAt: write.at },
      }));
  });
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert);
    await write.db.insertInto('webhookDeliveries').values(some).execute();
  }
  return [...new Set(rows.map((row) => row.webhookId))];
}

const neverTried = { attempts: 0, lastAttemptAt: null, lastStatus: null, lastDurationMs: null };

interface Subscription {
  readonly id: string;
  readonly format: WebhookFormat;
  /** Null: all. */
  readonly environments: readonly string[] | null;
  readonly events: readonly string[] | null;
}

/** Webhooks that are switched on: one that is off never receives what happens meanwhile. */
async function listSubscriptions(db: Db): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'format', 'environments', 'events'])
    .where('disabledAt', 'is', null)
    .execute();
  return rows.map(({ id, format, environments, events }) => ({
    ...{ id, format },
    environments: environments === null ? null : (JSON.parse(environments) as string[]),
    events: events === null ? null : (JSON.parse(events) as EventType[]),
  }));
}

function wants({ environments, events }: Subscription, event: WebhookEvent): boolean {
  return (
    (environments === null || environments.includes(event.environment)) &&
    (events === null || events.includes(event.type))
  );
}
