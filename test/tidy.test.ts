import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(join(root, name)).isFile());
}

/** As git has them: what is generated or installed cites what it likes. */
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
/** Data of the tests may hold anything; this file names pages that are not there. */
const isRead = (file: string): boolean =>
  /(\.(ts|tsx|mjs|cc|h|md|sh|yml|service|env)|\/run)$/.test(file) && file !== 'test/tidy.test.ts';
const address = /https?:\/\/\S+/g;
/** Paths that end with .md; and the bare names of pages that were never part of this repository. */
const citedPage = /(?<![\w*$}./-])[\w./-]*\w\.md\b|\b(?:CONTRACT|SPEC|DESIGN|STYLE)\b/g;

/** As GitHub makes them of the headings of a page. */
function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (?<heading>.*)$/gm)].map(({ groups }) =>
    (groups?.['heading'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const isCode = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file);
const sources = filesBelow('src').filter(isCode);
const tests = tracked.filter((file) => file.startsWith('test/') && file.endsWith('.ts'));
const everything = [...sources, ...tests];
const entries = [
  'src/loadout.ts',
  'src/delivery-process.ts',
  'src/analysis-process.ts',
  'src/render-worker.ts',
  'src/management-worker.ts',
  'src/backup-thread.ts',
  'src/console/main.tsx',
  'src/console/vite.config.ts',
  'src/console/compress-assets.mjs',
  'src/console/icons/make-icons.mjs',
];

/** The folder below the room that the file is in; a file of the room itself is a place of its own. */
function placeOf(file: string): string {
  const [, , ...names] = file.split('/');
  return names.length === 1 ? file : (names[0] ?? '');
}

/** Places that import themselves over others. Types make no circle: they are gone when the program runs. */
function foldersInCircles(inRoom: readonly string[]): readonly string[] {
  const files = new Set(inRoom);
  const uses = new Map<string, Set<string>>();
  for (const file of inRoom) {
    const imports = read(file).matchAll(
      /^(?:import|export) (?!type\b)([^;]*?)from '(\.[^']+)\.js';/gm,
    );
    for (const [, names = '', specifier = ''] of imports) {
      const isTypes = names
        .replaceAll(/[{}\s]+/g, ' ')
        .split(',')
        .every((name) => /^ *(?:type .*)?$/.test(name));
      const path = relative(root, resolve(root, dirname(file), specifier));
      const target = [`${path}.ts`, `${path}.tsx`].find((each) => files.has(each));
      if (isTypes || target === undefined || placeOf(target) === placeOf(file)) continue;
      const targets = uses.get(placeOf(file)) ?? new Set();
      uses.set(placeOf(file), targets.add(placeOf(target)));
    }
  }
  return inCircles(uses);
}

