/** Goal: the C# kit reaches games: as a package of NuGet, in Unity's form, and under every culture. Method: mcs, nuget and mono. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kits } from '../../clients/conformance/kits.js';
import { LineProcess } from '../support/line-process.js';
import { makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { strictCsharp, unitySymbols } from './compile.js';
import { GameProcess } from './game-process.js';
import { whyNot } from './kit-server.js';

const kit = join(import.meta.dirname, '../../clients/csharp');
const http = '-r:System.Net.Http.dll';
const facade = '-r:/usr/lib/mono/4.5/Facades/netstandard.dll';

/** @returns its output; throws with what it printed when it fails */
function run(program: string, args: readonly string[], cwd = kit): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout;
}

function pack(kind: 'nuget' | 'unity', folder: string): string {
  run(process.execPath, ['pack/pack.mjs', kind, folder]);
  return readdirSync(folder).find((name) => /\.(nupkg|tgz)$/.test(name)) ?? '';
}

const csharp = kits.find(({ folder }) => folder === 'csharp');
const missing = csharp === undefined ? 'there is no such kit' : whyNot(csharp);
if (missing !== null) console.warn(`skipped: ${missing}`);

describe.skipIf(missing !== null)('the C# kit', () => {
  let folder: string;
  beforeAll(() => {
    folder = makeDataFolder();
  });

  it('compiles without a warning, with a sentence for each public member', () => {
    const out = [`-doc:${folder}/Loadout.xml`, `-out:${folder}/Mono.dll`];
    run('mcs', [...strictCsharp, '-target:library', http, ...out, 'Loadout.cs']);
    expect(readFileSync(join(folder, 'Loadout.xml'), 'utf8')).toContain('M:Loadout.Client.Update');
  });

  // Compiled against stubs of Unity's classes: what those do is not tried here.
  it.each([
    ['in the editor and on devices', unitySymbols],
    ['in the browser', [...unitySymbols, 'UNITY_WEBGL']],
    ['with Unity before 2020.2', ['UNITY_5_3_OR_NEWER']],
  ])('compiles against stubs of Unity: %s', (_, symbols) => {
    const defines = symbols.map((symbol) => `-define:${symbol}`);
    const sources = ['Loadout.cs', 'unity-stubs/UnityEngine.cs', 'unity/Samples~/Shop/Shop.cs'];
    run('mcs', [
      ...strictCsharp,
      '-target:library',
      ...defines,
      `-out:${folder}/Unity.dll`,
      ...sources,
    ]);
  });

  it('has examples in its README that compile', () => {
    const page = readFileSync(join(kit, 'README.md'), 'utf8');
    const examples = [...page.matchAll(/^```csharp\n(.*?)^```$/gms)].map(([, code = '']) => code);
    expect(examples).toHaveLength(2);
    for (const [at, code] of examples.entries()) {
      const isUnity = code.includes('using UnityEngine;');
      const source = join(folder, `Example${at}.cs`);
      writeFileSync(source, code);
      const defines = isUnity ? unitySymbols.map((symbol) => `-define:${symbol}`) : [http];
      const more = isUnity ? ['unity-stubs/UnityEngine.cs', '-target:library'] : [];
      run('mcs', [
        ...strictCsharp,
        ...defines,
        `-out:${folder}/Example${at}.dll`,
        'Loadout.cs',
        source,
        ...more,
      ]);
    }
  });

  it('is a package for Unity in which each file has its identity, and the kit is the one file', () => {
    const out = join(folder, 'unity');
    const archive = pack('unity', out);
    expect(archive).toMatch(/^com\.loadout\.client-\d+\.\d+\.\d+\.tgz$/);
    run('tar', ['-xzf', archive], out);
    const files = readdirSync(join(out, 'package'), { recursive: true, encoding: 'utf8' }).sort();
    const seen = files.filter((name) => !name.startsWith('Samples~') && !name.endsWith('.meta'));
    expect(seen).toEqual([
      'LICENSE',
      'README.md',
      'Runtime',
      'Runtime/Loadout.Client.asmdef',
      'Runtime/Loadout.cs',
      'package.json',
    ]);
    const guids = seen.map((name) => readFileSync(join(out, 'package', `${name}.meta`), 'utf8'));
    expect(new Set(guids).size).toBe(seen.length);
    for (const guid of guids) expect(guid).toMatch(/^fileFormatVersion: 2\nguid: [0-9a-f]{32}\n/);
    expect(readFileSync(join(out, 'package/Runtime/Loadout.cs'))).toEqual(
      readFileSync(join(kit, 'Loadout.cs')),
    );
    const { samples } = JSON.parse(readFileSync(join(out, 'package/package.json'), 'utf8'));
    for (const { path } of samples) expect(existsSync(join(out, 'package', path))).toBe(true);
  });

  it('keeps what it promises beneath its methods, in the German culture and on a small stack', () => {
    const sources = ['Loadout.cs', join(import.meta.dirname, 'csharp/Checks.cs')];
    run('mcs', ['-langversion:7.2', http, `-out:${folder}/checks.exe`, ...sources]);
    expect(run('mono', [`${folder}/checks.exe`])).toBe('done\n');
  });

  describe('reads JSON as JavaScript does', () => {
    let scanner: LineProcess;
    beforeAll(() => {
      const sources = ['Loadout.cs', join(import.meta.dirname, 'csharp/Checks.cs')];
      run('mcs', ['-langversion:7.2', http, `-out:${folder}/scanner.exe`, ...sources]);
      scanner = new LineProcess(['mono', `${folder}/scanner.exe`, 'scan'], { env: {} });
    });
    afterAll(() => scanner?.end());

    const ask = async (text: string, pointer: string) =>
      JSON.parse(await scanner.ask({ text, pointer }));

    it('accepts the same texts', async () => {
      const pieces = fc.constantFrom(
        ...['{', '}', '[', ']', ',', ':', ' ', '\n', '"a"', '"', '\\', '\\u00e4', '\\ud800', '\t'],
        ...[
          '0',
          '1',
          '-',
          '.',
          'e',
          'E+',
          '12',
          'true',
          'false',
          'null',
          'nul',
          'ä',
          '😀',
          '\u0000',
        ],
      );
      const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''));
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const { isValid } = await ask(text, '');
          expect(isValid, JSON.stringify(text)).toBe(isJson(text));
        }),
        { numRuns: 2_000 },
      );
    });

    it('finds the same values at the same places', async () => {
      const spaced = fc.tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'));
      await fc.assert(
        fc.asyncProperty(spaced, fc.nat(), async ([json, space], choice) => {
          const root = JSON.parse(json);
          const places = [...placesOf(root, '')];
          const [pointer, value] = places[choice % places.length] ?? ['', root];
          const found = await ask(JSON.stringify(root, null, space), pointer);
          expect(JSON.parse(found.raw)).toEqual(value);
          expect(found.string).toBe(typeof value === 'string' ? value : undefined);
          if (typeof value !== 'number') expect(found.double).toBeUndefined();
          else if (isOrdinary(value)) expect(found.double).toBe(value);
          else expectNeighbour(found.double, value);
          const isInteger = Number.isSafeInteger(value);
          if (isInteger) expect(found.integer).toBe(String(value));
          else if (!Number.isInteger(value)) expect(found.integer).toBeUndefined();
        }),
        { numRuns: 500 },
      );
    });
  });

  describe('from NuGet', () => {
    const games: GameProcess[] = [];
    afterAll(() => {
      for (const game of games) game.kill();
    });
    const play = (args: readonly string[]) => {
      const game = new GameProcess('mono', [`${folder}/game.exe`, ...args], folder);
      games.push(game);
      return game;
    };

    it('is a library of .NET Standard 2.0 without dependencies, with its documentation', () => {
      const feed = join(folder, 'feed');
      expect(pack('nuget', feed)).toMatch(/^Loadout\.Client\.\d+\.\d+\.\d+\.nupkg$/);
      const from = ['-Source', feed, '-OutputDirectory', 'packages', '-ExcludeVersion'];
      run('nuget', ['install', 'Loadout.Client', ...from], folder);
      const lib = join(folder, 'packages/Loadout.Client/lib');
      expect(readdirSync(lib)).toEqual(['netstandard2.0']);
      const library = join(lib, 'netstandard2.0/Loadout.dll');
      const references = run('ikdasm', [library]).match(/^\.assembly extern .*$/gm);
      expect(references).toEqual(['.assembly extern netstandard']);
      expect(readFileSync(library.replace(/dll$/, 'xml'), 'utf8')).toContain('T:Loadout.Client');
      cpSync(library, join(folder, 'Loadout.dll'));
      const out = `-out:${folder}/game.exe`;
      run('mcs', [
        ...strictCsharp,
        `-r:${folder}/Loadout.dll`,
        facade,
        out,
        'samples/ConsoleGame.cs',
      ]);
    });

    it('plays: prices from the server, an edit while it runs, and from its files without a network', async () => {
      const server = await startServer({
        listeners: 1,
        flags: ['--stream-wakes-per-second', '0'],
      });
      const environment = await makeEnvironment(server);
      await environment.put('shop', '{"name":"Sword","price":5}');
      const args = [server.deliveryUrl, environment.key, 'ada', join(folder, 'player')];

      const online = play(args);
      expect(await online.line()).toBe('Configuration: Server');
      expect(await online.line()).toBe('Sword costs 5');
      await environment.put('shop', '{"name":"Sword","price":7}');
      expect(await online.line()).toBe('New prices!');
      expect(await online.line()).toBe('Sword costs 7');
      online.type('buy');
      expect(await online.line()).toBe('Bought for 7');
      expect(await online.quit()).toBe(0);

      await server.stop();
      const offline = play(args);
      expect(await offline.line()).toMatch(
        /^(The server cannot be used: network|Configuration: Cache)$/,
      );
      let line = await offline.line();
      while (!line.startsWith('Sword')) line = await offline.line();
      expect(line).toBe('Sword costs 7');
      expect(await offline.quit()).toBe(0);
    });
  });
});

/** What people write: up to 15 digits, not tiny and not huge. Mono 6 rounds some of the other doubles in the wrong direction. */
function isOrdinary(value: number): boolean {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-6 && size <= 1e15 && Number(value.toPrecision(15)) === value);
}

/** The next double above or below at most; for subnormal ones those are 2^-1074 away. */
function expectNeighbour(found: number, value: number): void {
  expect(Math.abs(found - value)).toBeLessThanOrEqual(
    Math.max(Math.abs(value) * 2 ** -51, 2 ** -1073),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Each place of a JSON value with its JSON Pointer. */
function* placesOf(value: unknown, pointer: string): Generator<[string, unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* placesOf(inner, `${pointer}/${token}`);
  }
}
