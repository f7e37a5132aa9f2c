/** The `content` commands against a real server: what is looked at, compared, undone, held to a schema, and watched. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CommandLine, loadoutProgram } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const folder = makeDataFolder();
const outputMillisMax = 15_000;
let server: LoadoutServer;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
  await loadout.run(['env', 'create', 'dev']);
});
afterAll(async () => {
  await server?.stop();
});

const inDev = ['--env', 'dev'];

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function put(id: string, text: string, ...more: readonly string[]): Promise<string> {
  return loadout.run(['content', 'put', id, '-', ...inDev, ...more], { stdin: text });
}

describe('loadout content diff', () => {
  it('shows what a draft would change, as pointers and as text', async () => {
    await put('shop', '{\n  // cheap\n  "price": 1,\n  "old": true\n}');
    const mapping = file('m.json', '[{"segment":"s","when":{},"merge":{"price":2}}]');
    const draft = '{\n  // dear\n  "price": 1.50,\n  "new": [1]\n}';
    await put('shop', draft, '--draft', '--mapping', mapping);
    expect(await loadout.run(['content', 'diff', 'shop', ...inDev])).toBe(
      [
        'shop: revision 1 (live) by owner -> revision 2 by owner',
        'line 0.0.0: changed',
        '  ~ /price: 1 -> 1.50',
        '  - /old: true',
        '  + /new: [1]',
        'mapping added',
        '  + rule s (#0)\n',
      ].join('\n'),
    );
    const text = await loadout.run(['content', 'diff', 'shop', '--text', ...inDev]);
    expect(text).toContain('  -  // cheap\n  -  "price": 1,\n');
    expect(text).toContain('  +  // dear\n');
    const json = await loadout.json(['content', 'diff', 'shop', '--from', '0', ...inDev]);
    expect(json).toMatchObject({ from: null, to: { revision: 2 }, lines: [{ change: 'added' }] });
    const same = ['content', 'diff', 'shop', '--from', '2', '--to', '2', ...inDev];
    expect(await loadout.run(same)).toContain('No difference.');
    const none = await loadout.try(['content', 'diff', 'shop', '--to', '9', ...inDev]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no revision 9') });
    expect((await loadout.try(['content', 'diff', 'shop', '--to', '0', ...inDev])).code).toBe(2);
  });
});

describe('loadout content put --flags', () => {
  it('saves, shows, compares and removes flags', async () => {
    await put('flagged', '{"price":1,"gift":null}');
    const flags = file('flags.jsonc', '// what OFREP lists\n["/price", "/gift", ""]');
    const dryRun = ['content', 'put', 'flagged', '--flags', flags, '--dry-run', ...inDev];
    expect((await loadout.try(dryRun)).stderr).toContain('flags[1]: "/gift" names null');
    await loadout.run(['content', 'put', 'flagged', '--flags', flags, ...inDev]);
    const show = ['content', 'show', 'flagged', '--flags', ...inDev];
    expect(await loadout.run(show)).toBe('["/price","/gift",""]\n');
    const less = ['content', 'put', 'flagged', '--flags', '-', '--draft', ...inDev];
    await loadout.run(less, { stdin: '["/price"]' });
    expect(await loadout.run(['content', 'diff', 'flagged', ...inDev])).toMatch(
      /\nflags changed\n {2}- "\/gift"\n {2}- ""\n$/,
    );
    await loadout.run(['content', 'put', 'flagged', '--no-flags', ...inDev]);
    expect(await loadout.run(show)).toBe('[]\n');
    const invalid = await loadout.try(less, { stdin: '["price"]' });
    expect(invalid.code).toBe(1);
    expect(invalid.stderr).toContain(
      'flags[0]: is not a JSON Pointer: it must be empty or begin with "/"',
    );
    const both = await loadout.try([...show, '--mapping']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
  });
});

describe('loadout content delete and restore', () => {
  it('lists what is deleted, and brings it back as it was', async () => {
    await put('gone', '1', '--tag', 'old');
    await put('gone', '2', '--draft');
    const deleted = await loadout.try(['content', 'delete', 'gone', ...inDev]);
    expect(deleted).toMatchObject({ code: 0, stdout: 'Deleted gone.\n' });
    expect(deleted.stderr).toContain('restore');
    const list = ['content', 'list', '--deleted', ...inDev];
    expect(await loadout.run(list)).toMatch(
      /^CONTENT +NEWEST +HASH +DELETED +TAGS\ngone +2 +[0-9a-f]{16} +20\S+Z +old$/m,
    );
    expect((await loadout.json(list)).contents).toMatchObject([{ id: 'gone', live: null }]);
    expect(await loadout.run(['content', 'history', 'gone', ...inDev])).toMatch(/^2 .*\n1 /m);
    const restored = await loadout.run(['content', 'restore', 'gone', ...inDev]);
    expect(restored).toMatch(/^gone: revision 2 is a draft; revision 1 is live, hash /);
    expect(await loadout.run(list)).toBe('No deleted contents.\n');
    const twice = await loadout.try(['content', 'restore', 'gone', ...inDev]);
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('is not deleted') });
  });
});

describe('loadout content put', () => {
  it('tells who saved in between', async () => {
    await put('shared', '1', '--note', 'first');
    await put('shared', '2', '--note', 'second');
    const late = await loadout.try(
      ['content', 'put', 'shared', '-', '--if-revision', '1', ...inDev],
      { stdin: '3' },
    );
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(/\n {2}revision 2 \(live\), by owner at 20\S+Z: second\n$/);
  });

  it('checks without saving, and warns of what can hardly be meant', async () => {
    const dry = await loadout.try(['content', 'put', 'dry', '-', '--dry-run', ...inDev], {
      stdin: '{\n  "a": 1,\n  "a": 1e400\n}',
    });
    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(/^dry: revision 1 would be live, hash \S+; nothing was saved\n$/);
    expect(dry.stderr).toMatch(/^warning: text: The key "a" .+ \(line 3, column 3\)$/m);
    expect(dry.stderr).toMatch(/^warning: text: 1e400 .+ \(line 3, column 8\)$/m);
    expect((await loadout.try(['content', 'show', 'dry', ...inDev])).code).toBe(1);
  });

  it('takes standard input for one thing only', async () => {
    for (const args of [
      ['-', '--schema', '-'],
      ['--mapping', '-', '--schema', '-'],
    ]) {
      const ran = await loadout.try(['content', 'put', 'two', ...args, ...inDev], { stdin: '{}' });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('one text') });
    }
    const watched = ['content', 'put', 'two', '-', '--watch', ...inDev];
    expect((await loadout.try(watched, { stdin: '{}' })).code).toBe(2);
  });
});

describe('loadout content schema', () => {
  it('holds a content to a schema, shows it and removes it', async () => {
    await put('level', '{"name":"one"}');
    const schema = file('schema.jsonc', '{ "required": ["name"] } // each level has one\n');
    const about = ['content', 'schema'];
    expect(await loadout.run([...about, 'put', 'level', schema, ...inDev])).toContain(
      'level: revision 1 is live',
    );
    expect(await loadout.run([...about, 'show', 'level', ...inDev])).toBe(
      '{"required":["name"]}\n',
    );
    const broken = await loadout.try(['content', 'put', 'level', '-', ...inDev], { stdin: '{}' });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('text: In the line 0.0.0, the whole document must have');
    const draft = await loadout.try(['content', 'put', 'level', '-', '--draft', ...inDev], {
      stdin: '{}',
    });
    expect(draft).toMatchObject({ code: 0, stdout: expect.stringMatching(/is a draft/) });
    expect(draft.stderr).toContain(
      'warning: text: In the line 0.0.0, the whole document must have',
    );
    const published = await loadout.try(['content', 'publish', 'level', ...inDev]);
    expect(published).toMatchObject({ code: 1, stdout: '' });
    expect(published.stderr).toContain('does not match its schema');
    await put('level', '{"name":"two"}');
    const dry = [...about, 'put', 'level', '--dry-run', ...inDev];
    const wrong = await loadout.try(dry, { stdin: '{"required":["other"]}' });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    await loadout.run([...about, 'delete', 'level', ...inDev]);
    const none = await loadout.try([...about, 'show', 'level', ...inDev]);
    expect(none).toMatchObject({ code: 1, stderr: 'error: level has no schema.\n' });
    await loadout.run(['content', 'put', 'level', '--schema', schema, ...inDev]);
    expect((await loadout.try([...about, 'show', 'level', ...inDev])).code).toBe(0);
    await loadout.run(['content', 'put', 'level', '--no-schema', ...inDev]);
    expect((await loadout.try([...about, 'show', 'level', ...inDev])).code).toBe(1);
  });
});

describe('loadout content put --watch', () => {
  it('saves each edit, also of editors that replace the file, and goes on after a mistake', async () => {
    const path = file('watched.jsonc', '{"n":1}');
    const watch = startWatch(['content', 'put', 'watched', path, '--watch', ...inDev]);
    await watch.says(/^watched: revision 1 is live/m);
    await watch.says(/^Watching .*watched\.jsonc; Ctrl-C ends it\.$/m);
    writeFileSync(path, '{"n":2}');
    await watch.says(/^watched: revision 2 is live/m);
    const written = file('watched.tmp', '{"n":3}');
    renameSync(written, path);
    await watch.says(/^watched: revision 3 is live/m);
    writeFileSync(path, '{\n  "n": oops\n}');
    await watch.says(/^ {2}text: .+ \(line 2, column 8\)$/m);
    writeFileSync(path, '{"n":4}');
    await watch.says(/^watched: revision 4 is live/m);
    expect(await loadout.run(['content', 'show', 'watched', ...inDev])).toBe('{"n":4}');
    expect(await watch.interrupt()).toBe(0);
  });

  it('does not save over what a colleague saved in the meantime', async () => {
    const path = file('guarded.jsonc', '1');
    const watch = startWatch(['content', 'put', 'guarded', path, '--watch', ...inDev]);
    await watch.says(/Ctrl-C ends it/);
    await put('guarded', '2', '--note', 'a colleague');
    writeFileSync(path, '3');
    await watch.says(/revision 2 \(live\), by owner at \S+: a colleague/);
    expect(await loadout.run(['content', 'show', 'guarded', ...inDev])).toBe('2');
    expect(await watch.interrupt()).toBe(0);
  });
});

interface Watch {
  /** Waits until stdout or stderr matches. */
  says(pattern: RegExp): Promise<void>;
  /** Ctrl-C; the exit code. */
  interrupt(): Promise<number | null>;
}

