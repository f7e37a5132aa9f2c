/**
 * Around `npm pack`: what goes into the package beside `dist`. All modules that run are bundled, so that whoever installs
 * it fetches nothing. Of a bundled module npm takes what its package.json lists; for those with binaries that is C
 * sources and every platform but not what was built here, and an install script, to download or to compile, which npm
 * would run. So while it packs, their package.json say what runs on the platform, and no script.
 * `narrow` does it, `restore` undoes it: by hand in the clone, for this machine; release/ does it in a tree of its own for each
 * platform. Files are replaced as a whole, so programs that run meanwhile are not
 * disturbed, and a `narrow` after an interrupted one starts from the originals.
 */

import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials, notices, packagesInside, xxhashLicence } from './third-party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const { versions } = process;

/**
 * What a package is for.
 * @typedef {object} Pack
 * @property {string} tree folder that has package.json, dist and node_modules
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {readonly string[]} abis `process.versions.modules` of the versions of Node that it runs on
 * @property {boolean} isHere whether that is this machine; otherwise it is Linux with glibc
 */

/** By hand: this machine, and each Node whose SQLite driver needs no compiler (D52), else the one that packs. */
const here = {
  ...{ tree: root, platform: process.platform, arch: process.arch, isHere: true },
  abis: Number(versions.napi) >= 10 ? ['127', '137'] : [versions.modules],
};

/** The last ABI before Node-API 10: Node 20, whose SQLite driver is compiled. */
const abiOfNode20 = '115';
const needsNodeApi10 = ({ abis }) => abis.some((abi) => abi !== abiOfNode20);
const needsNode20 = ({ abis }) => abis.includes(abiOfNode20);

/** The package that has DuckDB's binary for the platform; null: there is none, and the server analyses no events (D97). */
function duckdbBinaryOf({ tree, platform, arch }) {
  const names = [`${platform}-${arch}`, `${platform}-${arch}-musl`];
  return (
    names
      .map((target) => `@duckdb/node-bindings-${target}`)
      .find((name) => existsSync(folderOf(tree, name))) ?? null
  );
}

const library = /\.(node|so|dylib|dll)$/;

/** What is only there to compile: sources, headers, a driver for another Node. */
const nothing = () => ({ files: [], dependencies: [] });

/** What each needs when it runs; its licence and package.json go along by themselves. */
function modulesOf(pack) {
  const { platform, arch, abis } = pack;
  const duckdbBinary = duckdbBinaryOf(pack);
  return {
    '@duckdb/node-api': () => ({
      files: ['lib/**/*.js'],
      dependencies: ['@duckdb/node-bindings'],
    }),
    '@duckdb/node-bindings': () => ({
      files: ['duckdb.js'],
      dependencies: ['detect-libc', duckdbBinary],
    }),
    ...(duckdbBinary === null
      ? {}
      : {
          [duckdbBinary]: (folder) => ({
            files: readdirSync(folder).filter((file) => library.test(file)),
            dependencies: [],
          }),
        }),
    'better-sqlite3': (folder) =>
      needsNodeApi10(pack)
        ? { files: ['lib', sqlitePrebuilt(folder, pack)], dependencies: [] }
        : nothing(),
    'better-sqlite3-12': () =>
      needsNode20(pack)
        ? { files: ['lib', 'build/Release/better_sqlite3.node'], dependencies: ['bindings'] }
        : nothing(),
    'node-api-headers': nothing,
    simdjson: nothing,
    '@btc-vision/uwebsockets.js': () => ({
      files: ['uws.js', ...abis.map((abi) => `uws_${platform}_${arch}_${abi}.node`)],
      dependencies: [],
    }),
    'xxhash-addon': (folder) => ({
      files: ['xxhash-addon.js', xxhashPrebuilt(folder, pack)],
      dependencies: ['node-gyp-build'],
    }),
  };
}

/** The binary that better-sqlite3 brings; its own way to find it is not exported. */
function sqlitePrebuilt(folder, { platform, arch, isHere }) {
  if (!isHere) return `prebuilds/${platform}-${arch}.node`;
  const path = require(join(folder, 'lib/binding.js')).getPrebuildPath();
  if (path === null) throw new Error('better-sqlite3 has no binary for this platform');
  return relative(folder, path);
}

function xxhashPrebuilt(folder, { platform, arch, isHere }) {
  if (!isHere) return `prebuilds/${platform}-${arch}/addon.napi.glibc.node`;
  return relative(folder, require('node-gyp-build').resolve(folder));
}

/**
 * Writes the manifests, notices and bill of materials that `npm pack` is to find in the tree.
 * @param {Pack} pack
 * @throws if a binary that the package needs is missing
 */
