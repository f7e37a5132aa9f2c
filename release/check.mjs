/**
 * Whether a release can be reproduced: builds it again from a clone of its own, in another folder, with other times and
 * another umask, and compares both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneTree } from './clone.mjs';
import { differences } from './compare.mjs';
import { run } from './run.mjs';

/**
 * @param {string} root of the repository
 * @param {{ out: string, version: string, names: readonly string[] }} first what was built: the folder of its artefacts, and
 *   the platforms that are built again
 * @param {boolean} withChanges whether the clone gets the changes of this tree that no commit has
 * @returns {Promise<string[]>} a line for each difference
 */
export async function checkReproducible(root, { out, version, names }, withChanges) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-second-build-'));
  const clone = join(folder, 'loadout');
  try {
    await cloneTree(root, clone, withChanges);
    const second = join(folder, 'out');
    const platforms = names.flatMap((name) => ['--platform', name]);
    const args = ['run', 'release', '--', ...platforms, '--out', second, '--allow-changes'];
    await run(clone, 'sh', ['-c', 'umask 077 && exec npm "$@"', 'npm', ...args]);
    const found = [];
    for (const name of names) {
      for (const ending of ['tgz', 'sbom.cdx.json']) {
        const file = `loadout-${version}-${name}.${ending}`;
        const lines = await differences(join(out, file), join(second, file));
        found.push(...lines.map((line) => `${file}: ${line}`));
      }
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