function startWatch(args: readonly string[]): Watch {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [loadoutProgram, ...args], {
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      LOADOUT_URL: server.adminUrl,
      LOADOUT_TOKEN: ownerToken,
    },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  let heard: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      heard();
    });
  }
  return {
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`it did not say ${pattern}:\n${output}`));
        }, outputMillisMax);
        heard = () => {
          if (!pattern.test(output)) return;
          clearTimeout(timer);
          resolve();
        };
        heard();
      }),
    interrupt: async () => {
      child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number | null];
      return code;
    },
  };
}

describe('loadout content set-value and tag', () => {
  const set = (value: string, ...more: readonly string[]) => [
    ...['content', 'set-value', '/price', value, 'bulk-a', 'bulk-b', 'bulk-c'],
    ...inDev,
    ...more,
  ];

  it('set one value in several contents, byte for byte, after showing it', async () => {
    for (const id of ['bulk-a', 'bulk-b']) await put(id, '{\n  "price": 4.90 // euros\n}');
    await put('bulk-c', '{}');
    const shown = await loadout.run(set('3.50', '--dry-run'));
    expect(shown).toBe(
      [
        '~ bulk-a',
        '    0.0.0: 4.90 -> 3.50',
        '~ bulk-b',
        '    0.0.0: 4.90 -> 3.50',
        '- bulk-c',
        'Would be: 2 changed, 0 unchanged, 1 without the path, 0 rejected. Nothing was changed.\n',
      ].join('\n'),
    );
    expect(await loadout.run(set('3.50', '--yes'))).toContain('Done: 2 changed');
    const text = await loadout.run(['content', 'get', 'bulk-a', ...inDev]);
    expect(text).toContain('"price": 3.50 // euros');
  });

  it('make a release of it, and change nothing where one cannot be edited', async () => {
    const made = await loadout.json(set('2', '--release', 'Weekend'));
    expect(made).toMatchObject({ counts: { changed: 2 }, release: 1 });
    const failed = await loadout.try([
      'content',
      'set-value',
      '/price',
      '1',
      'bulk-a',
      'nowhere',
      ...inDev,
      '--yes',
    ]);
    expect(failed.stderr).toContain('1 content cannot be edited, so nothing was changed.');
    const quoted = await loadout.try(set('hello'));
    expect(quoted.stderr).toContain(`'"hello"'`);
  });

  it('add and remove tags', async () => {
    const tag = ['content', 'tag', 'bulk-a', 'bulk-b', ...inDev];
    await loadout.run([...tag, '--add', 'money', 'weekend']);
    expect(await loadout.run([...tag, '--remove', 'money'])).toContain(
      '~ bulk-a\n    money, weekend -> weekend',
    );
  });
});
