/** Starts a server for `serve` and `demo` and prints its addresses, in the form that scripts wait for. */

import type { ServeOptions, serve } from '../management/serve.js';
import { printLine } from './output.js';

export type RunningServer = Awaited<ReturnType<typeof serve>>;

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  // Loaded here, not above: `loadout --help` and the client commands need neither database nor HTTP server.
  const management = await import('../management/serve.js');
  const server = await management.serve(options);
  printLine(`delivery  ${server.deliveryUrl}`);
  printLine(`console   ${server.adminUrl}`);
  if (server.ownerToken !== null) printLine(`token     ${server.ownerToken}`);
  return server;
}
