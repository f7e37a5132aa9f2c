/**
 * What chats are sent. Method: the bodies of every type of event, with ordinary names and with those of somebody who wants to
 * notify everyone, to lead players elsewhere, or to break the message; judged by the types and the limits that the services publish.
 */
import type { KnownBlock } from '@slack/types';
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../../src/contract/events.js';
import { chatFactsMax, chatText } from '../../../../src/management/store/events/chat/chat-text.js';
import { discordMessage } from '../../../../src/management/store/events/chat/discord.js';
import { slackMessage } from '../../../../src/management/store/events/chat/slack.js';
import { teamsMessage } from '../../../../src/management/store/events/chat/teams.js';
import type { WebhookEvent } from '../../../../src/management/store/events/events-of-write.js';
import { problemsOf } from '../../../support/wire/chat-limits.js';

const at = '2026-11-28T10:00:00.000Z';

const names = {
  ordinary: 'shop.prices',
  everyone: '@everyone <!channel> <@U123> <@&1> @here',
  links: '[free gems](https://evil.example) <https://evil.example|gems> http://evil.example',
  markdown: '**bold** _i_ ~~s~~ `code` ||spoiler|| # head\n> quote\n- list',
  json: '"}],"x":[{"\\u0000\\',
  lines: 'one\r\ntwo\u2028three\u0000',
  turned: 'a\u202egnp.exe\u2066b\u200bc\u2069',
  surrogate: 'half \ud83d and \udc4d',
  date: '{{DATE(2017-02-14T06:08:00Z, SHORT)}}',
  at: '<at>Mara</at>',
  long: '&<>*"\\'.repeat(20_000),
  emoji: '👍'.repeat(5_000),
  unseen: ' \u200b\n\u2060',
  empty: '',
};

/** An event of each type, in which everything that a user may type is the name. */
function eventsWith(name: string): WebhookEvent[] {
  const ids = Array.from({ length: 500 }, () => name);
  const data = {
    ...{ environment: name, by: name, id: name, name, from: name, label: name, prefix: name },
    ...{ title: name, reason: name, state: 'ramping', percent: 5, release: 4, sequence: 9 },
    ...{ contents: 900, published: ids, deleted: ids, segments: ids, reaches: ids, cut: true },
    ...{ revision: 3, hash: '00', action: 'content.publish', webhook: name },
  };
  return [...eventTypes, 'webhook.test' as const].map(
    (type) => ({ type, environment: name, data }) as unknown as WebhookEvent,
  );
}

describe.each(Object.entries(names))('names that are %s', (_kind, name) => {
  const texts = eventsWith(name).map(chatText);

  it('keep each message within the limits of Slack, Discord and Teams', () => {
    for (const text of texts) {
      expect(text.facts.length).toBeLessThanOrEqual(chatFactsMax);
      expect(problemsOf('slack', JSON.stringify(slackMessage(text)))).toEqual([]);
      expect(problemsOf('discord', JSON.stringify(discordMessage(text, at)))).toEqual([]);
      expect(problemsOf('teams', JSON.stringify(teamsMessage(text)))).toEqual([]);
    }
  });

  it('are read by the libraries of the services without a complaint', () => {
    for (const text of texts) {
      // The compiler checks these against the published types.
      const slack: { text: string; blocks: KnownBlock[] } = slackMessage(text);
      const discord: RESTPostAPIWebhookWithTokenJSONBody = discordMessage(text, at);
      expect([slack.blocks.length, discord.embeds?.length]).toEqual([
        text.facts.length === 0 ? 1 : 2,
        1,
      ]);
      const card = cardOf(text);
      const context = new SerializationContext();
      const parsed = new AdaptiveCard();
      parsed.parse(card, context);
      const events = Array.from({ length: context.eventCount }, (_, n) => context.getEventAt(n));
      expect(events.map(({ message }) => message)).toEqual([]);
      expect(parsed.validateProperties().validationEvents).toEqual([]);
      expect(parsed.getItemCount()).toBe(1 + text.facts.length);
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the card as JSON.
function cardOf(text: Parameters<typeof teamsMessage>[0]): any {
  return JSON.parse(JSON.stringify(teamsMessage(text))).attachments[0].content;
}

function released(name: string) {
  const event = eventsWith(name).find(({ type }) => type === 'release.stopped');
  return chatText(event as WebhookEvent);
}

describe('Slack', () => {
  it('gets plain text only, without its control characters, so nothing is a mention or a link', () => {
    for (const name of [names.everyone, names.links]) {
      const message = slackMessage(released(name));
      expect(JSON.stringify(message)).not.toMatch(/[<>]|mrkdwn"[,}]/);
      expect(message).toMatchObject({ parse: 'none', link_names: false, unfurl_links: false });
    }
    expect(JSON.stringify(slackMessage(released(names.everyone)))).toContain('&lt;!channel&gt;');
  });
});

describe('Discord', () => {
  it('may notify nobody', () => {
    expect(discordMessage(released(names.everyone), at).allowed_mentions).toEqual({ parse: [] });
  });

  it('shows what was typed: every character that means something is escaped', () => {
    const [embed] = discordMessage(released(names.links), at).embeds;
    const title = embed?.fields.find((field) => field.name === 'Title')?.value ?? '';
    expect(title).toBe(
      '\\[free gems\\]\\(https\\://evil.example\\) \\<https\\://evil.example\\|gems\\> http\\://evil.example',
    );
  });
});

describe('Teams', () => {
  it('gets users’ text in text runs only, which know no Markdown, and no mentions', () => {
    const card = cardOf(released(names.at));
    expect(card.msteams).toBeUndefined();
    for (const block of card.body) {
      expect(block.type).toBe('RichTextBlock');
      for (const run of block.inlines) expect(run.type).toBe('TextRun');
    }
    expect(JSON.stringify(cardOf(released(names.date)))).not.toContain('{{');
  });
});

it('says who did what, where and why', () => {
  const event = {
    type: 'release.stopped',
    environment: 'production',
    data: {
      ...{ environment: 'production', sequence: 5, by: 'brake', release: 4, title: 'Winter' },
      ...{ state: 'stopped', percent: 5, reason: 'errors rose', contents: 2, reaches: ['a', 'b'] },
      cut: false,
    },
  } as const;
  expect(chatText(event)).toEqual({
    title: 'Release 4 was stopped',
    tone: 'bad',
    facts: [
      { name: 'Environment', value: 'production' },
      { name: 'Title', value: 'Winter' },
      { name: 'State', value: 'stopped' },
      { name: 'Players', value: '5 %' },
      { name: 'Reason', value: 'errors rose' },
      { name: 'Content items', value: 'a, b' },
      { name: 'By', value: 'brake' },
    ],
  });
});
