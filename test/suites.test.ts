/** Which suites a change calls for: each file of the tree counts where it should, and an unknown one everywhere. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

interface Suite {
  readonly name: string;
  readonly covers: readonly string[];
  readonly except?: readonly string[];
  readonly tools?: readonly string[];
}

interface Suites {
  readonly suites: readonly Suite[];
  readonly common: readonly string[];
  readonly fast: readonly string[];
  counts(suite: Suite, path: string): boolean;
  fingerprintOf(suite: Suite, paths: readonly string[], folder?: string): string;
  failureIn(printed: string): string;
}

interface Tools {
  readonly tools: Readonly<Record<string, unknown>>;
  missingTools(suites: readonly Partial<Suite>[], folders: readonly string[]): string[];
}

const toolsModule = './tools.mjs';
const { tools, missingTools } = (await import(toolsModule)) as Tools;
const module = './suites.mjs';
const { suites, common, fast, counts, fingerprintOf, failureIn } = (await import(module)) as Suites;
const root = resolve(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '');

const called = (path: string): string[] =>
  suites.filter((suite) => counts(suite, path)).map(({ name }) => name);
const all = suites.map(({ name }) => name);
/** Of parts of the sources by themselves. */
const ofParts = ['deploy', 'drills', 'native', 'release', 'statistics', 'types'];
const ofPrograms = all.filter((name) => !ofParts.includes(name));

describe('a changed file', () => {
  it.each([
    ['src/console/main.tsx', ['console', 'package']],
    [
      'native/src/strip.cc',
      ['stores', 'hostile', 'native', 'package', 'release', 'providers', 'kits', 'sdks', 'nodes'],
    ],
    [
      'src/management/store/migrate.ts',
      all.filter((name) => name === 'release' || ofPrograms.includes(name)),
    ],
    [
      'src/delivery/http/exchange.ts',
      [
        'fleet',
        'console',
        'failures',
        'hostile',
        'package',
        'providers',
        'kits',
        'sdks',
        'drills',
        'nodes',
      ],
    ],
    ['src/command/content/content.ts', ['fleet', 'failures', 'package', 'nodes']],
    ['clients/samples/browser-game/game.js', ['console', 'package', 'kits']],
    ['src/systemd/loadout.service', ['fleet', 'package']],
    ['deploy/prometheus/loadout.rules.yml', ['deploy', 'drills']],
    ['deploy/helm/loadout/values.yaml', ['deploy']],
    ['deploy/README.md', []],
    ['test/deploy/manifests/go.mod', ['deploy']],
    ['src/command/server/serve.ts', ['fleet', 'failures', 'deploy', 'package', 'nodes']],
    ['docs/operating.md', ['fleet', 'package', 'drills']],
    ['test/unit/management/store/store.test.ts', ['stores']],
    ['test/server/life-of-content.test.ts', ['stores', 'nodes']],
    ['test/server/delivery/combine.test.ts', []],
    ['test/fleet/outage.test.ts', ['fleet']],
    ['test/alerts/prometheus.test.ts', ['alerts']],
    ['test/statistics/oracle.py', ['statistics']],
    ['test/providers/go/main.go', ['providers']],
    ['clients/csharp/Loadout.cs', ['kits', 'types']],
    ['src/command/types/types.ts', ['fleet', 'console', 'failures', 'package', 'types', 'nodes']],
    ['src/README.md', []],
    ['package-lock.json', all],
    ['test/support/server/server.ts', all],
    ['.ci/run', all],
    ['src/newcomer/first.ts', ofPrograms.filter((name) => name !== 'stores')],
    ['newcomer.toml', all],
    ['test/suites.json', []],
  ])('%s calls for %j', (path, names) => {
    expect(called(path)).toEqual(names);
  });

  it('of the tree is listed', () => {
    const unknown = tracked.filter((path) => {
      const decided = [...common, ...fast, ...suites.flatMap(({ covers }) => covers)];
      return !decided.some((prefix) => path.startsWith(prefix));
    });
    expect(unknown).toEqual([]);
  });
});

