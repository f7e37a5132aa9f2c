/**
 * Makes the artefact of a platform, in a tree of its own below build/: the clone's `dist` and documents, the runtime modules
 * that the lock file names for that platform, and what is compiled for it. The clone's node_modules stay as they are.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { narrow } from '../native/pack-modules.mjs';
import { compileAddon, compileSqlite } from './compile.mjs';
import { run } from './run.mjs';
import { abis } from './targets.mjs';

const root = resolve(import.meta.dirname, '..');

/** Of the clone: what `files` of package.json names, what npm adds by itself, and the sources of the addon. */
const copied = [
  'dist',
  'deploy/grafana',
  'deploy/prometheus',
  'docs',
  'src/systemd',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
]
  .concat(['SECURITY.md', 'package.json', 'package-lock.json'])
  .concat(['binding.gyp', 'install.mjs', 'node-dir', 'src'].map((name) => `native/${name}`));

/** Modules and compiled files; needs nothing that the clone's build makes. */
export async function prepareTree(target, headers, say) {
  const tree = join(root, 'build/release', target.name);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'native'), { recursive: true });
  for (const path of copied.filter((name) => name !== 'dist')) copy(tree, path);
  const platform = ['--os', target.platform, '--cpu', target.arch, '--libc', 'glibc'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run(tree, 'npm', ['ci', '--omit=dev', '--prefer-offline', ...platform, ...quiet]);
  say(`${target.name}: modules installed from the lock file`);
  await compileAddon(tree, target);
  say(`${target.name}: addon compiled`);
  await compileSqlite(tree, target, headers);
  say(`${target.name}: SQLite for Node 20 compiled`);
  return tree;
}

/**
 * @param {string} out folder of the artefacts
 * @returns {Promise<string[]>} names of the files that it made there
 */
export async function packTree(tree, target, out) {
  copy(tree, 'dist');
  const manifest = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
  // Of no use to who installs it, and missing from the tree.
  const { devDependencies: _, ...kept } = manifest;
  writeFileSync(join(tree, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
  const { platform, arch } = target;
  narrow({ tree, platform, arch, abis, isHere: false });
  setModes(tree);
  const flags = ['--silent', '--ignore-scripts', '--pack-destination', out];
  const made = (await run(tree, 'npm', ['pack', ...flags])).trim();
  const name = `loadout-${manifest.version}-${target.name}`;
  renameSync(join(out, made), join(out, `${name}.tgz`));
  copyFileSync(join(tree, 'sbom.cdx.json'), join(out, `${name}.sbom.cdx.json`));
  return [`${name}.tgz`, `${name}.sbom.cdx.json`];
}

function copy(tree, path) {
  cpSync(join(root, path), join(tree, path), { recursive: true });
}

/** npm packs the modes of files, which depend on the umask of who cloned. */
function setModes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
