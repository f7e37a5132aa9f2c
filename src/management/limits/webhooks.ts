/** Limits of webhooks. Sizes in bytes, times in milliseconds. */
import type { WebhookFormat } from '../../contract/events.js';

/** Contents, deleted contents and segments that the event of a sync or an import names: some 64 KiB of body. */
export const eventIdsMax = 500;
/** Time of one attempt, from the look-up of the name to the head of the response. */
export const webhookAttemptMsMax = 10_000;
/** Only the status counts. What follows it is read to be polite, this far and this long. */
export const webhookResponseBytesMax: number = 64 * 1024;
export const webhookResponseMsMax = 1_000;
/** A receiver that asks for patience gets this much of it, not days. */
export const webhookRetryAfterMsMax = 3_600_000;
/**
 * A webhook is switched off when this many attempts failed one after the other and the first of them is this long
 * ago: by then a message has been through its whole schedule (retry-schedule.ts).
 */
export const webhookFailuresMax = 10;
export const webhookFailingMsMax: number = 24 * 3_600_000;
/** After a change of the secret both sign, for as long as it takes to change it at the receiver. */
export const webhookSecretOverlapMs: number = 24 * 3_600_000;
/** What was sent is shown for this long, and not more of it per webhook; it is removed this many at a time. */
export const deliveriesKeptMs: number = 30 * 24 * 3_600_000;
export const deliveriesKeptMax = 10_000;
export const deliveriesRemovedAtOnce = 500;
export const deliveriesPruneEveryMs = 3_600_000;
/** The store could not be read or written: its disk may be full. Soon enough, and no busy loop. */
export const webhookErrorRetryMs = 5_000;
/** Clocks jump: what waits is looked at again at least this often. */
export const webhookSleepMsMax = 60_000;
/** A message under way may arrive before the server ends; else it is sent again after the next start. */
export const webhookCloseMsMax = 3_000;
/** What another server of the fleet wrote is usually announced at once; what was missed waits this long. */
export const webhookLookEveryMs = 10_000;
/**
 * Least time from one message to the next. Slack takes one a second (docs.slack.dev/apis/web-api/rate-limits), Discord five in
 * two seconds for each webhook, Teams four a second; each answers 429 above that.
 */
export const chatPaceMs: Readonly<Record<WebhookFormat, number>> = {
  loadout: 0,
  slack: 1_000,
  discord: 400,
  teams: 250,
};
