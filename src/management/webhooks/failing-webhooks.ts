/** Webhooks that need attention: their last attempt failed, or the server switched them off because of that. */
import type { Overview } from '../../contract/operations/overview.js';
import type { Db } from '../store/dialect.js';
import { toIso } from '../to-iso.js';
import { listWebhooks, type Webhook } from './rows.js';

/** Those that receive events of the environment, the longest failing first. */
export async function findFailingWebhooks(
  db: Db,
  environment: string,
  limit: number,
): Promise<NonNullable<Overview['webhooks']>> {
  const failing = (await listWebhooks(db))
    .filter(({ environments }) => environments === null || environments.includes(environment))
    .filter(({ failures }) => failures > 0)
    .sort((one, other) => (one.failingSinceMs ?? 0) - (other.failingSinceMs ?? 0));
  return { total: failing.length, list: failing.slice(0, limit).map(failingJson) };
}

function failingJson(webhook: Webhook) {
  const { id, url, description, failures, failingSinceMs, disabledAtMs } = webhook;
  return {
    ...{ id, origin: new URL(url).origin, description, failures },
    ...{ enabled: disabledAtMs === null, failingSince: toIso(failingSinceMs) },
  };
}
