/** `loadout backup`: one file with everything the store holds, while the server goes on. */

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { FinishedBackup } from '../../management/backup/last-backup.js';
import type { AdminClient } from '../client/admin-client.js';
import { type ConnectionOptions, openClient, withConnection } from '../client/connection.js';
import { download } from '../client/download.js';
import { CommandFailure } from '../terminal/failure.js';
import { print, printLine, printNote } from '../terminal/output.js';
import { formatBytes, Progress, showProgress } from '../terminal/progress.js';
import { formatStoreFacts } from './store-facts.js';

interface BackupOptions extends ConnectionOptions {
  readonly out: string;
  readonly data?: string;
  readonly force: boolean;
}

export function backupCommand(): Command {
  return withConnection(new Command('backup'))
    .description('copy the store of a running server into one file')
    .requiredOption('--out <file>', 'the file to make')
    .option('--data <folder>', 'read this data folder, instead of asking the server at --url')
    .option('--force', 'replace the file if it is there', false)
    .addHelpText(
      'after',
      '\nThe file is checked before it gets its name. `loadout restore` puts it into a data folder. It holds hashes of\nkeys and tokens, and the secrets of webhooks: keep it as safe as the data folder.',
    )
    .action(backUp);
}

async function backUp(options: BackupOptions): Promise<void> {
  const { out, data } = options;
  if (existsSync(out) && !options.force) {
    throw new CommandFailure(`${out} is there already. Name another file, or give --force.`);
  }
  // Under this name until it is whole and checked: what has the name `out` is a good backup.
  const partial = `${out}.partial`;
  const startedMs = performance.now();
  rmSync(partial, { force: true });
  try {
    if (data === undefined) await receive(openClient(options), partial);
    else await copyFolder(data, partial);
    const { checkStoreFile } = await import('../../management/backup/backup-check.js');
    const facts = checkStoreFile(partial);
    renameSync(partial, out);
    const bytes = statSync(out).size;
    // A server that is asked notes it itself.
    if (data !== undefined) await noteIn(data, { startedMs, bytes });
    if (options.json) printLine(JSON.stringify({ file: out, bytes, ...facts }));
    else print(`Backed up to ${out} (${formatBytes(bytes)}): ${formatStoreFacts(facts)}.\n`);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** For the metrics of the folder's server. The backup is good all the same where the folder takes no note of it. */
async function noteIn(data: string, backup: FinishedBackup): Promise<void> {
  const { noteBackup } = await import('../../management/backup/last-backup.js');
  try {
    noteBackup(data, backup, Date.now());
  } catch {
    printNote(`${data} cannot be written to: its server does not show this backup in its metrics.`);
  }
}

async function copyFolder(data: string, to: string): Promise<void> {
  const { copyStore } = await import('../../management/backup/backup.js');
  const progress = new Progress('Copying the store');
  try {
    await copyStore(join(data, 'store.db'), to, ({ pagesDone, pagesTotal }) =>
      progress.show(pagesDone / pagesTotal),
    );
  } finally {
    progress.end();
  }
}

async function receive(client: AdminClient, to: string): Promise<void> {
  const asked = client.stream('POST /backup', {});
  await download(await showProgress('The server copies its store', asked), to, 'backup');
}
