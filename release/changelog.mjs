/**
 * The rules of CHANGELOG.md, and that it keeps up with the interfaces: `test/interfaces.json` has the hashes of the golden files
 * and of the section *Unreleased* as they were when a change of the interfaces was last noted. No commits are compared, so a
 * shallow clone is enough.
 *
 *   node release/changelog.mjs record    notes the golden files as they are; refuses while *Unreleased* says nothing new
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const recordPath = 'test/interfaces.json';
const goldenFolder = 'test/server/golden';
const sectionNames = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const partHeading = /^## /m;
/** A heading with nothing below it. */
const emptySection = /^### [^\n]*\s*(?=^### |(?![\s\S]))/m;
const released = /^(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})$/;

/** @typedef {{ heading: string, text: string, sections: readonly string[] }} Part what is below a heading of level 2 */

/** @returns {Part[]} newest first, as they stand */
export function partsOf(changelog) {
  const pieces = changelog.split(partHeading).slice(1);
  return pieces.map((piece) => {
    const [heading = '', ...lines] = piece.split('\n');
    const sections = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
    return { heading, text: lines.join('\n').trim(), sections };
  });
}

/** The text below *Unreleased*, or '' */
export function unreleasedOf(changelog) {
  return partsOf(changelog).find(({ heading }) => heading === 'Unreleased')?.text ?? '';
}

/**
 * @param {string} changelog
 * @param {string} version of package.json
 * @returns {string[]} a sentence for each rule that the text breaks
 */
export function problemsOf(changelog, version) {
  const problems = [];
  if (!changelog.startsWith('# Changelog\n')) problems.push('The first line is not "# Changelog".');
  const [first, ...others] = partsOf(changelog);
  if (first?.heading !== 'Unreleased') problems.push('The first part is not "## Unreleased".');
  for (const { heading, sections, text } of [first, ...others].filter(Boolean)) {
    const strange = sections.filter((name) => !sectionNames.includes(name));
    if (strange.length > 0) {
      problems.push(`${heading}: ${strange.join(', ')}: sections are ${sectionNames.join(', ')}.`);
    }
    if (new Set(sections).size < sections.length)
      problems.push(`${heading}: a section is there twice.`);
    if (text !== '' && !text.startsWith('### '))
      problems.push(`${heading}: text before the first section.`);
    if (emptySection.test(text)) problems.push(`${heading}: a section is empty.`);
  }
  return [...problems, ...problemsOfVersions(others, version)];
}

function problemsOfVersions(parts, version) {
  const malformed = parts.filter(({ heading }) => !isReleased(heading));
  if (malformed.length > 0) {
    return malformed.map(({ heading }) => `"## ${heading}" is not "## <version> - <YYYY-MM-DD>".`);
  }
  const problems = [];
  const newest = parts[0]?.heading.split(' ', 1)[0];
  if (newest !== undefined && newest !== version) {
    problems.push(`package.json is ${version}, and the newest version listed is ${newest}.`);
  }
  for (const [at, { heading, text }] of parts.entries()) {
    if (text === '') problems.push(`${heading} says nothing.`);
    const next = parts[at + 1];
    if (next === undefined) continue;
    const [a, b] = [heading, next.heading].map((each) => released.exec(each));
    if (compareVersions(a[0], b[0]) <= 0) problems.push(`${heading} stands above ${next.heading}.`);
    if (a[4] < b[4]) problems.push(`${heading} is older than ${next.heading}.`);
  }
  return problems;
}

function isReleased(heading) {
  const date = released.exec(heading)?.[4];
  return date !== undefined && !Number.isNaN(Date.parse(date));
}

/** By the numbers of `MAJOR.MINOR.PATCH`; negative if `a` is older. */
export function compareVersions(a, b) {
  const [one, other] = [a, b].map((text) => text.split(' ', 1)[0].split('.').map(Number));
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : one[at] - other[at];
}

/**
 * @param {string} root of the repository
 * @returns {string | null} why the changelog lags behind the interfaces, with what to do
 */
export function lagOf(root) {
  const { interfaces, unreleased } = JSON.parse(readFileSync(join(root, recordPath), 'utf8'));
  const now = stateOf(root);
  const names = Object.keys({ ...interfaces, ...now.interfaces });
  const changed = names.filter((name) => interfaces[name] !== now.interfaces[name]);
  if (changed.length === 0) return null;
  const what = `What users rely on has changed (${goldenFolder}: ${changed.join(', ')})`;
  if (now.unreleased === unreleased) {
    return `${what}, but "Unreleased" in CHANGELOG.md says nothing new. Add a line there, then run: node release/changelog.mjs record`;
  }
  return `${what}. If "Unreleased" in CHANGELOG.md says so, run: node release/changelog.mjs record`;
}

/** Notes the interfaces and *Unreleased* as they are. */
export function record(root) {
  writeFileSync(join(root, recordPath), `${JSON.stringify(stateOf(root), null, 2)}\n`);
}

function stateOf(root) {
  const names = readdirSync(join(root, goldenFolder)).sort();
  const hashes = names.map((name) => [name, hashOf(readFileSync(join(root, goldenFolder, name)))]);
  const unreleased = unreleasedOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  return { interfaces: Object.fromEntries(hashes), unreleased: hashOf(unreleased) };
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(import.meta.dirname, '..');
  const lag = lagOf(root);
  if (process.argv[2] !== 'record') {
    console.error('usage: node release/changelog.mjs record');
    process.exitCode = 2;
  } else if (lag?.includes('says nothing new')) {
    console.error(lag);
    process.exitCode = 1;
  } else record(root);
}
