/** `loadout retention`: removes what the server need not keep, now. */

import { Command } from 'commander';
import { deletedDaysKeptMax, revisionsKeptMax } from '../../contract/limits.js';
import type { Retention } from '../../contract/operations/retention.js';
import { type ConnectionOptions, openClient, withConnection } from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { print, printLine, printNote } from '../terminal/output.js';
import { allAsNull, type NumberOrAll, wholeNumberOrAll } from '../terminal/parse-option.js';
import { formatBytes } from '../terminal/progress.js';

interface RetentionOptions extends ConnectionOptions {
  readonly dryRun: boolean;
  readonly keepRevisions?: NumberOrAll;
  readonly keepDeletedDays?: NumberOrAll;
}

type Removed = Retention['removed'];

export function retentionCommand(): Command {
  return withConnection(new Command('retention'))
    .description('remove old revisions, contents deleted long ago and unused texts, now')
    .option('--dry-run', 'only say what would go', false)
    .option(
      '--keep-revisions <count>',
      "newest revisions of each content and segment, or all; else the server's own setting",
      wholeNumberOrAll(1, revisionsKeptMax),
    )
    .option(
      '--keep-deleted-days <days>',
      "days that deleted contents are kept, or all; else the server's own setting",
      wholeNumberOrAll(0, deletedDaysKeptMax),
    )
    .addHelpText(
      'after',
      '\nThe server does this by itself every hour, with --keep-revisions and --keep-deleted-days of `loadout serve`.\nThe live and the newest revision of a content always stay.',
    )
    .action(runRetention);
}

async function runRetention(options: RetentionOptions): Promise<void> {
  const { dryRun } = options;
  const body = {
    dryRun,
    revisionsKept: allAsNull(options.keepRevisions),
    deletedDaysKept: allAsNull(options.keepDeletedDays),
  };
  const client = openClient(options);
  const removed = { contents: 0, revisions: 0, texts: 0, textBytes: 0 };
  for (let finished = false; !finished; ) {
    // The server works in turns of some seconds, so that a long history is no long wait for one response.
    const { value } = await client.request('POST /retention', { body });
    for (const name of Object.keys(removed) as (keyof Removed)[]) {
      removed[name] += value.removed[name];
    }
    // A dry run that did not get to its end would begin again each time.
    finished = value.finished || dryRun;
    if (!finished) printNote(`${wordRemoved(removed)} so far …`);
  }
  if (options.json) printLine(JSON.stringify({ dryRun, removed }));
  else print(`${dryRun ? 'Would remove' : 'Removed'} ${wordRemoved(removed)}.\n`);
}

function wordRemoved({ contents, revisions, texts, textBytes }: Removed): string {
  return `${counted(contents, 'deleted content')}, ${counted(revisions, 'revision')}, ${counted(texts, 'unused text')} (${formatBytes(textBytes)})`;
}
