/**
 * Installs what checks and tests need beside the project's own packages: compiler, linter, and other people's programs as
 * oracles (test/package.json, some 360 MB). Whoever only builds and runs Loadout does without them, so `npm ci` does not
 * bring them. Does nothing where they are installed as test/package-lock.json has them.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
/** The digest of the lock file of which node_modules was made. */
const note = join(folder, 'node_modules/.installed-lock');

const lock = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');
if (!existsSync(note) || readFileSync(note, 'utf8') !== lock) {
  console.error('installing what checks and tests need (test/package.json)');
  // A shell: on Windows npm is a .cmd.
  const options = { cwd: folder, stdio: ['ignore', 2, 2], shell: true };
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], options);
  if (status === 0) writeFileSync(note, lock);
  process.exitCode = status ?? 1;
}
