/** What `/metrics` shows of webhooks: how much waits, and which of them need somebody's attention. */
import type { Gauge } from '../metrics.js';
import { countPending } from '../store/events/webhook-deliveries.js';
import type { Store } from '../store/store.js';
import { listWebhooks } from './rows.js';

export async function webhookGauges(store: Store): Promise<Gauge[]> {
  const { webhooks, pending } = await store.read(async (db) => ({
    webhooks: await listWebhooks(db),
    pending: await countPending(db),
  }));
  const on = webhooks.filter((webhook) => webhook.disabledAtMs === null);
  return [
    {
      name: 'loadout_webhook_deliveries_pending',
      help: 'Messages to webhooks that wait, for their turn or for another attempt.',
      value: pending,
    },
    {
      name: 'loadout_webhooks_failing',
      help: 'Webhooks that are on and whose last attempt failed.',
      value: on.filter((webhook) => webhook.failures > 0).length,
    },
    {
      name: 'loadout_webhooks_disabled',
      help: 'Webhooks that are off, by hand or because they failed for too long.',
      value: webhooks.length - on.length,
    },
  ];
}
