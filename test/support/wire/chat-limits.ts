/**
 * The limits that chat services document for messages of webhooks, as a receiver of tests holds messages to them. Sources:
 * docs.slack.dev/reference/block-kit/blocks (header, section) and .../block-kit (50 blocks), docs.discord.com/developers/resources/message
 * (embed limits), learn.microsoft.com/microsoftteams/platform (28 KB), adaptivecards.io/explorer.
 */
import type { WebhookFormat } from '../../../src/contract/events.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON as it arrived.
type Json = any;

/** What the service would reject or read as something else; empty: it takes the message. */
export function problemsOf(format: WebhookFormat, text: string): string[] {
  // JSON.stringify escapes half of a pair of surrogates, and leaves a whole one as it is.
  if (/\\ud[89a-f]/i.test(text)) return ['half of a surrogate pair'];
  const body: Json = JSON.parse(text);
  const checks = { loadout: () => [], slack, discord, teams };
  return checks[format](body, text).filter((problem) => problem !== '');
}

const tooLong = (what: string, text: unknown, max: number): string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= max
    ? ''
    : `${what} is not 1 to ${max}`;

function slack({ text, blocks, ...rest }: Json): string[] {
  const known = ['mrkdwn', 'parse', 'link_names', 'unfurl_links', 'unfurl_media'];
  return [
    ...Object.keys(rest).map((name) => (known.includes(name) ? '' : `no_such_field ${name}`)),
    tooLong('text', text, 4_000),
    Array.isArray(blocks) && blocks.length <= 50 ? '' : 'invalid_blocks',
    ...(blocks as Json[]).flatMap((block) => {
      if (block.type === 'header') return plainText(block.text, 150);
      if (block.type !== 'section') return [`invalid_blocks ${block.type}`];
      const fields: Json[] = block.fields ?? [];
      const count = fields.length > 0 && fields.length <= 10 ? '' : 'not 1 to 10 fields';
      return [count, ...fields.flatMap((field) => plainText(field, 2_000))];
    }),
  ];
}

function plainText({ type, text }: Json, max: number): string[] {
  const control = /[<>]|&(?!(amp|lt|gt);)/.test(text) ? 'a control character' : '';
  return [
    type === 'plain_text' ? '' : `not plain_text: ${type}`,
    tooLong('text', text, max),
    control,
  ];
}

function discord({ embeds, allowed_mentions: mentions, ...rest }: Json): string[] {
  const list: Json[] = embeds ?? [];
  const all = list.flatMap(({ title, fields }) => [
    title,
    ...fields.flatMap(({ name, value }: Json) => [name, value]),
  ]);
  return [
    ...Object.keys(rest).map((name) => `no such field ${name}`),
    JSON.stringify(mentions) === '{"parse":[]}' ? '' : 'it may mention',
    list.length > 0 && list.length <= 10 ? '' : 'not 1 to 10 embeds',
    all.join('').length <= 6_000 ? '' : 'more than 6,000 characters',
    ...list.flatMap(({ title, fields, timestamp, color }) => [
      tooLong('title', title, 256),
      fields.length <= 25 ? '' : 'more than 25 fields',
      Number.isInteger(color) && color <= 0xffffff ? '' : 'no color',
      Number.isNaN(Date.parse(timestamp)) ? 'no timestamp' : '',
      ...fields.flatMap(({ name, value }: Json) => [
        tooLong('name', name, 256),
        tooLong('value', value, 1_024),
      ]),
    ]),
  ];
}

function teams({ type, attachments }: Json, text: string): string[] {
  const [attachment, ...others] = attachments as Json[];
  const { contentType, content } = attachment;
  return [
    type === 'message' && others.length === 0 ? '' : 'not one message',
    contentType === 'application/vnd.microsoft.card.adaptive' ? '' : `type ${contentType}`,
    content.type === 'AdaptiveCard' && content.version === '1.4' ? '' : 'no Adaptive Card',
    Buffer.byteLength(text) <= 28 * 1024 ? '' : 'more than 28 KB',
  ];
}
