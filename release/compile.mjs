/**
 * Compiles for a target what npm does not bring: the addon, and SQLite's driver for Node 20. node-gyp does it, which npm puts on
 * the path of its scripts. Nothing of the place or the time of the build is to be in the binaries.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReleaseFailure, run } from './run.mjs';
import { compilerOf, glibcMinorMax, node20Headers } from './targets.mjs';

/** @throws ReleaseFailure which names the Debian packages of a compiler that is missing */
export async function checkCompiler(target) {
  const { cxx } = compilerOf(target);
  try {
    return (await run('.', cxx, ['-dumpfullversion'])).trim();
  } catch (error) {
    throw new ReleaseFailure(
      `${target.name} cannot be compiled here: ${cxx} is missing. \`apt install ${target.packages}\` installs it on Debian; without it, leave the platform out with --platform.\n${error.message}`,
    );
  }
}

/** @returns {Promise<string>} a folder with `include/node` of Node 20; the caller removes it */
export async function fetchNode20Headers() {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-node20-'));
  const flags = ['--silent', '--ignore-scripts', '--pack-destination', folder];
  const name = (await run(folder, 'npm', ['pack', node20Headers.spec, ...flags])).trim();
  const tarball = join(folder, name);
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${digest}` !== node20Headers.integrity) {
    throw new ReleaseFailure(`${node20Headers.spec} is not what release/targets.mjs expects`);
  }
  await run(folder, 'tar', ['-xzf', tarball, '--strip-components=1', 'package/include']);
  rmSync(tarball);
  return folder;
}

/** Into `native/build/Release/loadout.node` of the tree. */
export async function compileAddon(tree, target) {
  const folder = join(tree, 'native');
  // As native/install.mjs: Node-API's headers are in node_modules.
  await gyp({ tree, folder, target, nodedir: join(folder, 'node-dir') }, '--force-process-config');
  checkGlibc(join(folder, 'build/Release/loadout.node'));
}

/** Into `build/Release/better_sqlite3.node` of the module. */
export async function compileSqlite(tree, target, headers) {
  const folder = join(tree, 'node_modules/better-sqlite3-12');
  // SQLite's own makefile compiles with -O2; -O3, which comes with Node's settings, takes much longer.
  await gyp({ tree, folder, target, nodedir: headers, more: ' -O2' }, '--release');
  checkGlibc(join(folder, 'build/Release/better_sqlite3.node'));
}

async function gyp({ tree, folder, target, nodedir, more = '' }, flag) {
  const { cc, cxx, ar } = compilerOf(target);
  const flags = `-ffile-prefix-map=${tree}=.${more}`;
  await run(folder, 'node-gyp', ['rebuild', '--arch', target.arch, flag], {
    ...{ CC: cc, CXX: cxx, AR: ar, LINK: cxx, CFLAGS: flags, CXXFLAGS: flags, CPPFLAGS: '' },
    // Without symbols that only a debugger reads.
    LDFLAGS: '-Wl,--strip-all',
    // node-gyp prefers the variable to its option, and `.ci/run` or an .npmrc may have set it.
    npm_config_nodedir: nodedir,
  });
}

/** A binary that a newer C library was linked into would not load on the oldest supported system. */
function checkGlibc(path) {
  const names = readFileSync(path, 'latin1').matchAll(/GLIBC_2\.(\d+)/g);
  const newest = Math.max(...[...names].map(([, minor]) => Number(minor)));
  if (newest > glibcMinorMax) {
    throw new ReleaseFailure(
      `${path} needs glibc 2.${newest}; build releases on a system with glibc 2.${glibcMinorMax} or older, such as Debian 12`,
    );
  }
}
