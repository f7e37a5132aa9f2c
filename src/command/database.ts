/** `loadout database prepare`: what the owner of a PostgreSQL database does, so that servers need not be its owner. */

import { Command, Option } from 'commander';
import { readDatabaseUrl } from './database-url.js';
import { print, printLine } from './output.js';

interface PrepareOptions {
  readonly database: string;
  readonly grantTo?: string;
  readonly json: boolean;
}

export function databaseCommand(): Command {
  return new Command('database')
    .description('get a PostgreSQL database ready for servers')
    .addCommand(prepareCommand());
}

function prepareCommand(): Command {
  return new Command('prepare')
    .description("make the tables or bring them up to date, and give a server's role what it needs")
    .addOption(
      new Option('--database <url>', 'postgres://owner@host:5432/name')
        .env('LOADOUT_DATABASE')
        .makeOptionMandatory(),
    )
    .option('--grant-to <role>', 'the role that servers use; it must exist')
    .option('--json', 'print what was done as JSON', false)
    .addHelpText(
      'after',
      '\nTo be run before servers of a newer version start, when theirs is a role that may not change tables. The role gets\nto read and change rows, and nothing beyond that. A password belongs into PGPASSWORD or ~/.pgpass, not into the address.',
    )
    .action(prepare);
}

async function prepare(options: PrepareOptions): Promise<void> {
  const { prepareDatabase } = await import('../management/store/prepare-database.js');
  const url = await readDatabaseUrl(options.database);
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
