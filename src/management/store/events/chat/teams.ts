/**
 * A message for the Teams webhook trigger of Workflows (learn.microsoft.com/connectors/teams, "When a Teams webhook request is
 * received"): an Adaptive Card. Connectors of Office 365, which took another form, are retired. What users have typed is in text
 * runs, which know no Markdown (adaptivecards.io/explorer/TextRun.html); without `msteams.entities` nothing is a mention.
 */
import type { ChatText } from './chat-text.js';
import { cutText } from './cut-text.js';

/** Teams takes 28 KB a message; this stays far below with any characters. */
const titleCharsMax = 300;
const valueCharsMax = 600;

/** `{{DATE(…)}}` is replaced by the client in every text; the space of no width keeps it as it was typed. */
const escapeChar = (char: string): string => (char === '{' ? '{\u200b' : char);

const colors: Readonly<Record<ChatText['tone'], string>> = {
  neutral: 'default',
  good: 'good',
  bad: 'attention',
};

/** Its envelope, with one Adaptive Card of version 1.4. */
export function teamsMessage({ title, tone, facts }: ChatText): object {
  const heading = cutText(title, titleCharsMax, escapeChar);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: heading,
    body: [
      line([{ text: heading, weight: 'bolder', size: 'medium', color: colors[tone] }]),
      ...facts.map(({ name, value }) =>
        line([
          { text: `${name}: `, weight: 'bolder' },
          { text: cutText(value, valueCharsMax, escapeChar) },
        ]),
      ),
    ],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

function line(runs: readonly object[]): object {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run }));
  return { type: 'RichTextBlock', inlines };
}
