/** `loadout export`, `import` and `sync` on a real server: bytes that survive a file, a folder and another server. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, spawnLoadout } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let loadout: CommandLine;
const folder = makeDataFolder();
const path = (name: string): string => join(folder, name);

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server, spawnLoadout);
  const dev = await makeEnvironment(server, 'dev');
  await dev.putSegment(encodeURIComponent('Whales & more'), { level: { $gte: 10 } });
  await dev.putSegment('whales', { level: 1 });
  await dev.put('Shop', '{\r\n  // why\r\n  "big": 9007199254740993, "n": 1.10,\r\n}\r\n');
  await dev.putMapping('Shop', '[ {"segment":"whales",\n "merge":{"n":1e400,"n":2.0}} ]');
  await dev.put('con', '1');
  await dev.put('.hidden', '{"__proto__": [1, 2]} // end');
  await dev.put('lined', '"all"');
  await dev.put('lined', '"new"', { appVersion: '2.0.0' });
  await dev.put('high', '"only"', { appVersion: '3.0.0' });
  await dev.put('draft', '1', { publish: false });
  await server.admin(
    'PUT',
    `${dev.path}/contents/Shop`,
    '{"schema":{ "type" : "object" },"tags":["a"],"flags":["/n",""]}',
  );
});
afterAll(() => server.stop());

async function exported(env: string, ...flags: readonly string[]): Promise<string> {
  return loadout.run(['export', '--env', env, ...flags]);
}

/** Without the line that names the environment. */
function withoutHead(lines: string): string {
  return lines.slice(lines.indexOf('\n') + 1);
}

