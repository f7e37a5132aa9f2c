/**
 * A message of a webhook of Discord (docs.discord.com/developers/resources/webhook#execute-webhook): one embed, and
 * no mention is allowed to notify anyone.
 */
import type { ChatText } from './chat-text.js';
import { cutText } from './cut-text.js';

/** Limits of embeds; all texts of a message together have at most 6,000 characters. */
const titleCharsMax = 256;
/** Discord takes 1,024; eight facts stay below the sum. */
const valueCharsMax = 600;

const colors: Readonly<Record<ChatText['tone'], number>> = {
  neutral: 0x5b6b7f,
  good: 0x2f9e44,
  bad: 0xe03131,
};

/** What begins or ends something in Discord's Markdown: emphasis, code, spoilers, lists, headings, quotes, links, mentions, emoji. */
const special = /[\\`*_~|>#[\]()<:@+-]/;
const escapeChar = (char: string): string => (special.test(char) ? `\\${char}` : char);

export interface DiscordMessage {
  readonly embeds: {
    readonly title: string;
    readonly color: number;
    readonly fields: { readonly name: string; readonly value: string; readonly inline: true }[];
    readonly timestamp: string;
  }[];
  readonly allowed_mentions: { readonly parse: [] };
}

/** @param at when it happened, RFC 3339 */
export function discordMessage({ title, tone, facts }: ChatText, at: string): DiscordMessage {
  const embed = {
    title: cutText(title, titleCharsMax, escapeChar),
    color: colors[tone],
    fields: facts.map(({ name, value }) => ({
      name,
      value: cutText(value, valueCharsMax, escapeChar),
      inline: true as const,
    })),
    timestamp: at,
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}
