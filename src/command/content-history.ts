/** `loadout content history`: lists what was saved of a content. */

import type { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { RevisionSummary, RevisionsAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { revisionsShownDefault, revisionsShownMax } from './limits.js';
import { wholeNumber } from './parse-option.js';
import { type Column, formatTable } from './table.js';

interface HistoryOptions extends EnvironmentOptions {
  readonly limit: number;
}

const revisionColumns: readonly Column<RevisionSummary>[] = [
  { title: 'REVISION', text: (revision) => String(revision.revision) },
  { title: 'LIVE', text: (revision) => (revision.live ? 'yes' : '') },
  { title: 'HASH', text: (revision) => revision.hash },
  { title: 'SAVED', text: (revision) => revision.createdAt },
  { title: 'BY', text: (revision) => revision.author },
  {
    title: 'FROM',
    text: ({ synced }) => (synced === null ? '' : `${synced.from} ${synced.revision}`),
  },
  { title: 'NOTE', text: (revision) => revision.note },
];

export function addContentHistory(contents: Command): void {
  withEnvironment(contents.command('history <content>'))
    .alias('revisions')
    .description('list what was saved, newest first')
    .option(
      '--limit <count>',
      'how many at most',
      wholeNumber(1, revisionsShownMax),
      revisionsShownDefault,
    )
    .action(showHistory);
}

async function showHistory(id: string, options: HistoryOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'contents', id, 'revisions');
  const client = openClient(options);
  const answer = await client.call<RevisionsAnswer>('GET', `${path}?limit=${options.limit}`);
  printAnswer(options, answer, ({ value }) =>
    formatTable(revisionColumns, value.revisions, 'No revisions.'),
  );
}
