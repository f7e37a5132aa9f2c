/** `loadout restore`: puts a backup into a data folder that no server uses. */

import { Command } from 'commander';
import { print, printLine, printNote } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { formatStoreFacts } from './store-facts.js';

interface RestoreOptions {
  readonly data: string;
  readonly force: boolean;
  readonly json: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put a backup into a data folder that no server uses')
    .argument('<file>', 'what `loadout backup` made')
    .requiredOption('--data <folder>', 'the data folder; made if it is not there')
    .option('--force', 'also into a folder that is not empty; its store is kept beside', false)
    .option('--json', 'print what was restored as JSON', false)
    .addHelpText(
      'after',
      '\nEverything is as it was when the backup was made: keys and tokens that were revoked since are valid again, and\npeople who were added since are gone.',
    )
    .action(restore);
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { restoreStore } = await import('../../management/backup/backup-restore.js');
  const progress = new Progress('Copying the store');
  const restored = await restoreStore({
    file,
    folder: options.data,
    force: options.force,
    now: Date.now,
    onProgress: ({ pagesDone, pagesTotal }) => progress.show(pagesDone / pagesTotal),
  }).finally(() => progress.end());
  if (options.json) {
    printLine(JSON.stringify(restored));
    return;
  }
  print(`Restored ${file} into ${options.data}: ${formatStoreFacts(restored)}.\n`);
  if (restored.kept !== null) printNote(`The store that was there is kept as ${restored.kept}.`);
  printNote('Keys and tokens that were revoked since the backup are valid again.');
}
