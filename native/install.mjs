/**
 * The package's `install` script. In a clone it compiles the addon each time, since its sources may have changed, and on Node
 * 20 the SQLite driver (D52). A package that `npm pack` made brings its binaries; there it only looks whether they run on
 * this machine, and needs no compiler and no network. The server runs without the addon, but never in silence: the script
 * says so, and so does each start of `loadout serve`. Nothing depends on this script having run, Node 20 aside.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const addon = fileURLToPath(new URL('build/Release/loadout.node', import.meta.url));
const isClone = existsSync(new URL('binding.gyp', import.meta.url));
const isNodeApi10 = Number(process.versions.napi) >= 10;
/** Of Node 20, 22 and 24. */
const supportedAbi = /_(?:115|127|137)\./;
const nameSeparator = /[-_.]/;
const sources = /^(?:deps|src|build\/(?!Release\/better_sqlite3\.node$))/;
/** What only a compiler reads, and what it leaves beside the binary. */
const isSource = (file) => sources.test(file);

if (isClone) {
  compileAddon();
  if (isNodeApi10 || compileSqlite()) removeOf('better-sqlite3-12', isSource);
  removeOf('better-sqlite3', (file) => isSource(file) || isForeign(file, 'prebuilds/'));
  removeOf('@btc-vision/uwebsockets.js', isForeignFrontEnd);
} else await look();

function compileAddon() {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  // Node-API's headers are in node_modules; on Windows node-gyp has to fetch a library of Node's to link to.
  const headers =
    process.platform === 'win32' ? '' : ' --nodedir="$PWD/node-dir" --force-process-config';
  if (runs(`node-gyp rebuild${headers}`, folder)) return;
  // One from before, of other sources, would be taken for the new one.
  rmSync(addon, { force: true });
  reportTwins(
    'could not be compiled: the words above say why; native/README.md says what it needs',
  );
}

/**
 * What the driver's own script does, which npm does not run: Node 22 and newer need nothing of it.
 * @returns {boolean} whether the driver is there
 */
function compileSqlite() {
  const folder = dirname(require.resolve('better-sqlite3-12/package.json'));
  if (existsSync(`${folder}/build/Release/better_sqlite3.node`)) return true;
  if (runs('prebuild-install || node-gyp rebuild --release', folder)) return true;
  console.error(`loadout: on Node 20 the SQLite driver has to be compiled, which failed: the words above say why.
loadout: install a C++ compiler, make and Python 3, or use Node 24 or 22, which need none of them.`);
  process.exitCode = 1;
  return false;
}

/** Of the binaries that a module brings, those which another platform loads; they are called after it. */
function isForeign(file, prefix) {
  if (!file.startsWith(prefix) || !file.endsWith('.node')) return false;
  const [platform, arch] = file.slice(prefix.length).split(nameSeparator);
  return arch !== process.arch || ![process.platform, `${process.platform}musl`].includes(platform);
}

/** Of the front end's binaries, those of other platforms and of versions of Node that are not supported. */
function isForeignFrontEnd(file) {
  return isForeign(file, 'uws_') || (file.startsWith('uws_') && !supportedAbi.test(file));
}

/** Modules that bring binaries for every platform have 160 MB of what never loads on this one (D120). */
function removeOf(name, isUnneeded) {
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  // An optional one may have been left out.
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && isUnneeded(file)) rmSync(join(folder, file));
  }
}

/** A shell, because on Windows node-gyp is a .cmd; npm puts it on the path of its scripts. */
function runs(command, folder) {
  return spawnSync(command, { cwd: folder, stdio: 'inherit', shell: true }).status === 0;
}

async function look() {
  const problems = [];
  for (const load of [
    async () => (await import('../dist/load-uws.js')).loadUws(),
    () => import('../dist/sqlite-driver.js'),
    () => require('xxhash-addon'),
  ]) {
    const problem = await problemOf(load);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) {
    const { platform, arch, version, versions } = process;
    console.error(`loadout: this package was packed for another platform or another Node.
It runs on the platform and the major version of Node that it was packed with; here are ${platform}-${arch} and
Node ${version} (ABI ${versions.modules}). Pack one with those: \`npm ci && npm pack\` in a clone.

${problems.join('\n\n')}`);
    process.exitCode = 1;
    return;
  }
  const problem = await problemOf(() => require(addon));
  if (problem !== null) reportTwins(`does not load: ${problem}`);
}

async function problemOf(load) {
  try {
    await load();
    return null;
  } catch (error) {
    return error.message;
  }
}

function reportTwins(why) {
  console.error(`loadout: the native addon ${why}.
loadout: the server will work in TypeScript (--native auto): same responses, more CPU. --native on would refuse to start.`);
}
