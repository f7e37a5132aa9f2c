/**
 * Goal: a game reads typed values of what people edit. Method: `loadout types` reads a real server; a program in each
 * language is compiled with its file and with the kit, and prints what it reads from that server.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { kitBuildMillisMax } from '../kits/kit-server.js';
import { CommandLine } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { checkTypescript, compileCppWithTypes, compileCsharp, lacks } from './compile-types.js';

const root = resolve(import.meta.dirname, '../..');
const games = join(import.meta.dirname, 'games');
const folder = makeDataFolder();
const key = 'types-key-0123456789abcdef';
const schema = {
  type: 'object',
  required: ['currency', 'gems', 'offers'],
  properties: {
    currency: { enum: ['USD', 'EUR'] },
    gems: { type: 'integer' },
    opens: { type: 'string', format: 'date-time' },
    offers: { type: 'array', items: { $ref: '#/$defs/offer' } },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
  },
  $defs: {
    offer: {
      type: 'object',
      required: ['id', 'price'],
      properties: { id: { type: 'string' }, price: { type: 'number', minimum: 0 } },
    },
  },
};
/** A member that the types do not know: a newer server has it. Gems are beyond 32 bits. */
const shop = `{ "currency": "EUR", "gems": 5000000000, "opens": "2026-12-01T10:00:00Z",
  "offers": [{ "id": "sword", "price": 4.99, "new": true }], "prices": { "CA": 5.5 }, "newer": [1] }`;
const motd = '{ "text": "Hi", "hours": [1, 2.5] }';
const rules = '[{"segment":"event","when":{},"merge":{"link":"https://example.com"}}]';

const printed = [
  'server EUR 5000000000 sword 4.99 2026-12-01T10:00:00Z CA',
  'Hi 2 https://example.com\n',
].join('\n');

let loadout: CommandLine;
let deliveryUrl: string;

beforeAll(async () => {
  const server = await startServer({ listeners: 1 });
  ({ deliveryUrl } = server);
  loadout = new CommandLine(server);
  await loadout.run(['env', 'create', 'dev']);
  await loadout.run(['key', 'create', '--env', 'dev', '--value', key]);
  await put('shop', shop);
  await loadout.run(['content', 'schema', 'put', 'shop', '-', '--env', 'dev'], {
    stdin: JSON.stringify(schema),
  });
  writeFileSync(join(folder, 'rules.json'), rules);
  await put('motd', motd, '--mapping', join(folder, 'rules.json'));
});

function put(id: string, text: string, ...more: readonly string[]): Promise<string> {
  return loadout.run(['content', 'put', id, '-', '--env', 'dev', ...more], { stdin: text });
}

async function types(language: string, file: string): Promise<string> {
  const out = join(folder, file);
  await loadout.run(['types', '--language', language, '--env', 'dev', '--out', out]);
  return out;
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, [...args, deliveryUrl, key], { encoding: 'utf8', timeout: 60_000 });
}

describe('a game reads content items by generated types', () => {
  it('in TypeScript', async () => {
    const contents = await types('typescript', 'contents.ts');
    const game = join(folder, 'shop-game.ts');
    copyFileSync(join(games, 'shop-game.ts'), game);
    checkTypescript([contents, game], folder);
    const bundle = await rolldown({
      input: game,
      platform: 'node',
      resolve: {
        alias: { '@loadout/client': join(root, 'clients/typescript/src/client.ts') },
        extensionAlias: { '.js': ['.ts', '.js'] },
      },
    });
    const program = join(folder, 'shop-game.mjs');
    await bundle.write({ file: program });
    expect(run(process.execPath, program)).toBe(printed);
  });

  it('and a misspelt member does not compile', async () => {
    const contents = await types('typescript', 'contents.ts');
    const text = readFileSync(join(games, 'shop-game.ts'), 'utf8');
    const game = join(folder, 'misspelt.ts');
    writeFileSync(game, text.replace('shop.gems', 'shop.gem'));
    expect(() => checkTypescript([contents, game], folder)).toThrow(/'gem' does not exist/);
  });

  it.skipIf(lacks('csharp'))('in C#', { timeout: kitBuildMillisMax }, async () => {
    const contents = await types('csharp', 'Contents.cs');
    const program = compileCsharp([contents, join(games, 'ShopGame.cs')], folder);
    expect(run('mono', program)).toBe(printed);
  });

  it.skipIf(lacks('cpp'))('in C++', { timeout: kitBuildMillisMax }, async () => {
    await types('cpp', 'contents.hpp');
    const game = join(folder, 'shop-game.cpp');
    copyFileSync(join(games, 'shop-game.cpp'), game);
    compileCppWithTypes(game, join(folder, 'shop-game'));
    expect(run(join(folder, 'shop-game'))).toBe(printed);
  });
});

describe('loadout types', () => {
  it('writes the same from a folder in Git, and --check finds a file that is old', async () => {
    const game = join(folder, 'game');
    await loadout.run(['export', '--env', 'dev', '--dir', game]);
    const args = ['types', '--language', 'csharp', '--dir', game];
    const fromServer = readFileSync(await types('csharp', 'server.cs'), 'utf8');
    expect(await loadout.run(args)).toBe(fromServer);
    const out = join(folder, 'checked.cs');
    await loadout.run([...args, '--out', out]);
    await loadout.run([...args, '--out', out, '--check']);
    writeFileSync(join(game, 'motd.jsonc'), '{ "text": "Hi", "hours": [1], "new": 1 }');
    const { code, stderr } = await loadout.try([...args, '--out', out, '--check']);
    expect(code).toBe(1);
    expect(stderr).toContain('differs from the types of the contents');
  });

  it('says what a type cannot express, and which types are inferred', async () => {
    const out = join(folder, 'noted.ts');
    const args = ['types', '--language', 'typescript', '--env', 'dev', '--out', out];
    const { stderr } = await loadout.try(args);
    expect(stderr).toContain('note: shop: Types do not have minimum (1)');
    expect(stderr).toContain('Wrote types of 2 contents, 1 of them inferred');
    expect(readFileSync(out, 'utf8')).toMatch(
      /\/\/ motd: inferred .*\n\/\/ shop: schema [0-9a-f]{16}\n/,
    );
  });
});
