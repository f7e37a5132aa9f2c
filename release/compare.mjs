/**
 * Says what differs between two artefacts: `node release/compare.mjs one.tgz other.tgz`. Ends with 1 if anything does.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/**
 * @param {string} one path of a .tgz, or of another file
 * @param {string} other path of another one
 * @returns {Promise<string[]>} a line for each difference; none if both have the same bytes
 */
export async function differences(one, other) {
  const [first, second] = [one, other].map((path) => readFileSync(path));
  if (first.equals(second)) return [];
  if (!one.endsWith('.tgz')) return [sizesOf(first, second)];
  const folder = mkdtempSync(join(tmpdir(), 'loadout-compare-'));
  try {
    const [left, right] = await Promise.all([
      unpack(one, join(folder, 'one')),
      unpack(other, join(folder, 'other')),
    ]);
    const paths = [...new Set([...left.keys(), ...right.keys()])].sort();
    const found = paths.flatMap((path) => differenceOf(path, left.get(path), right.get(path)));
    return found.length > 0
      ? found
      : ['the files are the same; their order, times or compression differ'];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<Map<string, string>>} the place of each file by its path in the artefact */
async function unpack(artefact, folder) {
  mkdirSync(folder);
  await run(folder, 'tar', ['--same-permissions', '-xzf', artefact]);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const place = join(parentPath, name);
      return [relative(folder, place), place];
    }),
  );
}

function differenceOf(path, left, right) {
  if (right === undefined) return [`${path}: only in the first`];
  if (left === undefined) return [`${path}: only in the second`];
  const [a, b] = [left, right].map((place) => readFileSync(place));
  const [modeOfA, modeOfB] = [left, right].map((place) =>
    (statSync(place).mode & 0o777).toString(8),
  );
  const found = [];
  if (!a.equals(b)) {
    found.push(`${path}: ${sizesOf(a, b)}`);
  }
  if (modeOfA !== modeOfB) found.push(`${path}: mode ${modeOfA} and ${modeOfB}`);
  return found;
}

function sizesOf(a, b) {
  const sizes = a.length === b.length ? `${a.length} bytes` : `${a.length} and ${b.length} bytes`;
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return `${sizes}, the first difference at byte ${at === -1 ? a.length : at}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , one, other] = process.argv;
  if (other === undefined) {
    console.error('usage: node release/compare.mjs <one.tgz> <other.tgz>');
    process.exitCode = 2;
  } else {
    const found = await differences(one, other);
    for (const line of found) console.log(line);
    process.exitCode = found.length > 0 ? 1 : 0;
  }
}
