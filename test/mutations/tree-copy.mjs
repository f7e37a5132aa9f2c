/** A copy of the committed tree to mutate, so that nobody's work is touched. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @template T
 * @param {string} root of the clone; its installed modules are linked
 * @param {string} commit what is copied
 * @param {(copy: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCopy(root, commit, use) {
  // Beside the clone: hard links need the same file system, and some tests look beside it.
  const copy = mkdtempSync(join(dirname(root), 'loadout-mutations-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--shared', root, copy]);
    execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: copy });
    execFileSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
    const native = join(root, 'native/build');
    if (existsSync(native)) cpSync(native, join(copy, 'native/build'), { recursive: true });
    execFileSync('npm', ['run', 'build'], { cwd: copy, stdio: 'ignore' });
    return await use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
