/** The formats of webhooks in words. */
import type { WebhookFormat } from '../../contract/events.js';

export const formatNames: Readonly<Record<WebhookFormat, string>> = {
  loadout: 'Signed JSON, for a program',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
};

/** Where the URL comes from. */
export const formatHints: Readonly<Record<WebhookFormat, string>> = {
  loadout: 'Messages are sent here as POST. https:// or http://.',
  slack: 'URL of an incoming webhook of Slack. It is a secret, and is not shown again.',
  discord: 'URL of a webhook of a Discord channel. It is a secret, and is not shown again.',
  teams:
    'URL of a workflow with the trigger “When a Teams webhook request is received”. It is a secret, and is not shown again.',
};
