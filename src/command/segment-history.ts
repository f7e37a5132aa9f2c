/** `loadout segment history`: lists the conditions that a segment has had. */

import type { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { SegmentRevisionSummary, SegmentRevisionsAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { revisionsShownDefault, revisionsShownMax } from './limits.js';
import { wholeNumber } from './parse-option.js';
import { type Column, formatTable } from './table.js';

interface HistoryOptions extends EnvironmentOptions {
  readonly limit: number;
}

const revisionColumns: readonly Column<SegmentRevisionSummary>[] = [
  { title: 'REVISION', text: (revision) => String(revision.revision) },
  { title: 'CURRENT', text: (revision) => (revision.current ? 'yes' : '') },
  { title: 'SAVED', text: (revision) => revision.createdAt },
  { title: 'BY', text: (revision) => revision.author },
  {
    title: 'FROM',
    text: ({ synced }) => (synced === null ? '' : `${synced.from} ${synced.revision}`),
  },
  { title: 'NOTE', text: (revision) => revision.note },
];

export function addSegmentHistory(segments: Command): void {
  withEnvironment(segments.command('history <segment>'))
    .alias('revisions')
    .description('list the conditions that were saved, newest first; of a deleted segment, too')
    .option(
      '--limit <count>',
      'how many at most',
      wholeNumber(1, revisionsShownMax),
      revisionsShownDefault,
    )
    .action(showHistory);
}

async function showHistory(name: string, options: HistoryOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'segments', name, 'revisions');
  const client = openClient(options);
  const answer = await client.call<SegmentRevisionsAnswer>('GET', `${path}?limit=${options.limit}`);
  printAnswer(options, answer, ({ value }) =>
    formatTable(revisionColumns, value.revisions, 'No revisions.'),
  );
}
