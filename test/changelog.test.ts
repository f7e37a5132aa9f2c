/** CHANGELOG.md keeps its form, and keeps up with what users rely on (release/changelog.mjs). */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lagOf, problemsOf, record } from '../release/changelog.mjs';
import { prepareVersion } from '../release/prepare.mjs';

const root = resolve(import.meta.dirname, '..');
const golden = 'test/server/golden';

describe('the changelog', () => {
  it('keeps its form, and its newest version is that of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(problemsOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)).toEqual([]);
  });

  it('has kept up with the interfaces', () => {
    expect(lagOf(root), lagOf(root) ?? '').toBeNull();
  });
});

const added = '### Added\n- Something.\n';
const text = (...parts: readonly string[]): string => `# Changelog\n\n${parts.join('\n\n')}\n`;
const unreleased = `## Unreleased\n\n${added}`;

describe('the rules', () => {
  it('take versions in their order, and an empty Unreleased after a release', () => {
    const versions = [`## 0.10.0 - 2026-12-01\n\n${added}`, `## 0.9.1 - 2026-11-30\n\n${added}`];
    expect(problemsOf(text('## Unreleased', ...versions), '0.10.0')).toEqual([]);
    expect(problemsOf(text(unreleased), '0.1.0')).toEqual([]);
  });

  it.each([
    ['no title', unreleased, /"# Changelog"/],
    ['a release above Unreleased', text(`## 0.1.0 - 2026-11-28\n\n${added}`), /"## Unreleased"/],
    ['an unknown section', text('## Unreleased\n\n### News\n- x'), /News: sections are Added/],
    ['a section twice', text(unreleased, added), /twice/],
    ['an empty section', text('## Unreleased\n\n### Fixed\n\n### Added\n- x'), /is empty/],
    ['an empty section at the end', text(unreleased, '### Fixed'), /is empty/],
    ['text of no section', text('## Unreleased\n\n- x'), /before the first section/],
    ['no date', text(unreleased, `## 0.1.0\n\n${added}`), /YYYY-MM-DD/],
    ['a day that is none', text(unreleased, `## 0.1.0 - 2026-13-40\n\n${added}`), /YYYY-MM-DD/],
    ['another version', text(unreleased, `## 0.2.0 - 2026-11-28\n\n${added}`), /is 0\.1\.0/],
    ['a version that says nothing', text(unreleased, '## 0.1.0 - 2026-11-28'), /says nothing/],
    [
      'versions out of order',
      text(
        '## Unreleased',
        `## 0.1.0 - 2026-11-28\n\n${added}`,
        `## 0.1.1 - 2026-11-28\n\n${added}`,
      ),
      /stands above/,
    ],
    [
      'days out of order',
      text(
        '## Unreleased',
        `## 0.1.0 - 2026-11-27\n\n${added}`,
        `## 0.0.9 - 2026-11-28\n\n${added}`,
      ),
      /is older than/,
    ],
  ])('reject %s', (_what, changelog, problem) => {
    expect(problemsOf(changelog, '0.1.0').join('\n')).toMatch(problem);
  });
});

/** What the commands read and write of a repository, in a folder of its own. */
function repository(): { folder: string; write(name: string, content: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-changelog-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'test/server'), { recursive: true });
  cpSync(join(root, golden), join(folder, golden), { recursive: true });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write('CHANGELOG.md', text(unreleased));
  const versions = { name: 'loadout', version: '0.1.0' };
  write('package.json', JSON.stringify(versions));
  write('package-lock.json', JSON.stringify({ ...versions, packages: { '': versions } }));
  record(folder);
  return { folder, write };
}

describe('a changed interface', () => {
  it('asks for a line of the changelog, then to be recorded', () => {
    const { folder, write } = repository();
    expect(lagOf(folder)).toBeNull();
    write(`${golden}/help.txt`, 'another help');
    expect(lagOf(folder)).toMatch(/help\.txt\).*says nothing new.*changelog\.mjs record/);
    write('CHANGELOG.md', text(unreleased, '### Fixed\n- The help.\n'));
    expect(lagOf(folder)).toMatch(/help\.txt\)\. If "Unreleased".*changelog\.mjs record/);
    record(folder);
    expect(lagOf(folder)).toBeNull();
    rmSync(join(folder, golden, 'help.txt'));
    expect(lagOf(folder)).toMatch(/says nothing new/);
  });
});

describe('a version', () => {
  const day = new Date('2026-12-01T23:00:00Z');

  it('gets its heading and its number, and leaves Unreleased empty', () => {
    const { folder } = repository();
    expect(prepareVersion(folder, '0.2.0', day)).toContain('0.2.0');
    const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toBe(text(`## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n${added}`));
    expect(problemsOf(changelog, '0.2.0')).toEqual([]);
    expect(lagOf(folder)).toBeNull();
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    expect([lock.version, lock.packages[''].version]).toEqual(['0.2.0', '0.2.0']);
    expect(() => prepareVersion(folder, '0.3.0', day)).toThrow(/is empty/);
    expect(() => prepareVersion(folder, '0.2.0', day)).toThrow(/not newer/);
  });

  it('is not made of an interface that nobody noted, nor of a number that is none', () => {
    const { folder, write } = repository();
    expect(() => prepareVersion(folder, '0.0.9', day)).toThrow(/not newer/);
    expect(() => prepareVersion(folder, 'v0.2', day)).toThrow(/MAJOR\.MINOR\.PATCH/);
    write(`${golden}/metrics.txt`, '');
    expect(() => prepareVersion(folder, '0.2.0', day)).toThrow(/metrics\.txt/);
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(text(unreleased));
  });
});
