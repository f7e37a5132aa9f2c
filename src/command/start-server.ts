/** Starts a server for `serve` and `demo` and prints its addresses, in the form that scripts wait for. */

import type { ServeOptions, serve } from '../management/serve.js';
import { linesLost, outliveReaders, printLine, printNote } from './output.js';

const lostNote =
  'warning: standard output could not be written; the server goes on. If the owner token was made just now, it was lost: set LOADOUT_ADMIN_TOKEN and start again.';

export type RunningServer = Awaited<ReturnType<typeof serve>>;

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  outliveReaders();
  // Loaded here, not above: `loadout --help` and the client commands need neither database nor HTTP server.
  const management = await import('../management/serve.js');
  const server = await management.serve(options);
  printLine(`delivery  ${server.deliveryUrl}`);
  printLine(`console   ${server.adminUrl}`);
  if (server.ownerToken !== null) printLine(`token     ${server.ownerToken}`);
  if (linesLost() > 0) printNote(lostNote);
  return server;
}
