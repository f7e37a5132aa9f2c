/** `loadout content diff`: shows what changed between two revisions. */

import type { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { DiffAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { formatDiff } from './format-diff.js';
import { parseRevision, wholeNumber } from './parse-option.js';

interface DiffOptions extends EnvironmentOptions {
  readonly from?: number;
  readonly to?: number;
  readonly text: boolean;
}

export function addContentDiff(contents: Command): void {
  withEnvironment(contents.command('diff <content>'))
    .description('show what changed between two revisions')
    .option(
      '--from <revision>',
      'the older one; without it what is live, or the one before; 0 for nothing',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--to <revision>', 'the newer one; without it the newest', parseRevision)
    .option('--text', 'the texts with their comments, as a unified diff', false)
    .action(showDiff);
}

async function showDiff(id: string, options: DiffOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'contents', id, 'diff');
  const query = new URLSearchParams();
  if (options.from !== undefined) query.set('from', String(options.from));
  if (options.to !== undefined) query.set('to', String(options.to));
  const answer = await openClient(options).call<DiffAnswer>('GET', `${path}?${query}`);
  printAnswer(options, answer, ({ value }) => formatDiff(value, options.text));
}
