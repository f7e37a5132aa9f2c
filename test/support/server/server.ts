/** Servers of one test file, each with a data folder of its own; however its tests end, they end with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { databaseAt, onPostgres } from '../postgres/tested-store.js';
import {
  type Exit,
  Launched,
  type LoadoutServer,
  RunningServer,
  type ServerOptions,
} from './server-process.js';

const launched = new Set<Launched>();
const foldersMade = new Set<string>();
// Registered when the test file imports this module, so it runs after the hooks of the file itself.
afterAll(async () => {
  for (const { child } of launched) child.kill('SIGKILL');
  await Promise.all([...launched].map(({ exit }) => exit));
  for (const folder of foldersMade) rmSync(folder, { recursive: true, force: true });
});

/** Runs `serve` until it ends by itself; for the starts that must be refused. Throws when it does not end. */
export async function serveUntilExit(options: ServerOptions = {}): Promise<Exit> {
  return (await launch(options, options.data ?? makeDataFolder())).refused();
}

/** Starts a server and waits for its `ready`; throws with its stderr when it ends or says nothing in time. */
export async function startServer(options: ServerOptions = {}): Promise<LoadoutServer> {
  const data = options.data ?? makeDataFolder();
  return (await launch(options, data)).server(data);
}

/** The one that this worker's files share: each makes environments of its own on it (shared-server.ts). */
export function sharedServer(): RunningServer {
  const shared = inject('sharedServers') ?? 'test/vitest.config.ts starts none for this project';
  const place = shared[Number(process.env['VITEST_POOL_ID']) - 1];
  if (typeof shared === 'string' || place === undefined || typeof place === 'string') {
    throw new Error(`no server is shared here: ${shared}`);
  }
  return new RunningServer(place);
}

async function launch(options: ServerOptions, data: string): Promise<Launched> {
  const process = new Launched(options, data, await storeEnv(data));
  launched.add(process);
  void process.exit.then(() => launched.delete(process));
  return process;
}

/** An empty folder, removed when the test file has ended. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  foldersMade.add(folder);
  return folder;
}

/** Where the store of a server with that data folder is: in it, unless the run is about another one. */
export async function storeEnv(data: string): Promise<Readonly<Record<string, string>>> {
  return onPostgres ? { LOADOUT_DATABASE: await databaseAt(data) } : {};
}
