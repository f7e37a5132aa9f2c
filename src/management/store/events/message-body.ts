/** The body of an event's message, in the form that its webhook was made for. */
import type { WebhookFormat } from '../../../contract/events.js';
import { chatText } from './chat/chat-text.js';
import { discordMessage } from './chat/discord.js';
import { slackMessage } from './chat/slack.js';
import { teamsMessage } from './chat/teams.js';
import type { WebhookEvent } from './events-of-write.js';

/**
 * Of `loadout` as Standard Webhooks specifies it. It is sent as these very bytes, by whichever node of a fleet.
 * @param atMs when it happened, milliseconds since the epoch
 */
export function messageBody(event: WebhookEvent, format: WebhookFormat, atMs: number): string {
  const timestamp = new Date(atMs).toISOString();
  switch (format) {
    case 'loadout':
      return JSON.stringify({ type: event.type, timestamp, data: event.data });
    case 'slack':
      return JSON.stringify(slackMessage(chatText(event)));
    case 'discord':
      return JSON.stringify(discordMessage(chatText(event), timestamp));
    case 'teams':
      return JSON.stringify(teamsMessage(chatText(event)));
  }
}
