/** `loadout content diff`: shows what changed between two revisions. */

import type { Command } from 'commander';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { parseRevision, wholeNumber } from '../terminal/parse-option.js';
import { formatDiff } from './format-diff.js';

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
  const { env, from, to } = options;
  const response = await openClient(options).request('GET /environments/:env/contents/:id/diff', {
    params: { env, id },
    query: { from, to },
  });
  printResponse(options, response, ({ value }) => formatDiff(value, options.text));
}
