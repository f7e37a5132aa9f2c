/** Rows of webhooks: which events are sent where. */
import type { Selectable } from 'kysely';
import type { EventType, WebhookFormat } from '../../contract/events.js';
import { webhookSecretOverlapMs } from '../limits/webhooks.js';
import type { Db } from '../store/dialect.js';
import { restartPending } from '../store/events/webhook-deliveries.js';
import { randomId } from '../store/ids.js';
import { requireChatWriters } from '../store/require-writers.js';
import type { WebhooksTable } from '../store/tables/webhooks.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly description: string;
  /** Ids of environments; null: all. */
  readonly environments: readonly string[] | null;
  /** Null: all. */
  readonly events: readonly EventType[] | null;
  readonly createdAtMs: number;
  /** Attempts that failed one after the other, and since when. */
  readonly failures: number;
  readonly failingSinceMs: number | null;
  /** Null: it is on. */
  readonly disabledAtMs: number | null;
  /** Why, in words that follow its name; '' when it is on. */
  readonly disabledReason: string;
  /** Until when the secret before the present one signs as well. */
  readonly secretBeforeUntilMs: number | null;
}

/** What is given when it is made. */
export interface WebhookOptions {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly description: string;
  readonly environments: readonly string[] | null;
  readonly events: readonly EventType[] | null;
  readonly enabled: boolean;
  /** '' of a chat: no chat checks signatures. */
  readonly secret: string;
}

/** What may be changed later; left out: it stays as it is. */
export type WebhookEdit = {
  readonly [Field in Exclude<keyof WebhookOptions, 'secret' | 'format'>]?:
    | WebhookOptions[Field]
    | undefined;
};

/** Oldest first. */
export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(webhookOf);
}

export async function findWebhook(db: Db, id: string): Promise<Webhook | null> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : webhookOf(row);
}

/** What its messages are signed with: the secret, and for a while after a change the one before it; of a chat nothing. */
export async function signingSecrets(db: Db, id: string, nowMs: number): Promise<string[]> {
  const row = await db
    .selectFrom('webhooks')
    .select(['secret', 'secretBefore', 'secretBeforeUntil'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.secret === '') return [];
  const { secret, secretBefore, secretBeforeUntil } = row;
  const both = secretBefore !== null && nowMs < (secretBeforeUntil ?? 0);
  return both ? [secret, secretBefore] : [secret];
}

export async function insertWebhook(
  write: UnitOfWork,
  { url, format, description, environments, events, enabled, secret }: WebhookOptions,
): Promise<Webhook> {
  if (format !== 'loadout') await requireChatWriters(write);
  const row = {
    ...{ id: randomId('webhook'), url, format, description, createdAt: write.at },
    ...{ environments: listText(environments), events: listText(events) },
    ...{ secret, secretBefore: null, secretBeforeUntil: null, ...neverFailed },
    disabledAt: enabled ? null : write.at,
    disabledReason: enabled ? '' : switchedOffByHand,
  };
  await write.db.insertInto('webhooks').values(row).execute();
  const webhook = webhookOf(row);
  await write.audit('webhook.create', '', row.id, { after: facts(webhook) });
  return webhook;
}

const neverFailed = { failures: 0, failingSince: null };
const switchedOffByHand = 'by hand';

/**
 * A webhook that is switched on again or gets another URL starts afresh: its failures are forgotten, and what waits is
 * due at once.
 */
export async function updateWebhook(
  write: UnitOfWork,
  before: Webhook,
  edit: WebhookEdit,
): Promise<Webhook> {
  if (Object.values(edit).every((value) => value === undefined)) return before;
  const { url = before.url, description = before.description } = edit;
  const environments = edit.environments === undefined ? before.environments : edit.environments;
  const events = edit.events === undefined ? before.events : edit.events;
  const wasEnabled = before.disabledAtMs === null;
  const enabled = edit.enabled ?? wasEnabled;
  const off = enabled
    ? { disabledAt: null, disabledReason: '' }
    : { disabledAt: write.at, disabledReason: switchedOffByHand };
  const restarts = enabled !== wasEnabled || url !== before.url;
  await write.db
    .updateTable('webhooks')
    .set({
      url,
      description,
      environments: listText(environments),
      events: listText(events),
      ...(enabled === wasEnabled ? {} : off),
      ...(restarts ? neverFailed : {}),
    })
    .where('id', '=', before.id)
    .execute();
  if (restarts && enabled) {
    await restartPending(write, before.id);
    write.wake(before.id);
  }
  const after = (await findWebhook(write.db, before.id)) ?? before;
  const details = { before: facts(before), after: facts(after) };
  await write.audit('webhook.update', '', before.id, details);
  return after;
}

/** The secret before it goes on signing, beside the new one, for as long as a change at the receiver may take. */
export async function changeSecret(write: UnitOfWork, id: string, secret: string): Promise<void> {
  await write.db
    .updateTable('webhooks')
    .set((column) => ({
      secret,
      secretBefore: column.ref('secret'),
      secretBeforeUntil: write.at + webhookSecretOverlapMs,
    }))
    .where('id', '=', id)
    .execute();
  await write.audit('webhook.secret', '', id);
}

/** Removes it with its deliveries, those that wait included. */
export async function deleteWebhook(write: UnitOfWork, webhook: Webhook): Promise<void> {
  await write.db.deleteFrom('webhooks').where('id', '=', webhook.id).execute();
  await write.audit('webhook.delete', '', webhook.id, { before: facts(webhook) });
}

/** Nothing is sent to it until it is switched on again. */
export async function switchOff(write: UnitOfWork, id: string, reason: string): Promise<void> {
  await write.db
    .updateTable('webhooks')
    .set({ disabledAt: write.at, disabledReason: reason })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .execute();
  await write.audit('webhook.disable', '', id, { reason });
}

/** For the audit. Of the URL only its origin: the paths of many receivers are secrets. */
function facts(webhook: Webhook): Record<string, unknown> {
  const { url, format, description, environments, events, disabledAtMs } = webhook;
  const enabled = disabledAtMs === null;
  return { origin: new URL(url).origin, format, description, environments, events, enabled };
}

function listText(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

function webhookOf(row: Selectable<WebhooksTable>): Webhook {
  const { id, url, format, description, environments, events, failures, disabledReason } = row;
  return {
    ...{ id, url, format, description, failures, disabledReason, createdAtMs: row.createdAt },
    environments: environments === null ? null : (JSON.parse(environments) as string[]),
    events: events === null ? null : (JSON.parse(events) as EventType[]),
    ...{ failingSinceMs: row.failingSince, disabledAtMs: row.disabledAt },
    secretBeforeUntilMs: row.secretBeforeUntil,
  };
}