function inCircles(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    [...(uses.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  return [...uses.keys()].filter((from) => reaches(from, from, new Set()));
}

describe('the tree', () => {
  it('holds no file that nobody imports', () => {
    const imported = new Set<string>(entries);
    for (const file of everything) {
      for (const [, specifier] of read(file).matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)) {
        const path = relative(root, resolve(root, dirname(file), `${specifier}`));
        imported.add(`${path}.ts`).add(`${path}.tsx`);
      }
    }
    expect(sources.filter((file) => !imported.has(file))).toEqual([]);
  });

  it.each([
    'analysis',
    'command',
    'console',
    'content',
    'contract',
    'delivery',
    'management',
    'native',
    'published',
  ])('has no circle of folders in %s', (room) => {
    const inRoom = sources.filter((file) => file.startsWith(`src/${room}/`));
    expect(inRoom.length).toBeGreaterThan(0);
    expect(foldersInCircles(inRoom)).toEqual([]);
  });

  it('would find a circle of folders', () => {
    const uses = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
      ['d', new Set(['a'])],
    ]);
    expect(inCircles(uses)).toEqual(['a', 'b', 'c']);
  });

  it('imports operations and schemas of the contract into clients as types only', () => {
    const values = sources
      .filter((file) => file.startsWith('src/command/') || file.startsWith('src/console/'))
      .filter((file) =>
        /^import (?!type\b)[^;]*contract\/(?:operation|problem-schema|operations\/|schemas\/)[^;]*;/m.test(
          read(file),
        ),
      );
    expect(values).toEqual([]);
  });

  describe('writes down each decision', () => {
    const folder = 'docs/decisions';
    const files = filesBelow(folder).filter((file) => file !== `${folder}/README.md`);
    const written = new Set(
      files.map((file) => `D${Number(file.slice(folder.length + 1).slice(0, 4))}`),
    );

    it('in a file of its number and title, which the index lists', () => {
      expect(written.size).toBe(files.length);
      const index = files.toSorted().map((file) => {
        const heading = /^# (?<number>D\d+)\. (?<title>.+)\n\n## Status\n/.exec(read(file))?.groups;
        const { number = '', title = '' } = heading ?? {};
        const name = relative(folder, file);
        expect(name, 'four digits and words').toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
        expect(number, name).toBe(`D${Number(name.slice(0, 4))}`);
        return `- [${number}](${name}): ${title}`;
      });
      const listed = [...read(`${folder}/README.md`).matchAll(/^- \[D.*$/gm)].map(([line]) => line);
      expect(listed).toEqual(index);
    });

    it('that code, tests and documents cite', () => {
      const citing = tracked
        .filter(isRead)
        .filter((file) => /^(src|native|bench|docs|test)\//.test(file));
      expect(citing).toEqual(
        expect.arrayContaining(['src/README.md', 'src/management/publishing/publisher.ts']),
      );
      for (const file of citing) {
        for (const [, cited] of read(file).matchAll(/\b(D\d+)\b/g)) {
          expect(written, `${file} cites ${cited}`).toContain(cited);
        }
      }
    });
  });

  it('cites only pages that are there', () => {
    const pages = new Set(tracked.filter((file) => file.endsWith('.md')));
    const missing = tracked.filter(isRead).flatMap((file) =>
      [...read(file).replaceAll(address, '').matchAll(citedPage)].flatMap(([cited]) => {
        const places = [cited, join(dirname(file), cited)].map((place) => normalize(place));
        return places.some((place) => pages.has(place)) ? [] : `${file} cites ${cited}`;
      }),
    );
    expect(missing).toEqual([]);
  });

  it('has no link within its documents that leads nowhere', () => {
    const dead = tracked
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\((?<path>[^)#\s:]*)(?:#(?<heading>[^)\s]+))?\)/g)].flatMap(
          ({ groups }) => {
            const { path = '', heading } = groups ?? {};
            const target = path === '' ? file : normalize(join(dirname(file), path));
            if (!existsSync(join(root, target))) return `${file} links to ${path}`;
            const isThere = heading === undefined || headingsOf(target).includes(heading);
            return isThere ? [] : `${file} links to ${target}#${heading}`;
          },
        ),
      );
    expect(dead).toEqual([]);
  });

  it('is what the map in src/README.md says', () => {
    const map = [...read('src/README.md').matchAll(/^(src\/[\w./-]+|test\/) {2,}/gm)].map(
      (m) => m[1],
    );
    const real = readdirSync(join(root, 'src'), { withFileTypes: true })
      .map((entry) => `src/${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((name) => name !== 'src/README.md');
    expect(map.filter((name) => name !== 'test/').sort()).toEqual(real.sort());
  });

  it('opens every module with a sentence on what it owns', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\*\*/.test(read(file)));
    expect(silent).toEqual([]);
  });

  it('loads SQLite in one place, which knows what runs on which Node', () => {
    const loading = everything.filter((file) =>
      /(?:from|import\() ?'better-sqlite3'/.test(read(file)),
    );
    expect(loading).toEqual(['src/published/sqlite-driver.ts']);
  });

  it('has no folder with more than 25 files side by side', () => {
    // An archive, and a game as `loadout export` writes it.
    const exempt = ['docs/decisions', 'src/command/demo/demo-game'];
    const counts = new Map<string, number>();
    for (const file of tracked.filter((each) => /^(src|test|native|bench|docs)\//.test(each))) {
      const folder = dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const crowded = [...counts].filter(([folder, count]) => count > 25 && !exempt.includes(folder));
    expect(crowded).toEqual([]);
  });

  it('leaves no work to nobody', () => {
    const left = everything.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)));
    expect(left.filter((file) => file !== 'test/tidy.test.ts')).toEqual([]);
  });
});
