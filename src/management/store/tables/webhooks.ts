/** Tables of webhooks and their messages. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */

import type { WebhookFormat } from '../../../contract/events.js';

export interface WebhooksTable {
  id: string;
  url: string;
  /** How its messages look (D125); it stays what it was made as. */
  format: WebhookFormat;
  description: string;
  /** JSON array of environment ids; null: all. */
  environments: string | null;
  /** JSON array of event types; null: all. */
  events: string | null;
  /** What its messages are signed with: it cannot be a hash. '' where nothing is signed. */
  secret: string;
  /** The secret before it was changed, which signs as well until this time; null without one. */
  secretBefore: string | null;
  secretBeforeUntil: number | null;
  createdAt: number;
  /** Attempts that failed one after the other, and since when; 0 and null after one that did not. */
  failures: number;
  failingSince: number | null;
  /** Nothing is sent to it any more; null: it is on. */
  disabledAt: number | null;
  disabledReason: string;
}

/** Messages to webhooks: written with the change that they report, so that none is lost; removed after a time. */
export interface WebhookDeliveriesTable {
  /** Sorts by time. */
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /** The body, as it is signed and sent. */
  payload: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  /** HTTP status; null: there was no response. */
  lastStatus: number | null;
  /** In plain words; '' when it did not fail. */
  lastError: string;
  /** How long the last attempt took, milliseconds. */
  lastDurationMs: number | null;
  createdAt: number;
}
