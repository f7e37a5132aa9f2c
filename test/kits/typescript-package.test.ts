/** Goal: what npm gets of the TypeScript kit installs offline, has types, runs, and is small. Method: the tarball, in projects of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GameEnvironment } from '../../clients/conformance/game-environment.js';
import { hasBrowser } from '../support/browser/browser.js';
import { chromiumFlags, chromiumPath } from '../support/browser/chromium.js';
import { startKitServer } from './kit-server.js';

/** What a page of a game pays for the kit; the goal is 6 KiB (decision D86). */
const gzippedBytesMax = 6.5 * 1024;

const root = resolve(import.meta.dirname, '../..');
const kit = join(root, 'clients/typescript');
const project = mkdtempSync(join(tmpdir(), 'loadout-kit-package-'));
const installed = join(project, 'node_modules/@loadout/client');
let url: string;
let key: string;

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, LOADOUT_URL: url, LOADOUT_KEY: key },
  });

/** The block of the page that is this file. */
function fileOfReadme(name: string): string {
  const page = readFileSync(join(kit, 'README.md'), 'utf8');
  const block = page.split(`<!-- file: ${name} -->`)[1]?.match(/```js\n([\s\S]*?)```/)?.[1];
  if (block === undefined) throw new Error(`README.md has no ${name}`);
  return block;
}

beforeAll(async () => {
  execFileSync('npm', ['run', 'build:kit'], { cwd: root, stdio: 'pipe' });
  const packed = execFileSync('npm', ['pack', '--pack-destination', project], {
    cwd: kit,
    encoding: 'utf8',
  });
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const tarball = join(project, packed.trim().split('\n').at(-1) as string);
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  const server = await startKitServer();
  const environment = await GameEnvironment.make(server);
  await environment.edit({ shop: { text: { price: 4.99, list: [1, 2] } } });
  url = server.deliveryUrl;
  key = environment.key;
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

it('has nothing in it but what a game needs', () => {
  const files = execFileSync('find', ['.', '-type', 'f', '-not', '-name', '*.d.ts'], {
    cwd: installed,
    encoding: 'utf8',
  });
  expect(files.trim().split('\n').sort()).toEqual([
    './README.md',
    './dist/loadout.iife.js',
    './dist/loadout.js',
    './dist/node.js',
    './dist/xhr.js',
    './package.json',
  ]);
});

it('is small, and the README says how small', () => {
  const gzipped = gzipSync(readFileSync(join(installed, 'dist/loadout.js')), { level: 9 });
  expect(gzipped.byteLength).toBeLessThanOrEqual(gzippedBytesMax);
  const said = /([\d,]+) bytes gzipped/.exec(readFileSync(join(kit, 'README.md'), 'utf8'))?.[1];
  // Other versions of zlib differ by a few bytes.
  expect(Math.abs(Number(said?.replace(',', '')) - gzipped.byteLength)).toBeLessThanOrEqual(20);
});

it('runs the quick start of its README', () => {
  writeFileSync(join(project, 'game.mjs'), fileOfReadme('game.mjs'));
  expect(run(process.execPath, 'game.mjs')).toBe('server null\n4.99\n');
  expect(run(process.execPath, 'game.mjs')).toBe('server null\n4.99\n');
});

it('takes a storage of promises, and ends by itself where it only polls', () => {
  writeFileSync(
    join(project, 'async-storage.mjs'),
    `import { createClient } from '@loadout/client';
const texts = new Map();
const later = (act) => new Promise((resolve) => setTimeout(() => resolve(act()), 5));
const storage = {
  getItem: (name) => later(() => texts.get(name) ?? null),
  setItem: (name, text) => later(() => void texts.set(name, text)),
  removeItem: (name) => later(() => void texts.delete(name)),
};
const transport = { canStream: false, send: (_, { end }) => (setTimeout(() => end(false)), () => {}) };
const { LOADOUT_URL: url, LOADOUT_KEY: key } = process.env;
const options = { url, key, user: 'ada', storage, updates: 'poll', random: () => 0 };
for (const more of [{}, { transport }]) {
  const client = createClient({ ...options, ...more });
  const { source, recovered, failure } = await client.start(60_000);
  client.ready();
  console.log(source, recovered, failure, client.get('shop', '/price', 1).value);
  if (!more.transport) await client.stop();
}
`,
  );
  const seen = run(process.execPath, 'async-storage.mjs');
  expect(seen).toBe('server false null 4.99\ncache false network 4.99\n');
});

it('keeps what the run before did not send where a game ends as it starts', () => {
  writeFileSync(
    join(project, 'short-run.mjs'),
    `import { createClient } from '@loadout/client';
const texts = new Map();
const storage = {
  getItem: async (name) => texts.get(name) ?? null,
  setItem: async (name, text) => void texts.set(name, text),
  removeItem: async (name) => void texts.delete(name),
};
const { LOADOUT_URL: url, LOADOUT_KEY: key } = process.env;
const run = async (act) => {
  const client = createClient({ url, key, user: 'ada', storage, updates: 'none' });
  await act(client);
  await client.stop();
  console.log([...texts.keys()].some((name) => name.endsWith('-events')));
};
await run(async (client) => {
  await client.start(0);
  client.track('level', 3);
});
await run(async (client) => void client.start(0));
`,
  );
  expect(run(process.execPath, 'short-run.mjs')).toBe('true\ntrue\n');
});

it('has types that a strict project takes, and that widen defaults', () => {
  writeFileSync(
    join(project, 'game.ts'),
    `import { type Client, createClient, type StartResult } from '@loadout/client';
import { fileStorage } from '@loadout/client/node';
import { xhrTransport } from '@loadout/client/xhr';
const client: Client = createClient({ url: 'http://localhost', key: 'k', storage: fileStorage('x'), transport: xhrTransport });
const started: StartResult = await client.start(0);
const price: number = client.get('shop', '/price', 5).value;
const name: string = client.get('shop', '/name', 'none').value;
const isOn: boolean = client.get('shop', '/on', true).value;
const list: readonly number[] = client.get('shop', '/list', [1]).value;
client.watch(({ type, ids }) => console.log(type, ids.length));
// @ts-expect-error: the value is a number
const wrong: string = client.get('shop', '/price', 5).value;
console.log(started.source, price, name, isOn, list, wrong);
`,
  );
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        noEmit: true,
      },
      files: ['game.ts'],
    }),
  );
  expect(run(join(root, 'test/node_modules/.bin/tsc'), '-p', '.')).toBe('');
});

it('runs as a classic script in a page, and keeps its configuration in localStorage', async ({
  skip,
}) => {
  if (!hasBrowser || chromiumPath === null) return skip('There is no Chromium.');
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumFlags],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/healthz`);
    await page.addScriptTag({ path: join(installed, 'dist/loadout.iife.js') });
    const seen = await page.evaluate(
      `(async () => {
        const client = Loadout.createClient({ url: ${JSON.stringify(url)}, key: ${JSON.stringify(key)}, user: 'ada' });
        const { source, failure } = await client.start(10_000);
        const { value } = client.get('shop', '/price', 1);
        await client.stop();
        return { source, failure, value, stored: Object.keys(localStorage).length };
      })()`,
    );
    expect(seen).toEqual({ source: 'server', failure: null, value: 4.99, stored: 3 });
  } finally {
    await browser.close();
  }
});
