/**
 * Goal: what the console shows to copy runs with the kits as they are. Method: JavaScript in Node and C++ are run against a
 * real server; C# is compiled against stubs of Unity.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GameEnvironment } from '../../clients/conformance/game-environment.js';
import { type Snippet, snippets } from '../../src/console/environments/snippets.js';
import { makeDataFolder } from '../support/server/server.js';
import { compileCpp, compileForUnity, isMissing } from './compile.js';
import { GameProcess } from './game-process.js';
import { kitBuildMillisMax, startKitServer } from './kit-server.js';

const root = resolve(import.meta.dirname, '../..');
const folder = makeDataFolder();
let shown: readonly Snippet[];

beforeAll(async () => {
  const server = await startKitServer();
  const environment = await GameEnvironment.make(server);
  await environment.edit({ shop: { text: { price: 4.99 } } });
  shown = snippets({ address: server.deliveryUrl, key: environment.key, content: 'shop' });
});

function save(id: Snippet['id'], name: string): string {
  const file = join(folder, name);
  writeFileSync(file, shown.find((snippet) => snippet.id === id)?.text ?? '');
  return file;
}

/** The first line that the program prints; then it is ended, since a game goes on. */
async function firstLine(program: string, ...args: readonly string[]): Promise<string> {
  const game = new GameProcess(program, args, folder);
  try {
    return await game.line();
  } finally {
    game.kill();
  }
}

it('the JavaScript prints the content item, from the server', async () => {
  const kit = join(folder, 'node_modules/@loadout/client');
  mkdirSync(kit, { recursive: true });
  writeFileSync(join(kit, 'package.json'), '{ "type": "module", "exports": "./client.js" }');
  const source = join(root, 'clients/typescript/src/client.ts');
  execFileSync('npx', ['rolldown', source, '--dir', kit], { cwd: root, stdio: 'pipe' });
  const line = await firstLine(process.execPath, save('javascript', 'snippet.mjs'));
  expect(line).toBe('server { price: 4.99 }');
});

describe.skipIf(isMissing('csharp'))('the C#', () => {
  it('compiles against stubs of Unity', () => {
    compileForUnity(save('csharp', 'LoadoutExample.cs'), `${folder}/Snippet.dll`);
    expect(existsSync(`${folder}/Snippet.dll`)).toBe(true);
  });
});

describe.skipIf(isMissing('cpp'))('the C++', () => {
  it('prints the content item, from the server', { timeout: kitBuildMillisMax }, async () => {
    const game = join(folder, 'game.cpp');
    const includes = ['cstdio', 'chrono', 'thread'].map((name) => `#include <${name}>\n`).join('');
    const sleep = 'std::this_thread::sleep_for(std::chrono::milliseconds(5));';
    writeFileSync(
      game,
      `${includes}bool playOneFrame() { std::fflush(stdout); ${sleep} return true; }\n`,
    );
    compileCpp([save('cpp', 'snippet.cpp'), game], join(folder, 'snippet'));
    expect(await firstLine(join(folder, 'snippet'))).toBe('server {"price":4.99}');
  });
});
