/**
 * Goal: the quick starts of docs/clients.md work as printed. Method: each program of the page shows the price of a real server,
 * and then an edit; Unity's is compiled against stubs.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GameEnvironment } from '../../clients/conformance/game-environment.js';
import { hasBrowser } from '../support/browser/browser.js';
import { chromiumFlags, chromiumPath } from '../support/browser/chromium.js';
import { makeDataFolder } from '../support/server/server.js';
import { compileForUnity, isMissing } from './compile.js';
import { GameProcess } from './game-process.js';
import { kitBuildMillisMax, startKitServer } from './kit-server.js';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/clients.md'), 'utf8');
const folder = makeDataFolder();
const installed = join(folder, 'node_modules/@loadout/client');
let url: string;
let environment: GameEnvironment;

/** The block of the page, with the address and the key of the server under test. */
function block(name: string): string {
  const [, text] = page.split(`<!-- quick start: ${name} -->`)[1]?.match(/```\w+\n(.*?)```/s) ?? [];
  if (text === undefined) throw new Error(`The page has no quick start: ${name}`);
  return text
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll('demo-key-0123456789abcdef', environment.key);
}

function save(name: string, file: string): string {
  writeFileSync(join(folder, file), block(name));
  return join(folder, file);
}

/** The commands of the block, of which the last one runs the game. */
function commands(name: string): readonly string[] {
  const here = block(name).replaceAll('clients/', `${join(root, 'clients')}/`);
  return here.trim().split('\n');
}

function run(command: string): void {
  execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
}

function bundle(source: string, file: string, ...options: readonly string[]): void {
  const rolldown = join(root, 'node_modules/.bin/rolldown');
  execFileSync(rolldown, [source, '--file', file, ...options], { cwd: folder, stdio: 'pipe' });
}

async function expectPriceAndEdit(
  game: GameProcess,
  [first, second]: readonly [string, string],
): Promise<void> {
  try {
    while ((await game.line()) !== first);
    await environment.edit({ shop: { text: { price: 3.99, gems: 100 } } });
    while ((await game.line()) !== second);
  } finally {
    game.kill();
  }
}

beforeAll(async () => {
  const kit = join(root, 'clients/typescript');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(kit, 'package.json'), join(installed, 'package.json'));
  bundle(`${kit}/src/client.ts`, `${installed}/dist/loadout.js`);
  bundle(`${kit}/src/node.ts`, `${installed}/dist/node.js`, '--platform', 'node');
  const script = ['--format', 'iife', '--name', 'Loadout'];
  bundle(`${kit}/src/client.ts`, `${installed}/dist/loadout.iife.js`, ...script);
  const server = await startKitServer();
  url = server.deliveryUrl;
  environment = await GameEnvironment.make(server);
});

beforeEach(async () => {
  await environment.edit({ shop: { text: { price: 4.99, gems: 100 } } });
});

const both = ['The sword costs 4.99', 'The sword costs 3.99'] as const;

it('Node: shows the price, then the edit', async () => {
  const game = new GameProcess(process.execPath, [save('node', 'game.mjs')], folder);
  await expectPriceAndEdit(game, both);
  expect(existsSync(join(folder, 'cache'))).toBe(true);
});

describe.skipIf(!hasBrowser)('Browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(chromiumPath === null ? {} : { executablePath: chromiumPath }),
      args: [...chromiumFlags],
    });
  });
  afterAll(() => browser?.close());

  async function expectShown(html: string): Promise<void> {
    const file = join(folder, 'index.html');
    writeFileSync(file, html);
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    await tab.getByText(both[0]).waitFor();
    await environment.edit({ shop: { text: { price: 3.99, gems: 100 } } });
    await tab.getByText(both[1]).waitFor();
    await tab.close();
  }

  it('shows the price, then the edit, with a bundler', async () => {
    const file = join(folder, 'bundle.js');
    bundle(save('browser', 'browser.js'), file);
    await expectShown(`<body></body><script type="module">${readFileSync(file, 'utf8')}</script>`);
  });

  it('shows the price, then the edit, without a bundler', async () => {
    copyFileSync(join(installed, 'dist/loadout.iife.js'), join(folder, 'loadout.iife.js'));
    const lines = block('browser').split('\n').slice(1);
    const module = ['const { createClient } = Loadout;', ...lines].join('\n');
    await expectShown(`${block('page')}<script type="module">\n${module}</script>`);
  });
});

describe.skipIf(isMissing('csharp'))('C#', () => {
  it('Unity: compiles against stubs', () => {
    compileForUnity(save('unity', 'Shop.cs'), `${folder}/Shop.dll`);
    expect(existsSync(`${folder}/Shop.dll`)).toBe(true);
  });

  it('.NET: shows the price, then the edit', async () => {
    const [compile = '', play = ''] = commands('dotnet');
    run(compile);
    const game = new GameProcess('sh', ['-c', `LC_ALL=C exec ${play}`], folder);
    await expectPriceAndEdit(game, ['Stick costs 4.99', 'Stick costs 3.99']);
  });
});

describe.skipIf(isMissing('cpp'))('C++', () => {
  it('shows the price, then the edit, and keeps it', { timeout: kitBuildMillisMax }, async () => {
    save('cpp', 'game.cpp');
    const [compile = '', play = ''] = commands('cpp_build');
    run(compile);
    await expectPriceAndEdit(new GameProcess('sh', ['-c', `exec ${play}`], folder), both);
    expect(existsSync(join(folder, 'saves/config/loadout-index'))).toBe(true);
  });
});
