/** `loadout demo`: a server on a fresh folder with a made-up game in it, and requests to paste. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { AdminClient } from './admin-client.js';
import { CommandFailure, misuse } from './failure.js';
import { printLine, printNote } from './output.js';
import { showProgress } from './progress.js';
import { type ServeFlags, serveOptions, withServeOptions } from './serve-options.js';
import { type RunningServer, startServer } from './start-server.js';

export function demoCommand(): Command {
  const command = new Command('demo').description(
    'start a server with a made-up game in it, and print requests to try',
  );
  return withServeOptions(command, { host: '127.0.0.1', data: null, logLevel: 'warn' }).action(
    async (flags: ServeFlags) => {
      if (flags.data !== undefined) refuseUsedFolder(flags.data);
      await runDemo(flags, flags.data ?? makeFolder());
    },
  );
}

/** A folder that goes when the process ends, however it ends short of being killed. */
function makeFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'loadout-demo-'));
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  return data;
}

function refuseUsedFolder(data: string): void {
  let entries: string[];
  try {
    entries = readdirSync(data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new CommandFailure(`${data} cannot be used as a folder: ${(error as Error).message}`);
  }
  if (entries.length > 0) {
    throw misuse(
      `${data} is not empty, and a demo starts from a fresh folder. \`loadout serve --data ${data}\` serves what is in it.`,
    );
  }
}

async function runDemo(flags: ServeFlags, data: string): Promise<void> {
  const options = serveOptions(flags, data);
  // Until the server takes the signals over, they end the process in order: the folder goes with it.
  let started = false;
  let interrupted = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      interrupted = true;
      if (!started) process.exit(1);
    });
  }
  const server = await startServer(options);
  started = true;
  try {
    await fillAndExplain(server, options.adminToken);
    printLine('ready');
  } catch (error) {
    // A signal while the game is loaded ends the server under it: no fault. Otherwise the server goes
    // on, and a demo without its game is of no use: its own handler of the signal drains it.
    const failed = !interrupted;
    if (failed) process.emit('SIGTERM', 'SIGTERM');
    process.exitCode = await server.closed;
    if (failed) throw error;
    return;
  }
  process.exitCode = await server.closed;
}

async function fillAndExplain(server: RunningServer, givenToken: string | null): Promise<void> {
  const { gameName } = await import('./demo/demo-game.js');
  const { loadGame, productionName, stagingName } = await import('./demo/load-game.js');
  const { curlLines } = await import('./demo/curl-lines.js');
  const token = givenToken ?? server.ownerToken;
  const client = new AdminClient(withoutSlash(server.adminUrl), token);
  const game = await showProgress(`Loading ${gameName}`, loadGame(client, Date.now()));
  printNote(
    `${gameName}: ${game.contents} contents and ${game.segments} saved segments in ${stagingName}, synchronised to ${productionName}.`,
  );
  printLine(`key       ${game.productionKey}  (${productionName})`);
  printLine(`key       ${game.stagingKey}  (${stagingName})`);
  for (const { shows, line } of curlLines(withoutSlash(server.deliveryUrl), game.productionKey)) {
    printLine(`\n# ${shows}\n${line}`);
  }
  printLine('');
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
