/** `loadout database …`: what an operator does to a PostgreSQL database, before servers of a newer version start and after. */

import { Command, Option } from 'commander';
import type { DatabaseUrl } from '../../management/store/postgres/url.js';
import { misuse } from '../terminal/failure.js';
import { print, printLine } from '../terminal/output.js';
import { readDatabaseUrl } from './database-url.js';
import { applyOptionFiles } from './option-files.js';

interface TaskOptions {
  readonly database?: string;
  readonly json: boolean;
}

interface PrepareOptions extends TaskOptions {
  readonly grantTo?: string;
}

export function databaseCommand(): Command {
  return new Command('database')
    .description('get a PostgreSQL database ready for servers')
    .addCommand(prepareCommand())
    .addCommand(finalizeCommand());
}

function prepareCommand(): Command {
  return databaseTask('prepare', 'owner')
    .description("make the tables or bring them up to date, and give a server's role what it needs")
    .option('--grant-to <role>', 'the role that servers use; it must exist')
    .option('--json', 'print what was done as JSON', false)
    .addHelpText(
      'after',
      '\nTo be run before servers of a newer version start, when theirs is a role that may not change tables. The role gets\nto read and change rows, and nothing beyond that. A password belongs into PGPASSWORD or ~/.pgpass, or with the address\ninto the file that LOADOUT_DATABASE_FILE names, not into the command line.',
    )
    .action(prepare);
}

function finalizeCommand(): Command {
  return databaseTask('finalize', 'user')
    .description('finish an upgrade without waiting for servers of the older version')
    .option('--json', 'print what was done as JSON', false)
    .addHelpText(
      'after',
      '\nServers finish an upgrade by themselves when no server of the older version is left. This does it at once, for\nwhen one of those will not come back. One that still runs serves players other hashes from then on.',
    )
    .action(finalize);
}

/** @param role that the example of an address names */
function databaseTask(name: string, role: string): Command {
  return new Command(name).addOption(
    new Option('--database <url>', `postgres://${role}@host:5432/name`).env('LOADOUT_DATABASE'),
  );
}

/**
 * The address that the flag, its variable or the file that LOADOUT_DATABASE_FILE names gives, the first of these.
 * @throws CommandFailure
 */
function readTaskDatabase(command: Command): Promise<DatabaseUrl> {
  applyOptionFiles(command, { secrets: new Set(['database']), config: null });
  const { database } = command.opts<TaskOptions>();
  if (database === undefined) throw misuse("required option '--database <url>' not specified");
  return readDatabaseUrl(database);
}

async function finalize(options: TaskOptions, command: Command): Promise<void> {
  const { finalizeDatabase } = await import('../../management/database/finalize-database.js');
  const url = await readTaskDatabase(command);
  const done = await finalizeDatabase(url, Date.now);
  if (options.json) {
    printLine(JSON.stringify({ database: url.shown, ...done }));
    return;
  }
  const { older, wasFinished } = done;
  print(
    wasFinished
      ? `${url.shown}: the upgrade was finished already.\n`
      : `${url.shown}: the upgrade is finished; hashes cover targeting rules and segments.\n`,
  );
  if (older.length > 0) {
    print(`Servers of an older version still run: ${older.join(', ')}. Stop them.\n`);
  }
}

async function prepare(options: PrepareOptions, command: Command): Promise<void> {
  const { prepareDatabase } = await import('../../management/database/prepare-database.js');
  const url = await readTaskDatabase(command);
  const done = await prepareDatabase(url, options.grantTo ?? null, Date.now);
  if (options.json) {
    printLine(JSON.stringify({ database: url.shown, ...done }));
    return;
  }
  const { before, schema, grantedTo } = done;
  const what =
    before === 0
      ? `the tables are made (schema ${schema})`
      : before === schema
        ? `the tables are up to date (schema ${schema})`
        : `the tables are brought from schema ${before} to ${schema}`;
  const whom = grantedTo === null ? '' : `; ${JSON.stringify(grantedTo)} may serve from them`;
  print(`${url.shown}: ${what}${whom}.\n`);
}
