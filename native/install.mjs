/**
 * The package's `install` script. In a clone it compiles the addon, anew each time, since its sources may have changed.
 * A package that `npm pack` made brings its binaries; there it only looks whether they run on this machine, and needs
 * no compiler and no network. The server runs without the addon, but never in silence: the script says so, and so
 * does each start of `loadout serve`. Nothing depends on this script having run (npm can be told to run none).
 */

import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const addon = fileURLToPath(new URL('build/Release/loadout.node', import.meta.url));
const isClone = existsSync(new URL('binding.gyp', import.meta.url));

if (isClone) compile();
else look();

function compile() {
  // A shell, because on Windows node-gyp is a .cmd; npm puts it on the path of its scripts.
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const ran = spawnSync('node-gyp rebuild', { cwd: folder, stdio: 'inherit', shell: true });
  if (ran.status === 0) return;
  // One from before, of other sources, would be taken for the new one.
  rmSync(addon, { force: true });
  tellOfTwins(
    'could not be compiled: the words above say why; native/README.md says what it needs',
  );
}

function look() {
  const faults = [
    faultOf(() => require('uWebSockets.js')),
    faultOf(() => new (require('better-sqlite3'))(':memory:').close()),
    faultOf(() => require('xxhash-addon')),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) {
    const { platform, arch, version, versions } = process;
    console.error(`loadout: this package was packed for another platform or another Node.
It runs on the platform and the major version of Node that it was packed with; here are ${platform}-${arch} and
Node ${version} (ABI ${versions.modules}). Pack one with those: \`npm ci && npm pack\` in a clone.

${faults.join('\n\n')}`);
    process.exitCode = 1;
    return;
  }
  const fault = faultOf(() => require(addon));
  if (fault !== null) tellOfTwins(`does not load: ${fault}`);
}

function faultOf(load) {
  try {
    load();
    return null;
  } catch (fault) {
    return fault.message;
  }
}

function tellOfTwins(why) {
  console.error(`loadout: the native addon ${why}.
loadout: the server will do its work in TypeScript (--native auto): same answers, more CPU. --native on would refuse to start.`);
}
