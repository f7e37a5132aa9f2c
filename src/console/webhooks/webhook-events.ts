/** The events that a webhook can be limited to, in words. */
import type { EventType } from '../../contract/events.js';
import type { Webhook } from '../../contract/operations/webhooks.js';

export const eventDescriptions: Readonly<Record<EventType, string>> = {
  'content.published': 'Another revision of a content is live: saved, rolled back or restored.',
  'content.deleted': 'A content is delivered no more.',
  'environment.synced': 'A sync changed an environment: one message for all of it.',
  'environment.imported': 'An import changed an environment: one message for all of it.',
  'environment.deleted': 'An environment is gone with everything in it.',
  'key.created': 'An API key was made.',
  'key.revoked': 'An API key was revoked.',
  'segment.changed': 'A saved segment was made or changed.',
  'segment.deleted': 'A saved segment was deleted.',
};

export function eventsWords(events: Webhook['events']): string {
  return events === null ? 'all events' : events.join(', ');
}

export function environmentsWords(environments: Webhook['environments']): string {
  return environments === null ? 'all environments' : environments.join(', ');
}
