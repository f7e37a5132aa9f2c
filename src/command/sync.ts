/** `loadout sync`: brings the live contents of one environment into another. */

import { Command } from 'commander';
import type { SyncReport } from '../management/authoring/sync.js';
import { adminPath } from './admin-client.js';
import { type ConnectionOptions, openClient, printAnswer, withConnection } from './connection.js';
import { misuse } from './failure.js';
import { formatSync } from './format-sync.js';
import { collect } from './parse-option.js';

interface SyncOptions extends ConnectionOptions {
  readonly from: string;
  readonly to: string;
  readonly id?: readonly string[];
  readonly dryRun: boolean;
}

export function syncCommand(): Command {
  return withConnection(new Command('sync'))
    .description('bring the live contents of one environment into another')
    .requiredOption('--from <environment>', 'environment to read')
    .requiredOption('--to <environment>', 'environment to change')
    .option('--id <content>', 'only this content; repeat it for more', collect)
    .option('--dry-run', 'show what would change, change nothing', false)
    .action(sync);
}

async function sync(options: SyncOptions): Promise<void> {
  if (options.from === options.to) throw misuse('--from and --to must differ.');
  const path = adminPath('environments', options.to, 'sync');
  const body = JSON.stringify({ from: options.from, ids: options.id, dryRun: options.dryRun });
  const answer = await openClient(options).call<SyncReport>('POST', path, body);
  printAnswer(options, answer, ({ value }) => formatSync(value, options.dryRun));
}
