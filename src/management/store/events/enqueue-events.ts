/**
 * Writes the messages of a write's events into its own transaction: an edit that was acknowledged is told, however
 * the server ends, and one that was not is not (D23).
 */
import type { EventType } from '../../../contract/events.js';
import type { Db } from '../dialect.js';
import { timeOrderedId } from '../ids.js';
import type { WebhookDeliveriesTable } from '../tables.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { messageBody, type WebhookEvent } from './event-types.js';
import { eventsOfWrite } from './events-of-write.js';
import { deliveryId } from './webhook-deliveries.js';

/** Thirteen columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 500;

/**
 * Costs one look at a table of at most a few dozen rows where nobody listens, and nothing where nothing happened.
 * @param sequence the write's own number
 * @returns the ids of the webhooks that have something to send
 */
export async function enqueueEvents(write: UnitOfWork, sequence: number): Promise<string[]> {
  if (write.audited.length === 0 && write.changed.length === 0) return [];
  const listeners = await listListeners(write.db);
  if (listeners.length === 0) return [];
  const events = await eventsOfWrite(write, sequence);
  const rows = events.flatMap((event) => {
    const eventId = `evt_${timeOrderedId(write.at)}`;
    const payload = messageBody(event, write.at);
    return listeners
      .filter((listener) => listens(listener, event))
      .map((listener) => pendingRow(listener.id, eventId, event.type, payload, write.at));
  });
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert);
    await write.db.insertInto('webhookDeliveries').values(some).execute();
  }
  return [...new Set(rows.map((row) => row.webhookId))];
}

interface Listener {
  readonly id: string;
  /** Null: all. */
  readonly environments: readonly string[] | null;
  readonly events: readonly string[] | null;
}

/** Webhooks that are switched on: what happens while one is off it is not told later. */
async function listListeners(db: Db): Promise<Listener[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'environments', 'events'])
    .where('disabledAt', 'is', null)
    .execute();
  return rows.map(({ id, environments, events }) => ({
    id,
    environments: environments === null ? null : (JSON.parse(environments) as string[]),
    events: events === null ? null : (JSON.parse(events) as EventType[]),
  }));
}

function listens({ environments, events }: Listener, event: WebhookEvent): boolean {
  return (
    (environments === null || environments.includes(event.environment)) &&
    (events === null || events.includes(event.type))
  );
}

function pendingRow(
  webhookId: string,
  eventId: string,
  eventType: string,
  payload: string,
  at: number,
): WebhookDeliveriesTable {
  return {
    id: deliveryId(at),
    webhookId,
    eventId,
    eventType,
    payload,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: at,
    lastAttemptAt: null,
    lastStatus: null,
    lastError: '',
    lastDurationMs: null,
    createdAt: at,
  };
}
