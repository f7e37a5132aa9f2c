/** `loadout demo`: a server on a fresh folder with a made-up game in it, and requests to paste. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { checkBinaries } from '../server/check-binaries.js';
import {
  applyServeFiles,
  type ServeFlags,
  serveOptions,
  withServeOptions,
} from '../server/serve-options.js';
import { sayInText } from '../server/start-lines.js';
import { type RunningServer, sayToken, startServer } from '../server/start-server.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { printLine, printNote } from '../terminal/output.js';
import { parseSwitch, wholeNumber } from '../terminal/parse-option.js';
import { showProgress } from '../terminal/progress.js';
import type { GameServer } from './game-server.js';
import { storedAttributes } from './player-attributes.js';
import type { SeededGame } from './seed-history.js';

interface DemoFlags extends ServeFlags {
  readonly gamePort: number;
  readonly players: boolean;
}

export function demoCommand(): Command {
  const command = new Command('demo').description(
    'start a server with a made-up game in it, and print requests to try',
  );
  const defaults = {
    host: '127.0.0.1',
    data: null,
    logLevel: 'warn',
    // The demo receives its webhooks itself.
    webhooksToLocal: true,
    eventAttributes: storedAttributes,
  };
  return withServeOptions(command, defaults)
    .addOption(
      new Option('--game-port <port>', 'port of the browser game, on --host; 0 takes a free one')
        .env('LOADOUT_GAME_PORT')
        .default(8082)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--players [switch]', 'send a gentle load of requests from made-up players')
        .env('LOADOUT_PLAYERS')
        .preset('true')
        .default(true)
        .argParser(parseSwitch),
    )
    .addOption(new Option('--no-players', 'do not send requests of made-up players'))
    .action(async (_: DemoFlags, command: Command) => {
      applyServeFiles(command, null);
      const flags = command.opts<DemoFlags>();
      if (flags.data !== undefined) rejectUsedFolder(flags.data);
      await runDemo(flags, flags.data ?? makeFolder());
    });
}

/** A folder that is removed when the process ends, unless it is killed. */
function makeFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'loadout-demo-'));
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  return data;
}

function rejectUsedFolder(data: string): void {
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

async function runDemo(flags: DemoFlags, data: string): Promise<void> {
  const options = serveOptions(flags, data);
  const { adminToken, ownerTokenToFile, host } = options;
  const { gamePort } = flags;
  if (gamePort !== 0 && (gamePort === options.port || gamePort === options.adminPort)) {
    throw misuse('--game-port must differ from --port and --admin-port.');
  }
  // Until the server handles the signals, they end the process in order, which removes the folder.
  let started = false;
  let interrupted = false;
  let stopPlayers = (): void => undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      interrupted = true;
      stopPlayers();
      if (!started) process.exit(1);
    });
  }
  await checkBinaries(options.native);
  const { checkStart } = await import('../../management/serve/serve.js');
  // Before the folder is filled: a full one would be rejected at the next try.
  await checkStart(options);
  const { freePort } = await import('../../management/serve/free-port.js');
  const { startGameServer } = await import('./game-server.js');
  const gameServer = await startGameServer(host, await freePort(host, gamePort, 'game'));
  const { gameName } = await import('./demo-game.js');
  const { seedHistory } = await import('./seed-history.js');
  const seeding = seedHistory({ data, adminToken, ownerTokenToFile, nowMs: Date.now() });
  const game = await showProgress(`Loading ${gameName}`, seeding);
  const server = await startServer(options, sayInText);
  started = true;
  const { stagingName: environment } = await import('./team.js');
  gameServer.open({ url: server.deliveryUrl, key: game.stagingKey, environment });
  await explain(server, game, gameName, gameServer);
  if (flags.players) {
    const { Players } = await import('./players.js');
    const { productionKey: production, stagingKey: staging } = game;
    const players = new Players(server.deliveryUrl, { production, staging });
    // After an interruption the server drains already, and would not stop them.
    if (!interrupted) players.start();
    stopPlayers = () => players.stop();
  }
  printLine('ready');
  io().exitCode = await server.closed;
  stopPlayers();
  game.receiver.close();
  gameServer.close();
}

async function explain(
  server: RunningServer,
  game: SeededGame,
  gameName: string,
  gameServer: GameServer,
): Promise<void> {
  const { productionName, stagingName } = await import('./team.js');
  printNote(
    `${gameName}: ${game.contents} contents and ${game.segments} saved segments in ${stagingName}; ${productionName} has what was synced yesterday.`,
  );
  sayToken(sayInText, game.ownerToken, game.ownerTokenFile);
  printLine(`game      ${gameServer.url}`);
  printLine(`editor    ${game.editor.token}  (${game.editor.name})`);
  printLine(`viewer    ${game.viewer.token}  (${game.viewer.name})`);
  printLine(`key       ${game.productionKey}  (${productionName})`);
  printLine(`key       ${game.stagingKey}  (${stagingName})`);
  const api = new URL('/api/v1', server.deliveryUrl).href;
  const headers = `-H 'X-Api-Key: ${game.productionKey}' -H 'Content-Type: application/json'`;
  for (const { shows, path, body } of game.requests) {
    const post = body === undefined ? '' : ` -d '${JSON.stringify(body)}'`;
    const method = body === undefined ? '' : '-X POST ';
    printLine(`\n# ${shows}\ncurl -sS ${method}'${api}${path}' ${headers}${post}`);
  }
  printLine('');
}
