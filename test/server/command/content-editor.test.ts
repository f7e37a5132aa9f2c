/** `content edit` with real editors: programs that change the file they are given. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CommandLine,
  loadoutProgram,
  type Ran,
  spawnLoadout,
} from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let owner: CommandLine;
let loadout: CommandLine;
let folder: string;
let content: string;
let count = 0;

const inDev = ['--env', 'dev'];

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  owner = new CommandLine(server);
  loadout = new CommandLine(server, spawnLoadout);
  await owner.run(['env', 'create', 'dev']);
});
afterAll(async () => {
  await server?.stop();
});
beforeEach(async () => {
  folder = makeDataFolder();
  count += 1;
  content = `shop${count}`;
  const text = '{\n  // in gold\n  "price": 5\n}';
  await owner.run(['content', 'put', content, '-', ...inDev], { stdin: text });
});

/** `TMPDIR` is where drafts are. */
function edit(editor: string, ...more: string[]): Promise<Ran> {
  const env = { EDITOR: editor, TMPDIR: folder };
  return loadout.try(['content', 'edit', content, ...inDev, ...more], { env });
}

/** A program that is given the file. */
function editor(script: string): string {
  const path = join(folder, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const text = () => owner.run(['content', 'show', content, ...inDev]);
const draftIn = ({ stderr }: Ran) => /Your edit is kept in (\S+\.jsonc)\./.exec(stderr)?.[1] ?? '';

describe('loadout content edit', () => {
  it('saves and publishes what the editor leaves, with a note, and removes the file', async () => {
    const ran = await edit('sed -i s/5/7/', '--note', 'dearer');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^shop\d+: revision 2 is live/);
    expect(await text()).toBe('{\n  // in gold\n  "price": 7\n}');
    expect(await owner.run(['content', 'history', content, ...inDev])).toContain('dearer');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('prefers VISUAL, gives a file for its user alone, and saves a draft when asked to', async () => {
    const seen = join(folder, 'seen');
    const visual = editor(`stat -c '%a %n' "$1" > ${seen}\nsed -i s/5/8/ "$1"`);
    const env = { VISUAL: visual, EDITOR: 'false', TMPDIR: folder };
    const args = ['content', 'edit', content, ...inDev, '--draft'];
    expect((await loadout.try(args, { env })).stdout).toContain('is a draft');
    expect(readFileSync(seen, 'utf8')).toMatch(/^600 .*shop\d+\.jsonc\n$/);
  });

  it.each(['true', "sed -i '$a\\'"])(
    'saves nothing that %s leaves as it was',
    async (unchanged) => {
      const ran = await edit(unchanged);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toBe('Nothing was changed, and nothing saved.\n');
    },
  );

  it('says where it is not JSON, and keeps what was typed', async () => {
    const ran = await edit("sed -i 's/5/5,,/'");
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/shop\d+ is not JSON: .*\(line 3, column 14\)/);
    expect(readFileSync(draftIn(ran), 'utf8')).toContain('"price": 5,,');
  });

  it('keeps what the server rejects', async () => {
    const schema = join(folder, 'schema.json');
    writeFileSync(schema, '{"properties":{"price":{"maximum":6}}}');
    await owner.run(['content', 'put', content, '--schema', schema, ...inDev]);
    const ran = await edit('sed -i s/5/7/');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('/price');
    expect(readFileSync(draftIn(ran), 'utf8')).toContain('"price": 7');
    expect(await text()).toContain('"price": 5');
  });

  it("replaces nobody else's edit: both are kept, and the way on is said", async () => {
    const put = `"${process.execPath}" "${loadoutProgram}" content put ${content} - --env dev --note mine`;
    const ran = await edit(editor(`echo '{"price":6}' | ${put} >/dev/null\nsed -i s/5/7/ "$1"`));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/revision 2 \(live\), by owner at .*: mine/);
    const draft = draftIn(ran);
    expect(readFileSync(draft, 'utf8')).toContain('"price": 7');
    expect(await text()).toBe('{"price":6}\n');
    const next = /loadout (content put shop.*)$/m.exec(ran.stderr)?.[1] ?? '';
    expect(await loadout.run(next.split(' '))).toContain('revision 3 is live');
  });

  it('asks about findings as content put does: a script without options is refused', async () => {
    const strict = await edit('sed -i s/5/5000/', '--strict');
    expect(strict.code).toBe(1);
    expect(strict.stderr).toContain('digest: ');
    expect(existsSync(draftIn(strict))).toBe(true);
    expect(await edit('sed -i s/5/5000/', '--strict', '--yes')).toMatchObject({ code: 0 });
  });

  it('needs an editor that ends well', async () => {
    expect(await edit('exit 3;')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ended with 3'),
    });
    const none = await edit('no-such-editor');
    expect(none.stderr).toContain('Set VISUAL or EDITOR to your editor.');
    const unset = await loadout.try(['content', 'edit', content, ...inDev]);
    expect(unset).toMatchObject({
      code: 2,
      stderr: 'error: Set VISUAL or EDITOR to your editor.\n',
    });
  });
});

describe('loadout content put', () => {
  it('leads to import where files or a folder are given', async () => {
    for (const name of ['shop.json', 'levels.json']) writeFileSync(join(folder, name), '{}');
    const run = (...args: string[]) =>
      spawnLoadout(['content', 'put', ...args, ...inDev], { cwd: folder });
    for (const args of [
      ['shop.json', 'levels.json'],
      ['a', 'shop.json', 'levels.json'],
      ['a', '.'],
    ]) {
      const ran = await run(...args);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('`loadout import ');
    }
  });
});

describe('loadout content show --delivered', () => {
  it('prints what the player is given, byte for byte', async () => {
    const mapping = join(folder, 'mapping.json');
    writeFileSync(
      mapping,
      '[{"segment":"vip","when":{"level":{"$gte":9}},"merge":{"price":4.50}}]',
    );
    await owner.run(['content', 'put', content, '--mapping', mapping, ...inDev]);
    const show = ['content', 'show', content, '--delivered', '--user', 'ada', ...inDev];
    const { key } = await owner.json(['key', 'create', ...inDev]);
    const context = { u: 'ada', p: { level: 9 } };
    const response = await fetch(`${server.deliveryUrl}/api/v1/config/${content}/dynamic`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(context),
    });
    const delivered = await response.text();
    expect(delivered).toContain('4.50');
    expect(await owner.run([...show, '-p', '{"level":9}'])).toBe(delivered);
    expect(await owner.run(show)).toContain('"price":5');
    const misuse = await owner.try(['content', 'show', content, '--user', 'ada', ...inDev]);
    expect(misuse).toMatchObject({ code: 2, stderr: expect.stringContaining('--delivered') });
  });
});
