/** `loadout serve`: starts the server in this process and says where it is. */

import { Command } from 'commander';
import { checkBinaries } from './check-binaries.js';
import { io } from './io.js';
import { printLine } from './output.js';
import {
  type ServeFlags,
  serveOptions,
  withFleetOptions,
  withServeOptions,
} from './serve-options.js';
import { startServer } from './start-server.js';

const dataDefault = './data';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the server')
    .addHelpText(
      'after',
      '\nLOADOUT_ADMIN_TOKEN sets the owner token; without it the first start makes one and prints it.\nSIGTERM and SIGINT let requests under way finish, then end the server.',
    );
  withServeOptions(command, {
    host: '0.0.0.0',
    data: dataDefault,
    logLevel: 'info',
    webhooksToLocal: false,
  });
  return withFleetOptions(command).action(async (flags: ServeFlags) => {
    const options = serveOptions(flags, flags.data ?? dataDefault);
    await checkBinaries(options.native);
    const server = await startServer(options);
    printLine('ready');
    io().exitCode = await server.closed;
  });
}
