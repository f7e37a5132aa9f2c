/**
 * Around `npm pack`: what goes into the package beside `dist`. All modules that run are bundled, so that whoever installs
 * it fetches nothing. Of a bundled module npm takes what its package.json lists; for those with binaries that is C
 * sources and every platform but not what was built here, and an install script, to download or to compile, which npm
 * would run. So while it packs, their package.json say what runs on this platform, and no script.
 * `narrow` does it, `restore` undoes it. Files are replaced as a whole, so programs that run meanwhile are not
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
const { platform, arch, versions } = process;

/** One package for each major version of Node whose SQLite driver needs no compiler (D52); else for the one that packs. */
const isNodeApi10 = Number(versions.napi) >= 10;
const nodeAbis = isNodeApi10 ? ['127', '137'] : [versions.modules];

/** The package that has DuckDB's binary for this machine; null: there is none, and the server analyses no events (D97). */
const duckdbBinary =
  [`${platform}-${arch}`, `${platform}-${arch}-musl`]
    .map((target) => `@duckdb/node-bindings-${target}`)
    .find((name) => existsSync(folderOf(name))) ?? null;
const library = /\.(node|so|dylib|dll)$/;

/** What is only there to compile: sources, headers, a driver for another Node. */
const nothing = () => ({ files: [], dependencies: [] });

/** What each needs when it runs here; its licence and package.json go along by themselves. */
const modules = {
  '@duckdb/node-api': () => ({ files: ['lib/**/*.js'], dependencies: ['@duckdb/node-bindings'] }),
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
    isNodeApi10
      ? { files: ['lib', relative(folder, prebuiltOf(folder))], dependencies: [] }
      : nothing(),
  'better-sqlite3-12': () =>
    isNodeApi10
      ? nothing()
      : { files: ['lib', 'build/Release/better_sqlite3.node'], dependencies: ['bindings'] },
  'node-api-headers': nothing,
  simdjson: nothing,
  '@btc-vision/uwebsockets.js': () => ({
    files: ['uws.js', ...nodeAbis.map((abi) => `uws_${platform}_${arch}_${abi}.node`)],
    dependencies: [],
  }),
  'xxhash-addon': (folder) => ({
    files: ['xxhash-addon.js', relative(folder, require('node-gyp-build').resolve(folder))],
    dependencies: ['node-gyp-build'],
  }),
};

/** Of better-sqlite3, where npm put it; its own way to find it is not exported. */
function prebuiltOf(folder) {
  const path = require(join(folder, 'lib/binding.js')).getPrebuildPath();
  if (path === null) throw new Error('better-sqlite3 has no binary for this platform');
  return path;
}

function narrow() {
  // Before the manifests are narrowed: what they name is listed, with its versions.
  replace(join(root, 'THIRD-PARTY-NOTICES'), notices());
  replace(join(root, 'sbom.cdx.json'), billOfMaterials(binaries()));
  const own = originalOf('.');
  const optional = Object.fromEntries(
    Object.entries(own.optionalDependencies).filter(([name]) => runsHere(name)),
  );
  write('.', {
    ...own,
    optionalDependencies: optional,
    // Only while it packs: npm does not apply `overrides` to what a project bundles, and `npm ci` of a project that has both
    // does not come to an end (npm 11.19).
    bundleDependencies: [...Object.keys(own.dependencies), ...Object.keys(optional)],
  });
  for (const [name, partsOf] of Object.entries(modules)) {
    if (!existsSync(folderOf(name))) continue;
    const { files, dependencies } = partsOf(folderOf(name));
    for (const file of files) if (!file.includes('*')) statSync(join(folderOf(name), file));
    const { scripts: _, ...kept } = originalOf(name);
    const all = { ...kept.optionalDependencies, ...kept.dependencies };
    const wanted = Object.entries(all).filter(([dependency]) => dependencies.includes(dependency));
    write(name, {
      ...{ ...kept, files, dependencies: Object.fromEntries(wanted) },
      ...{ optionalDependencies: {}, gypfile: false },
    });
  }
  replace(join(root, 'native/build/Release/LICENSES'), licencesOfAddon());
}

/** Whether an optional dependency is of use to this version of Node and on this machine. */
function runsHere(name) {
  return name === 'better-sqlite3-12' ? !isNodeApi10 : duckdbBinary !== null;
}

/** Paths of the compiled files that go along. */
function binaries() {
  const ofModules = Object.entries(modules).flatMap(([name, partsOf]) => {
    if (!existsSync(folderOf(name))) return [];
    const { files } = partsOf(folderOf(name));
    return files.map((file) => `node_modules/${name}/${file}`);
  });
  const others = packagesInside().filter(
    (one) =>
      one.in.includes('node_modules') &&
      modules[one.folder.replace('node_modules/', '')] === undefined,
  );
  const ofOthers = others.flatMap(({ folder }) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  const all = [...ofModules, ...ofOthers, 'native/build/Release/loadout.node'];
  return all.filter((path) => library.test(path) && existsSync(join(root, path)));
}

function restore() {
  for (const made of ['THIRD-PARTY-NOTICES', 'sbom.cdx.json'])
    rmSync(join(root, made), { force: true });
  for (const name of ['.', ...Object.keys(modules)]) {
    const { manifest, whole } = placesOf(name);
    if (existsSync(whole)) renameSync(whole, manifest);
  }
}

/** The manifest of a module, or of the package itself ('.'), as it was before any narrowing. */
function originalOf(name) {
  const { manifest, whole } = placesOf(name);
  return JSON.parse(readFileSync(existsSync(whole) ? whole : manifest, 'utf8'));
}

function write(name, narrowed) {
  const { manifest, whole } = placesOf(name);
  if (!existsSync(whole)) replace(whole, readFileSync(manifest, 'utf8'));
  replace(manifest, `${JSON.stringify(narrowed, null, 2)}\n`);
}

/** Those of the libraries whose code is in the addon: both ask to be named wherever the binary goes. */
function licencesOfAddon() {
  const simdjson = readFileSync(join(root, 'node_modules/simdjson/LICENSE'), 'utf8');
  return `loadout.node holds parts of simdjson (https://simdjson.org), under this licence:\n\n${simdjson}
It holds parts of xxHash (https://xxhash.com), under this licence:\n\n${xxhashLicence()}\n`;
}

function folderOf(name) {
  return name === '.' ? root : join(root, 'node_modules', name);
}

function placesOf(name) {
  const manifest = join(folderOf(name), 'package.json');
  return { manifest, whole: `${manifest}.whole` };
}

function replace(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const [, , act] = process.argv;
if (act === 'narrow') {
  try {
    narrow();
  } catch (error) {
    restore();
    throw error;
  }
} else if (act === 'restore') restore();
else throw new Error('usage: node native/pack-modules.mjs narrow|restore');
