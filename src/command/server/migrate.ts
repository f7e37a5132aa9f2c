/** `loadout migrate`: a whole store from a data folder into PostgreSQL, or back. */

import { Command } from 'commander';
import type { Copied } from '../../management/database/copy-store.js';
import type { StorePlace } from '../../management/database/move-source.js';
import { counted } from '../terminal/counted.js';
import { print, printLine, printNote } from '../terminal/output.js';
import { formatBytes, Progress } from '../terminal/progress.js';
import { isDatabaseUrl, readDatabaseUrl } from './database-url.js';

interface MigrateOptions {
  readonly from: string;
  readonly to: string;
  readonly whileServing: boolean;
  readonly json: boolean;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('move a whole store from a data folder into PostgreSQL, or back')
    .requiredOption(
      '--from <folder>',
      'a data folder; or a database: postgres://user@host:5432/name',
    )
    .requiredOption('--to <folder>', 'the other one: empty, or a folder that is not there yet')
    .option('--while-serving', 'also from a database that servers use', false)
    .option('--json', 'print what was copied as JSON', false)
    .addHelpText(
      'after',
      '\nEverything is copied: history, keys, users, sessions, audit, webhooks. It is the same store afterwards, with the\nsame sequence; the old one stays as it is. What ends this early leaves the target empty. A password belongs into\nPGPASSWORD or ~/.pgpass, not into the address.',
    )
    .action(migrate);
}

async function migrate(options: MigrateOptions): Promise<void> {
  const [from, to] = await Promise.all([placeOf(options.from), placeOf(options.to)]);
  const { moveStore } = await import('../../management/database/move-store.js');
  const { shownPlace } = await import('../../management/database/move-source.js');
  const progress = new Progress('Copying the store');
  const copied = await moveStore({
    from,
    to,
    whileServing: options.whileServing,
    now: Date.now,
    onProgress: (share) => progress.show(share),
  }).finally(() => progress.end());
  if (options.json) {
    const places = { from: shownPlace(from), to: shownPlace(to) };
    printLine(JSON.stringify({ ...places, ...copied }));
    return;
  }
  print(`Moved ${shownPlace(from)} to ${shownPlace(to)}: ${formatCopied(copied)}.\n`);
  printNote(
    options.whileServing
      ? `What servers have written to ${shownPlace(from)} meanwhile is not in it.`
      : `${shownPlace(from)} is as it was. Do not start a server on it again: its edits would not be here.`,
  );
}

/** Without a full stop. */
function formatCopied({ rows, sequence, textBytes }: Copied): string {
  const rowsInAll = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return [
    counted(rows.environments ?? 0, 'environment'),
    counted(rows.contents ?? 0, 'content'),
    counted(rows.revisions ?? 0, 'revision'),
    counted(rows.users ?? 0, 'user'),
    counted(rows.audit ?? 0, 'audit event'),
    `${counted(rowsInAll, 'row')} and ${formatBytes(textBytes)} of texts in all`,
    `sequence ${sequence}`,
  ].join(', ');
}

async function placeOf(text: string): Promise<StorePlace> {
  if (!isDatabaseUrl(text)) return { kind: 'folder', path: text };
  return { kind: 'postgres', url: await readDatabaseUrl(text) };
}