export function narrow(pack) {
  const { tree } = pack;
  const modules = modulesOf(pack);
  // Before the manifests are narrowed: what they name is listed, with its versions.
  replace(join(tree, 'THIRD-PARTY-NOTICES'), notices(tree));
  replace(join(tree, 'sbom.cdx.json'), billOfMaterials(tree, binaries(tree, modules)));
  const own = originalOf(tree, '.');
  const optional = Object.fromEntries(
    Object.entries(own.optionalDependencies).filter(([name]) => isOfUse(name, pack)),
  );
  write(tree, '.', {
    ...own,
    optionalDependencies: optional,
    // Only while it packs: npm does not apply `overrides` to what a project bundles, and `npm ci` of a project that has both
    // does not come to an end (npm 11.19).
    bundleDependencies: [...Object.keys(own.dependencies), ...Object.keys(optional)],
  });
  for (const [name, partsOf] of Object.entries(modules)) {
    const folder = folderOf(tree, name);
    if (!existsSync(folder)) continue;
    const { files, dependencies } = partsOf(folder);
    for (const file of files) if (!file.includes('*')) statSync(join(folder, file));
    const { scripts: _, ...kept } = originalOf(tree, name);
    const all = { ...kept.optionalDependencies, ...kept.dependencies };
    const wanted = Object.entries(all).filter(([dependency]) => dependencies.includes(dependency));
    write(tree, name, {
      ...{ ...kept, files, dependencies: Object.fromEntries(wanted) },
      ...{ optionalDependencies: {}, gypfile: false },
    });
  }
  replace(join(tree, 'native/build/Release/LICENSES'), licencesOfAddon());
}

/** Whether an optional dependency is of use to the versions of Node and on the platform. */
function isOfUse(name, pack) {
  return name === 'better-sqlite3-12' ? needsNode20(pack) : duckdbBinaryOf(pack) !== null;
}

/** Paths of the compiled files that go along. */
function binaries(tree, modules) {
  const ofModules = Object.entries(modules).flatMap(([name, partsOf]) => {
    if (!existsSync(folderOf(tree, name))) return [];
    const { files } = partsOf(folderOf(tree, name));
    return files.map((file) => `node_modules/${name}/${file}`);
  });
  const others = packagesInside(tree).filter(
    (one) =>
      one.in.includes('node_modules') &&
      modules[one.folder.replace('node_modules/', '')] === undefined,
  );
  const ofOthers = others.flatMap(({ folder }) =>
    readdirSync(join(tree, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  const all = [...ofModules, ...ofOthers, 'native/build/Release/loadout.node'];
  return all.filter((path) => library.test(path) && existsSync(join(tree, path)));
}

/** Undoes `narrow`; harmless where there was none. */
function restore(pack) {
  for (const made of ['THIRD-PARTY-NOTICES', 'sbom.cdx.json'])
    rmSync(join(pack.tree, made), { force: true });
  for (const name of ['.', ...Object.keys(modulesOf(pack))]) {
    const { manifest, whole } = placesOf(pack.tree, name);
    if (existsSync(whole)) renameSync(whole, manifest);
  }
}

/** The manifest of a module, or of the package itself ('.'), as it was before any narrowing. */
function originalOf(tree, name) {
  const { manifest, whole } = placesOf(tree, name);
  return JSON.parse(readFileSync(existsSync(whole) ? whole : manifest, 'utf8'));
}

function write(tree, name, narrowed) {
  const { manifest, whole } = placesOf(tree, name);
  if (!existsSync(whole)) replace(whole, readFileSync(manifest, 'utf8'));
  replace(manifest, `${JSON.stringify(narrowed, null, 2)}\n`);
}

/** Those of the libraries whose code is in the addon: both ask to be named wherever the binary goes. */
function licencesOfAddon() {
  const simdjson = readFileSync(join(root, 'node_modules/simdjson/LICENSE'), 'utf8');
  return `loadout.node holds parts of simdjson (https://simdjson.org), under this licence:\n\n${simdjson}
It holds parts of xxHash (https://xxhash.com), under this licence:\n\n${xxhashLicence()}\n`;
}

function folderOf(tree, name) {
  return name === '.' ? tree : join(tree, 'node_modules', name);
}

function placesOf(tree, name) {
  const manifest = join(folderOf(tree, name), 'package.json');
  return { manifest, whole: `${manifest}.whole` };
}

function replace(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , act] = process.argv;
  if (act === 'narrow') {
    try {
      narrow(here);
    } catch (error) {
      restore(here);
      throw error;
    }
  } else if (act === 'restore') restore(here);
  else throw new Error('usage: node native/pack-modules.mjs narrow|restore');
}
