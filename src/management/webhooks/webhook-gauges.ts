/** What `/metrics` shows of webhooks: how many messages wait, and which webhooks need attention. */
import type { HealthFigures } from '../../contract/operations/health.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import { countPending } from '../store/events/webhook-deliveries.js';
import type { Store } from '../store/store.js';
import { listWebhooks } from './rows.js';

const deliveriesPending = metric({
  name: 'loadout_webhook_deliveries_pending',
  help: 'Messages to webhooks that wait, for their turn or for another attempt.',
});
const webhooksFailing = metric({
  name: 'loadout_webhooks_failing',
  help: 'Webhooks that are on and whose last attempt failed.',
});
const webhooksDisabled = metric({
  name: 'loadout_webhooks_disabled',
  help: 'Webhooks that are off, by hand or because they failed for too long.',
});

export const webhookMetrics: readonly Metric[] = [
  deliveriesPending,
  webhooksFailing,
  webhooksDisabled,
];

export type WebhookCounts = NonNullable<HealthFigures['webhooks']>;

export async function countWebhooks(store: Store): Promise<WebhookCounts> {
  const { webhooks, pending } = await store.read(async (db) => ({
    webhooks: await listWebhooks(db),
    pending: await countPending(db),
  }));
  const on = webhooks.filter((webhook) => webhook.disabledAtMs === null);
  const failing = on.filter((webhook) => webhook.failures > 0).length;
  // What is switched off by hand has no failures any more.
  const inNeed = webhooks.filter((webhook) => webhook.failures > 0).length;
  const disabled = webhooks.length - on.length;
  return { pending, failing, disabled, switchedOff: inNeed - failing };
}

/** @param counts null: not known yet */
export function webhookGauges(counts: WebhookCounts | null): Gauge[] {
  if (counts === null) return [];
  return [
    sample(deliveriesPending, counts.pending),
    sample(webhooksFailing, counts.failing),
    sample(webhooksDisabled, counts.disabled),
  ];
}
