/** `loadout serve`: starts the server in this process and says where it is. */

import { Command, Option } from 'commander';
import { io } from '../terminal/io.js';
import { checkBinaries } from './check-binaries.js';
import { printChecks } from './print-checks.js';
import {
  applyServeFiles,
  type ServeFlags,
  serveOptions,
  withFleetOptions,
  withServeOptions,
} from './serve-options.js';
import { type StartForm, startForms, startLines } from './start-lines.js';
import { readyLine, startServer } from './start-server.js';

const dataDefault = './data';

interface ServerFlags extends ServeFlags {
  readonly startLines: StartForm;
  readonly config?: string;
  readonly check: boolean;
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the server')
    .addHelpText(
      'after',
      '\nLOADOUT_ADMIN_TOKEN (or the file that LOADOUT_ADMIN_TOKEN_FILE names) sets the owner token; without it the first start makes one, and prints it on a terminal or writes it to the file owner-token of the data folder.\nSIGTERM and SIGINT let requests under way finish, then end the server.\nA flag counts before its LOADOUT_… variable, that before the configuration file. Addresses that may hold a password can be in a file: LOADOUT_DATABASE_FILE, or the member "database-file".',
    );
  withServeOptions(command, {
    host: '0.0.0.0',
    data: dataDefault,
    logLevel: 'info',
    webhooksToLocal: false,
  });
  command.addOption(
    new Option(
      '--start-lines <form>',
      'form of the lines that a start prints: auto is json where standard output and the log are one stream',
    )
      .env('LOADOUT_START_LINES')
      .choices(startForms)
      .default('auto'),
  );
  command
    .addOption(
      new Option(
        '--config <file>',
        'configuration: JSON with comments, whose members are called as the options are',
      ).env('LOADOUT_CONFIG'),
    )
    .option('--check', 'check the configuration and everything it names, and start nothing', false);
  return withFleetOptions(command).action(async ({ config }: ServerFlags) => {
    applyServeFiles(command, config ?? null);
    const flags = command.opts<ServerFlags>();
    const given = serveOptions(flags, flags.data ?? dataDefault);
    // A line of a log never has the token.
    const ownerTokenToFile = given.ownerTokenToFile || flags.startLines === 'json';
    const options = { ...given, ownerTokenToFile };
    await checkBinaries(options.native);
    if (flags.check) {
      io().exitCode = await printChecks(options);
      return;
    }
    const say = startLines(flags.startLines);
    const server = await startServer(options, say);
    say(readyLine);
    io().exitCode = await server.closed;
  });
}
