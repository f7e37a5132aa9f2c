/**
 * Goal: what the console shows to copy runs with the kits as they are. Method: JavaScript in Node and C++ are run against a
 * real server; C# is compiled against stubs of Unity.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { GameEnvironment } from '../../clients/conformance/game-environment.js';
import { kits } from '../../clients/conformance/kits.js';
import { type Snippet, snippets } from '../../src/console/environments/snippets.js';
import { makeDataFolder } from '../support/server/server.js';
import { kitBuildMillisMax, startKitServer, whyNot } from './kit-server.js';

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
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    return line;
  } finally {
    child.kill('SIGKILL');
  }
}

function whyNotIn(language: 'csharp' | 'cpp'): string | null {
  const kit = kits.find((each) => each.folder === language);
  const missing = kit === undefined ? `no kit in ${language}` : whyNot(kit);
  if (missing !== null) console.warn(`skipped: snippet: ${missing}`);
  return missing;
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

describe.skipIf(whyNotIn('csharp') !== null)('the C#', () => {
  it('compiles against stubs of Unity', () => {
    const kit = join(root, 'clients/csharp');
    const sources = [join(kit, 'Loadout.cs'), join(kit, 'unity-stubs/UnityEngine.cs')];
    const unity = ['UNITY_5_3_OR_NEWER', 'UNITY_2020_2_OR_NEWER', 'UNITY_2021_3_OR_NEWER'];
    execFileSync('mcs', [
      ...['-langversion:7.2', '-warn:4', '-warnaserror', '-target:library'],
      ...unity.map((symbol) => `-define:${symbol}`),
      ...[`-out:${folder}/Snippet.dll`, ...sources, save('csharp', 'LoadoutExample.cs')],
    ]);
    expect(existsSync(`${folder}/Snippet.dll`)).toBe(true);
  });
});

describe.skipIf(whyNotIn('cpp') !== null)('the C++', () => {
  it('prints the content item, from the server', { timeout: kitBuildMillisMax }, async () => {
    const game = join(folder, 'game.cpp');
    const includes = ['cstdio', 'chrono', 'thread'].map((name) => `#include <${name}>\n`).join('');
    const sleep = 'std::this_thread::sleep_for(std::chrono::milliseconds(5));';
    writeFileSync(
      game,
      `${includes}bool playOneFrame() { std::fflush(stdout); ${sleep} return true; }\n`,
    );
    execFileSync('g++', [
      ...['-std=c++17', '-Wall', '-Wextra', '-Werror', `-I${join(root, 'clients/cpp/include')}`],
      ...[save('cpp', 'snippet.cpp'), game, '-o', join(folder, 'snippet'), '-lcurl', '-lpthread'],
    ]);
    expect(await firstLine(join(folder, 'snippet'))).toBe('server {"price":4.99}');
  });
});
