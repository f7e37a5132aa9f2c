/** Rows of messages to webhooks: listed, chosen to be sent, tried again, removed after a time. */
import type { Selectable } from 'kysely';
import { testEventType } from '../../../contract/events.js';
import type { Db } from '../dialect.js';
import { timeOrderedId, timePrefix } from '../ids.js';
import type { WebhookDeliveriesTable } from '../tables/webhooks.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { attemptsInOrder } from './retry-schedule.js';

export type DeliveryStatus = WebhookDeliveriesTable['status'];

type Times = 'createdAt' | 'lastAttemptAt' | 'nextAttemptAt';

export interface Delivery extends Readonly<Omit<WebhookDeliveriesTable, 'payload' | Times>> {
  readonly createdAtMs: number;
  readonly lastAttemptAtMs: number | null;
  /** Null: there will be none. */
  readonly nextAttemptAtMs: number | null;
}

/** With its body, as it is signed and sent. */
export interface DeliveryWithBody extends Delivery {
  readonly payload: string;
}

const idPrefix = 'dlv_';

/** One row; many at once are queued by enqueue-events.ts. Gives its id. */
export async function insertDelivery(
  write: UnitOfWork,
  row: Omit<WebhookDeliveriesTable, 'id' | 'createdAt'>,
): Promise<string> {
  const id = deliveryId(write.at);
  await write.db
    .insertInto('webhookDeliveries')
    .values({ ...row, id, createdAt: write.at })
    .execute();
  return id;
}

/** Deliveries sort by the time of their event. */
export function deliveryId(atMs: number): string {
  return `${idPrefix}${timeOrderedId(atMs)}`;
}

/**
 * Newest first.
 * @param filter.before id of the delivery before which the page begins
 */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  filter: {
    readonly status?: DeliveryStatus | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<Delivery[]> {
  let query = db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(filter.limit);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return (await query.execute()).map(deliveryOf);
}

export async function findDelivery(
  db: Db,
  webhookId: string,
  id: string,
): Promise<DeliveryWithBody | null> {
  const row = await db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where((row) => row.and({ webhookId, id }))
    .executeTakeFirst();
  return row === undefined ? null : { ...deliveryOf(row), payload: row.payload };
}

/** What a webhook is to be sent now, and when to look again; both null: nothing waits. */
export interface NextDelivery {
  readonly delivery: DeliveryWithBody | null;
  readonly atMs: number | null;
}

/**
 * The oldest message that is due. One that failed a few times only keeps those behind it waiting, so that they
 * arrive in order; after that it lets them pass (retry-schedule.ts).
 */
export async function nextDelivery(
  db: Db,
  webhookId: string,
  nowMs: number,
): Promise<NextDelivery> {
  const waiting = db
    .selectFrom('webhookDeliveries')
    .where((row) => row.and({ webhookId, status: 'pending' }));
  const inOrder = waiting.where('attempts', '<', attemptsInOrder).orderBy('id');
  const passing = waiting.where('attempts', '>=', attemptsInOrder).orderBy('nextAttemptAt');
  const first = await inOrder.selectAll().limit(1).executeTakeFirst();
  const passed = await passing.orderBy('id').selectAll().limit(1).executeTakeFirst();
  const candidates = [first, passed].filter((row) => row !== undefined);
  const soonest = candidates.sort((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0))[0];
  if (soonest === undefined) return { delivery: null, atMs: null };
  // What was never tried is due, whatever the clock says: it is the store's time, of which this server may be behind.
  const atMs = soonest.attempts === 0 ? nowMs : (soonest.nextAttemptAt ?? 0);
  if (atMs > nowMs) return { delivery: null, atMs };
  return { delivery: { ...deliveryOf(soonest), payload: soonest.payload }, atMs };
}

/** Of all webhooks, those that are off included. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhookDeliveries')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('webhookId', 'in', db.selectFrom('webhooks').select('webhooks.id'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Webhooks that are on and have something to send, now or later. */
export async function webhooksWithWork(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('disabledAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhookDeliveries')
          .select('webhookDeliveries.id')
          .whereRef('webhookDeliveries.webhookId', '=', 'webhooks.id')
          .where('status', '=', 'pending'),
      ),
    )
    .execute();
  return rows.map((row) => row.id);
}

/** Sends it again as soon as its webhook is free, once more at least, whatever became of it before. */
export async function retryDelivery(write: UnitOfWork, delivery: Delivery): Promise<void> {
  await write.db
    .updateTable('webhookDeliveries')
    .set({ status: 'pending', nextAttemptAt: write.at })
    .where('id', '=', delivery.id)
    .execute();
  write.wake(delivery.webhookId);
  const details = { delivery: delivery.id, event: delivery.eventType };
  await write.audit('webhook.retry', '', delivery.webhookId, details);
}

/** What waits is due now, and has its whole schedule before it: its webhook was repaired. */
export async function restartPending(write: UnitOfWork, webhookId: string): Promise<void> {
  await write.db
    .updateTable('webhookDeliveries')
    .set({ attempts: 0, nextAttemptAt: write.at })
    .where((row) => row.and({ webhookId, status: 'pending' }))
    .execute();
}

/**
 * Sends again what was given up, from the beginning of the schedule; messages of the test button stay what they are.
 * @returns how many
 */
export async function retryFailed(write: UnitOfWork, webhookId: string): Promise<number> {
  const { numUpdatedRows } = await write.db
    .updateTable('webhookDeliveries')
    .set({ status: 'pending', attempts: 0, nextAttemptAt: write.at })
    .where((row) => row.and({ webhookId, status: 'failed' }))
    .where('eventType', '!=', testEventType)
    .executeTakeFirstOrThrow();
  const deliveries = Number(numUpdatedRows);
  if (deliveries > 0) {
    write.wake(webhookId);
    await write.audit('webhook.retry', '', webhookId, { deliveries });
  }
  return deliveries;
}

/** Ids of deliveries of before a time, oldest first; less than `limit`: there are no more. */
export async function listDeliveriesBefore(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('id', '<', `${idPrefix}${timePrefix(beforeMs)}`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Ids of the deliveries of a webhook beyond the newest `kept`; less than `limit`: there are no more. */
export async function listDeliveriesBeyond(
  db: Db,
  webhookId: string,
  kept: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('webhookId', '=', webhookId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export async function removeDeliveries(write: UnitOfWork, ids: readonly string[]): Promise<void> {
  await write.db.deleteFrom('webhookDeliveries').where('id', 'in', ids).execute();
}

function deliveryOf({ payload: _, ...row }: Selectable<WebhookDeliveriesTable>): Delivery {
  const { createdAt, lastAttemptAt, nextAttemptAt, ...rest } = row;
  const times = { createdAtMs: createdAt, lastAttemptAtMs: lastAttemptAt };
  return { ...rest, ...times, nextAttemptAtMs: nextAttemptAt };
}
