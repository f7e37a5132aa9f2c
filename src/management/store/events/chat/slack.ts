/**
 * A message of an incoming webhook of Slack (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): blocks of
 * plain text, and `text` for notifications. Plain text has no links, no mentions and no emphasis, whatever names hold.
 */
import type { ChatText } from './chat-text.js';
import { cutText } from './cut-text.js';

/** Of a header block (docs.slack.dev/reference/block-kit/blocks/header-block). */
const headerCharsMax = 150;
/** Slack takes 2,000 in each of ten fields of a section; a person reads less. */
const valueCharsMax = 600;

/** The three control characters of Slack's texts (docs.slack.dev/messaging/formatting-message-text). */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeChar = (char: string): string => entities[char] ?? char;

interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

type Block =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'section'; readonly fields: PlainText[] };

export interface SlackMessage {
  /** Of notifications, and where blocks are not shown. */
  readonly text: string;
  readonly mrkdwn: false;
  readonly parse: 'none';
  readonly link_names: false;
  readonly unfurl_links: false;
  readonly unfurl_media: false;
  readonly blocks: Block[];
}

export function slackMessage({ title, facts }: ChatText): SlackMessage {
  const text = cutText(title, headerCharsMax, escapeChar);
  const fields = facts.map(({ name, value }) =>
    plainText(`${name}: ${cutText(value, valueCharsMax, escapeChar)}`),
  );
  const blocks: Block[] = [{ type: 'header', text: plainText(text) }];
  // Slack rejects a section without fields.
  if (fields.length > 0) blocks.push({ type: 'section', fields });
  return {
    ...{ text, mrkdwn: false, parse: 'none', link_names: false },
    ...{ unfurl_links: false, unfurl_media: false, blocks },
  };
}

function plainText(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}
