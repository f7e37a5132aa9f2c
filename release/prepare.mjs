/** Makes *Unreleased* a version: its heading in CHANGELOG.md, and the number in package.json and the lock file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, lagOf, partsOf, problemsOf, record, unreleasedOf } from './changelog.mjs';
import { ReleaseFailure } from './run.mjs';

const versionForm = /^\d+\.\d+\.\d+$/;
const unreleasedHeading = /^## Unreleased$/m;

/**
 * @param {string} root of the repository
 * @param {string} version MAJOR.MINOR.PATCH, newer than the newest of CHANGELOG.md
 * @param {Date} now the heading gets its day (UTC)
 * @returns {string} what to do next
 * @throws ReleaseFailure before anything is written
 */
export function prepareVersion(root, version, now) {
  const read = (name) => readFileSync(join(root, name), 'utf8');
  const changelog = read('CHANGELOG.md');
  const current = JSON.parse(read('package.json')).version;
  const listed = partsOf(changelog)[1]?.heading.split(' ', 1)[0];
  if (!versionForm.test(version)) {
    throw new ReleaseFailure(`${version} is not MAJOR.MINOR.PATCH`);
  }
  if (compareVersions(version, listed ?? '0.0.0') <= 0 || compareVersions(version, current) < 0) {
    throw new ReleaseFailure(`${version} is not newer than ${listed ?? current}`);
  }
  const reasons = [...problemsOf(changelog, current), lagOf(root)].filter(Boolean);
  if (unreleasedOf(changelog) === '') reasons.push('"Unreleased" in CHANGELOG.md is empty.');
  if (reasons.length > 0) throw new ReleaseFailure(reasons.join('\n'));

  const date = now.toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n## ${version} - ${date}`;
  writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(unreleasedHeading, heading));
  for (const name of ['package.json', 'package-lock.json']) {
    const manifest = JSON.parse(read(name));
    manifest.version = version;
    if (manifest.packages !== undefined) manifest.packages[''].version = version;
    writeFileSync(join(root, name), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  record(root);
  return `Loadout ${version} is ready to be committed; then: npm run release -- --check`;
}
