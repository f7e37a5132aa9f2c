/** A clone of this repository in another folder, with modules, to build in. */
import { cpSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.mjs';

/**
 * @param {string} root of the repository
 * @param {string} clone folder to make
 * @param {boolean} withChanges whether it gets the changes that no commit has
 */
export async function cloneTree(root, clone, withChanges) {
  await run(root, 'git', ['clone', '--quiet', root, clone]);
  if (withChanges) await copyChanges(root, clone);
  await linkModules(root, clone);
}

async function copyChanges(root, clone) {
  const list = (...flags) => run(root, 'git', ['ls-files', '-z', ...flags]);
  const [changed, deleted] = await Promise.all([
    list('--modified', '--others', '--exclude-standard', '--deduplicate'),
    list('--deleted'),
  ]);
  const gone = deleted.split('\0').filter((path) => path !== '');
  for (const path of gone) rmSync(join(clone, path));
  for (const path of changed.split('\0')) {
    if (path === '' || path === 'node_modules' || gone.includes(path)) continue;
    cpSync(join(root, path), join(clone, path));
  }
}

/** Those of the repository: by hard links where the clone is on the same disk. */
async function linkModules(root, clone) {
  const modules = realpathSync(join(root, 'node_modules'));
  const target = join(clone, 'node_modules');
  try {
    await run(dirname(modules), 'cp', ['-al', modules, target]);
  } catch {
    rmSync(target, { recursive: true, force: true });
    await run(dirname(modules), 'cp', ['-a', modules, target]);
  }
}