describe('loadout export and import', () => {
  it('of a file into another environment give the same lines again', async () => {
    await loadout.run(['export', '--env', 'dev', '--out', path('dev.ndjson')]);
    expect(readFileSync(path('dev.ndjson'), 'utf8')).toBe(await exported('dev'));
    await makeEnvironment(server, 'copy');
    const args = ['import', path('dev.ndjson'), '--env', 'copy', '--mode', 'replace', '--yes'];
    expect(await loadout.run(args)).toContain('Done: 6 added, 0 changed, 0 unchanged, 0 removed.');
    expect(withoutHead(await exported('copy'))).toBe(withoutHead(await exported('dev')));
    expect((await loadout.json(args)).counts).toMatchObject({ unchanged: 6 });
  });

  it('of a folder give the same bytes again, under names that every system takes', async () => {
    const dir = path('dev');
    await loadout.run(['export', '--env', 'dev', '--dir', dir]);
    const files = readdirSync(dir).sort();
    const shape = (names: readonly string[]): string[] =>
      names.map((name) => name.replace(/~[0-9a-f]{8}/, '~#')).sort();
    expect(shape(files)).toEqual([
      '-hidden~#.json',
      '-hidden~#.jsonc',
      'Shop.json',
      'Shop.jsonc',
      'con~#.json',
      'con~#.jsonc',
      'draft.json',
      'draft.jsonc',
      'high.json',
      'high@3.0.0.jsonc',
      'lined.json',
      'lined.jsonc',
      'lined@2.0.0.jsonc',
      'segments',
    ]);
    expect(shape(readdirSync(join(dir, 'segments')))).toEqual([
      'Whales-more~#.json',
      'whales.json',
    ]);
    expect(readFileSync(join(dir, 'Shop.jsonc'), 'utf8')).toBe(
      '{\r\n  // why\r\n  "big": 9007199254740993, "n": 1.10,\r\n}\r\n',
    );
    expect(readFileSync(join(dir, 'Shop.json'), 'utf8')).toContain(
      '"mapping": [ {"segment":"whales",\n "merge":{"n":1e400,"n":2.0}} ],\n  "flags": ["/n",""]\n}\n',
    );
    expect(readFileSync(join(dir, 'lined.json'), 'utf8')).not.toContain('flags');
    await makeEnvironment(server, 'git');
    const load = ['import', '--dir', dir, '--env', 'git', '--mode', 'replace', '--yes'];
    expect(await loadout.run(load)).toContain('Done: 6 added');
    expect(withoutHead(await exported('git'))).toBe(
      withoutHead(await exported('dev', '--no-drafts')),
    );
    await loadout.run(['export', '--env', 'git', '--dir', path('again')]);
    for (const file of files.filter((name) => name !== 'segments')) {
      expect(readFileSync(join(path('again'), file))).toEqual(readFileSync(join(dir, file)));
    }
  });

  it('make Git the source: what is edited, added and deleted there is so here', async () => {
    const dir = path('git');
    mkdirSync(join(dir, 'segments'), { recursive: true });
    writeFileSync(join(dir, 'hand.jsonc'), '\uFEFF{"made": "by hand"}\n');
    writeFileSync(join(dir, 'gone.jsonc'), '1');
    writeFileSync(join(dir, 'package.json'), '{"name":"of somebody else"}');
    const game = await makeEnvironment(server, 'source');
    const load = ['import', '--dir', dir, '--env', 'source', '--mode', 'replace', '--yes'];
    await loadout.run(load);
    expect((await game.plain('hand')).text).toBe('{"made":"by hand"}');
    rmSync(join(dir, 'gone.jsonc'));
    writeFileSync(join(dir, 'hand.jsonc'), '{"made": "again"}');
    const dry = await loadout.run([...load, '--dry-run']);
    expect(dry).toBe(
      '~ hand\n    line 0.0.0: changed\n      ~ /made: "by hand" -> "again"\n- gone\nWould be: 0 added, 1 changed, 0 unchanged, 1 removed. Nothing was changed.\n',
    );
    expect((await game.plain('gone')).status).toBe(200);
    await loadout.run(load);
    expect((await game.plain('gone')).status).toBe(404);
    expect((await game.plain('hand')).text).toBe('{"made":"again"}');
    // Exporting over it writes what the environment has, and touches nothing that is not its own.
    await game.put('more', '1');
    writeFileSync(join(dir, 'new.jsonc'), '2');
    const out = await loadout.try(['export', '--env', 'source', '--dir', dir]);
    expect(out.stderr).toContain('were kept: new.jsonc');
    expect(readdirSync(dir).sort()).toEqual([
      'hand.json',
      'hand.jsonc',
      'more.json',
      'more.jsonc',
      'new.jsonc',
      'package.json',
      'segments',
    ]);
    await server.admin('DELETE', `${game.path}/contents/more`);
    await loadout.run(['export', '--env', 'source', '--dir', dir]);
    expect(existsSync(join(dir, 'more.json')) || existsSync(join(dir, 'more.jsonc'))).toBe(false);
  });

  it('name the file and the place of what is wrong, and change nothing', async () => {
    const dir = path('wrong');
    mkdirSync(dir);
    writeFileSync(join(dir, 'good.jsonc'), '1');
    writeFileSync(join(dir, 'bad.jsonc'), '{\n  "a": ]\n}');
    await makeEnvironment(server, 'strict');
    const refused = await loadout.try(['import', '--dir', dir, '--env', 'strict', '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/bad\.jsonc: lines\[0\]\.text: .*line 2, column 8/);
    writeFileSync(join(dir, 'bad.jsonc'), Buffer.from([0x22, 0xff, 0x22]));
    const bytes = await loadout.try(['import', '--dir', dir, '--env', 'strict', '--yes']);
    expect(bytes.stderr).toContain('bad.jsonc is not UTF-8');
    rmSync(join(dir, 'bad.jsonc'));
    writeFileSync(join(dir, 'bad.json'), '{"kind":"content","id":"bad"}');
    const orphan = await loadout.try(['import', '--dir', dir, '--env', 'strict', '--yes']);
    expect(orphan.stderr).toContain('bad.json has no text beside it');
    expect(await loadout.run(['content', 'list', '--env', 'strict'])).toBe('No contents.\n');
  });

  it('ask first; without anybody to ask they need --yes', async () => {
    await makeEnvironment(server, 'asked');
    const args = ['import', path('dev.ndjson'), '--env', 'asked'];
    const unasked = await loadout.try(args);
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toContain('This will save 6 contents in asked. Use --yes');
    const once = await loadout.try(['import', '-', '--env', 'asked'], { stdin: 'x' });
    expect(once).toMatchObject({ code: 2 });
    expect((await loadout.try(['import', '--env', 'asked'])).code).toBe(2);
    expect((await loadout.try(['export', '--env', 'dev', '--out', 'a', '--dir', 'b'])).code).toBe(
      2,
    );
    await loadout.run(['env', 'update', 'asked', '--protected', 'true']);
    expect(await loadout.run([...args, '--yes'])).toContain('Done: 6 added');
    const stdin = await exported('dev');
    const piped = await loadout.try(['import', '-', '--env', 'asked', '--yes'], { stdin });
    expect(piped.stderr).toContain('protected');
  });
});

describe('loadout export --baseline', () => {
  it('writes what refresh gives a player to whom no rule applies, for the app version of the build', async () => {
    const game = await makeEnvironment(server, 'baseline');
    await loadout.run(['import', path('dev.ndjson'), '--env', 'baseline', '--yes']);
    await game.putMapping('lined', [{ segment: 'all', when: {}, replace: 'for everybody' }]);
    const out = path('baseline.json');
    const args = ['export', '--env', 'baseline', '--baseline', '--app-version', '2.1.0'];
    const note = await loadout.try([...args, '--out', out]);
    expect(note.stderr).toContain('Exported a baseline of 4 contents at sequence ');
    const text = readFileSync(out, 'utf8');
    expect(await loadout.run(args)).toBe(text);
    const { contents, ...about } = JSON.parse(text);
    const ids = Object.keys(contents);
    // `high` is for later versions, `draft` is not published.
    expect(ids).toEqual(['.hidden', 'con', 'lined', 'Shop']);
    const refreshed = await game.refresh({ v: '2.1.0' }, '?responseType=serialized');
    expect(about).toEqual({
      format: 1,
      store: refreshed.json.store,
      sequence: refreshed.json.sequence,
      environment: 'baseline',
      appVersion: '2.1.0',
    });
    for (const id of ids.filter((each) => each !== 'lined')) {
      const { data, hash, tag, crc, meta } = refreshed.json.contents[id];
      expect(contents[id]).toEqual({ data, hash, tag, crc, seg: meta.seg });
    }
    expect(contents.lined).toMatchObject({ data: '"new"', seg: [] });
    expect(contents.lined.tag).not.toBe(refreshed.json.contents.lined.tag);
  });

  it('is one file, and --app-version is about nothing else', async () => {
    const base = ['export', '--env', 'dev'];
    const folder = await loadout.try([...base, '--baseline', '--dir', path('nowhere')]);
    expect(folder).toMatchObject({ code: 2 });
    expect(folder.stderr).toContain('A baseline is one file: give --out.');
    const alone = await loadout.try([...base, '--app-version', '1.0.0']);
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.stderr).toContain('--app-version needs --baseline.');
    const unknown = await loadout.try(['export', '--env', 'nowhere', '--baseline']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('loadout sync', () => {
  it('goes into a protected environment with what was shown, and tells of edits it covers', async () => {
    const [from, to] = [await makeEnvironment(server, 'from'), await makeEnvironment(server, 'to')];
    await from.put('shop', '{"n":1}');
    await loadout.run(['env', 'update', 'to', '--protected', 'true']);
    expect(await loadout.run(['sync', 'from', 'to', '--yes'])).toContain('Done: 1 added');
    await from.put('shop', '{"n":2}');
    await to.put('shop', '{"n":3}');
    const diff = await loadout.run(['diff', 'from', 'to']);
    expect(diff).toMatch(
      /~ shop \(revision 2 over 2\)\n {4}! edited here by \S+, 20\S+Z: the sync/,
    );
    expect(diff).toContain('~ /n: 3 -> 2');
    expect(await loadout.run(['sync', 'from', 'to', 'shop', '--yes'])).toContain('1 changed');
    expect((await to.plain('shop')).text).toBe('{"n":2}');
  });
});
