/** The kinds of events that webhooks tell of, and the form in which they travel. */

/** What a webhook can be limited to. An event is sent once it is committed, whoever made it and by whatever route. */
export const eventTypes = [
  'content.published',
  'content.deleted',
  'environment.synced',
  'environment.imported',
  'environment.deleted',
  'key.created',
  'key.revoked',
  'segment.changed',
  'segment.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Sent by the test button only, to the webhook that is tested, whatever its filters. */
export const testEventType = 'webhook.test';

/** Something that happened. `data` holds names, numbers and hashes: never a text, never a secret. */
export interface WebhookEvent {
  readonly type: EventType | typeof testEventType;
  /** '' when it belongs to none. */
  readonly environment: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The body of its message, as Standard Webhooks words it; it is signed and sent as these very bytes.
 * @param atMs when it happened, milliseconds since the epoch
 */
export function messageBody(event: WebhookEvent, atMs: number): string {
  const timestamp = new Date(atMs).toISOString();
  return JSON.stringify({ type: event.type, timestamp, data: event.data });
}