describe('the lists', () => {
  it('name only what there is', () => {
    const later = ['docs/', '.npmrc', 'test/suites.json'];
    const prefixes = [...common, ...fast, ...suites.flatMap(({ covers }) => covers)];
    const dead = prefixes.filter((prefix) => !tracked.some((path) => path.startsWith(prefix)));
    expect(dead.filter((prefix) => !later.includes(prefix))).toEqual([]);
  });

  it('have a suite for every folder of tests that `npm test` leaves out', () => {
    const folders = tracked
      .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'))
      .map((path) => `${path.split('/').slice(0, 2).join('/')}/`)
      .filter((folder) => !fast.includes(folder) && folder.split('/').length > 2);
    const nobodys = folders.filter((folder) => called(`${folder}x.test.ts`).length !== 1);
    expect(nobodys.filter((folder) => !folder.includes('.test.ts'))).toEqual([]);
  });
});

describe('a fingerprint', () => {
  const suite = { name: 'one', covers: ['src/a/'] };

  function treeOf(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-suites-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  const files = { 'src/a/one.ts': '1', 'src/a/two.ts': '2', 'README.md': 'words' };
  const of = (tree: Readonly<Record<string, string>>, folder = treeOf(tree)): string =>
    fingerprintOf(suite, Object.keys(tree), folder);

  it('is the same for the same files, whatever else there is and however they are listed', () => {
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect(of(reversed)).toBe(of(files));
    expect(of({ ...files, 'README.md': 'other words' })).toBe(of(files));
  });

  it.each([
    ['changed', { ...files, 'src/a/one.ts': '3' }],
    ['added', { ...files, 'src/a/three.ts': '' }],
    ['removed', { 'src/a/one.ts': '1' }],
    ['renamed', { 'src/a/one.ts': '1', 'src/a/zwei.ts': '2' }],
    ['moved into another', { 'src/a/one.ts': '12', 'src/a/two.ts': '' }],
    ['added where no list names it', { ...files, 'unheard-of/first.ts': '1' }],
  ])('is another one when something is %s', (_what, changed) => {
    expect(of(changed)).not.toBe(of(files));
  });

  it('is another one when a script becomes executable', () => {
    const folder = treeOf(files);
    const before = of(files, folder);
    chmodSync(join(folder, 'src/a/one.ts'), 0o755);
    expect(of(files, folder)).not.toBe(before);
  });
});

describe('the tools of a suite', () => {
  function folderOf(...programs: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const program of programs) writeFileSync(join(folder, program), '');
    return folder;
  }

  it('are known', () => {
    expect(Object.keys(tools)).toEqual(
      expect.arrayContaining(suites.flatMap((suite) => suite.tools ?? [])),
    );
  });

  it('are installed if one of their programs is missing, and only those of the suites that run', () => {
    const chosen = [{ tools: ['java', 'python'] }, { tools: ['java', 'go'] }, {}];
    expect(missingTools(chosen, [])).toEqual(['go', 'java', 'python']);
    expect(missingTools(chosen, [folderOf('java', 'go'), folderOf('python3', 'pip3')])).toEqual([
      'java',
    ]);
    expect(missingTools([{}], [])).toEqual([]);
  });
});

it('the record has no suite that there is not', () => {
  const record = JSON.parse(readFileSync(join(root, 'test/suites.json'), 'utf8')) as object;
  expect(all).toEqual(expect.arrayContaining(Object.keys(record)));
});

describe('what is repeated of a failed suite', () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, at) => `passed ${at}`).join('\n');

  it('begins with its first failed test, without colours', () => {
    const failed = '\u001b[41m Failed Tests 1 \u001b[49m\n FAIL  a.test.ts\nAssertionError';
    expect(failureIn(`${lines(400)}\n${failed}`)).toBe(
      ' Failed Tests 1 \n FAIL  a.test.ts\nAssertionError',
    );
  });

  it('is its end where no test is named', () => {
    const repeated = failureIn(`${lines(400)}\nKilled`).split('\n');
    expect(repeated.at(-1)).toBe('Killed');
    expect(repeated.length).toBe(150);
  });
});
