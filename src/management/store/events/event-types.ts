/** An event that webhooks are sent, and the form in which it travels. */
import type { MessageType } from '../../../contract/events.js';
import type { MessageData } from '../../../contract/schemas/webhook-messages.js';

/** Something that happened. `data` holds names, numbers and hashes: never a text, never a secret. */
export type WebhookEvent = {
  readonly [T in MessageType]: {
    readonly type: T;
    /** '' when it belongs to none. */
    readonly environment: string;
    readonly data: MessageData<T>;
  };
}[MessageType];

/**
 * The body of its message, as Standard Webhooks words it; it is signed and sent as these very bytes.
 * @param atMs when it happened, milliseconds since the epoch
 */
export function messageBody(event: WebhookEvent, atMs: number): string {
  const timestamp = new Date(atMs).toISOString();
  return JSON.stringify({ type: event.type, timestamp, data: event.data });
}
