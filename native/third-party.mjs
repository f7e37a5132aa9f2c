/**
 * What the package says of others' work in it, made while it is packed: `THIRD-PARTY-NOTICES` with every licence, and
 * `sbom.cdx.json`, a bill of materials (CycloneDX). Neither has a time or a random number in it: the same sources make the
 * same files.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tablerVersion } from '../src/console/icons/make-icons.mjs';
import { listOf } from './bundled-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const frontEndName = '@btc-vision/uwebsockets.js';
const frontEnd = `node_modules/${frontEndName}`;
const addon = 'native/build/Release/loadout.node';
const sha512Integrity = /^sha512-(.+)$/;
const ownerFolder = /^(node_modules\/(?:@[^/]+\/)?[^/]+)/;
const afterName = / *[<(].*$/;
const licenceFile = /^(?:licen[cs]e|copying|notice)/i;
const scopeSign = /^@/;
const spdxJoin = / (?:OR|AND|WITH) /;
const uuidParts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Whose drawings are among the console's sources. */
const icons = {
  folder: 'src/console/icons',
  name: '@tabler/icons',
  version: tablerVersion,
  licence: 'MIT',
  author: 'Paweł Kuna',
  integrity: '',
  in: ['dist (console)'],
};

/** What is compiled into the front end, whose package says nothing of it: found by the names in the binary. */
const insideFrontEnd = [
  {
    name: 'uWebSockets.js',
    licence: 'Apache-2.0',
    copyright: '2018 Alex Hultman and contributors',
  },
  { name: 'uWebSockets', licence: 'Apache-2.0', copyright: '2018 Alex Hultman and contributors' },
  { name: 'uSockets', licence: 'Apache-2.0', copyright: '2018 Alex Hultman and contributors' },
  {
    name: 'BoringSSL',
    licence: 'Apache-2.0',
    copyright: 'The OpenSSL Project Authors, The BoringSSL Authors',
  },
  { name: 'fiat-crypto', licence: 'Apache-2.0', copyright: '2015-2020 the fiat-crypto authors' },
  { name: 'lsquic', licence: 'MIT', file: 'native/licences/lsquic.txt' },
  { name: 'ls-qpack', licence: 'MIT', file: 'native/licences/lsquic.txt' },
  { name: 'ls-hpack', licence: 'MIT', file: 'native/licences/lsquic.txt' },
  { name: 'xxHash', licence: 'BSD-2-Clause', text: xxhashLicence },
];

/** What is compiled into DuckDB's library, by the licences of its sources; their texts are in native/licences/duckdb.txt. */
const insideDuckdb = [
  ...['Brotli', 'fast_float', 'fmt', 'FSST', 'cpp-httplib', 'HyperLogLog', 'jaro_winkler'],
  ...['miniz', 'PCG', 'SkipList', 'utf8proc', 'vergesort', 'yyjson'],
]
  .map((name) => ({ name, licence: 'MIT' }))
  .concat(
    ['FastPFOR', 'Mbed TLS', 'Apache Parquet', 'Apache Thrift', 't-digest'].map((name) => ({
      name,
      licence: 'Apache-2.0',
    })),
    ['RE2', 'Snappy', 'Zstandard'].map((name) => ({ name, licence: 'BSD-3-Clause' })),
    ['ConcurrentQueue', 'jemalloc', 'LZ4'].map((name) => ({ name, licence: 'BSD-2-Clause' })),
    { name: 'pdqsort', licence: 'Zlib' },
    { name: 'ska_sort', licence: 'BSL-1.0' },
    { name: 'ICU', licence: 'ICU' },
  );

/**
 * @param {string} tree what is packed; modules that only the bundles hold are read in the clone
 * @returns {readonly { folder: string, name: string, version: string, licence: string, integrity: string, in: string[] }[]}
 */
export function packagesInside(tree) {
  const lock = JSON.parse(read('package-lock.json')).packages;
  const inside = new Map();
  const add = (folder, place) => {
    const known = inside.get(folder);
    if (known !== undefined) known.in.push(place);
    else inside.set(folder, { ...packageAt(tree, folder, lock[folder]), in: [place] });
  };
  for (const bundle of ['server', 'console']) {
    for (const folder of JSON.parse(readFileSync(listOf(bundle), 'utf8'))) {
      if (lock[folder] !== undefined) add(folder, `dist (${bundle})`);
    }
  }
  for (const [folder, { dev, link }] of Object.entries(lock)) {
    if (folder !== '' && dev !== true && link !== true && existsSync(join(tree, folder))) {
      add(folder, 'node_modules');
    }
  }
  return [...inside.values(), icons].sort(
    (a, b) => compare(a.name, b.name) || compare(a.folder, b.folder),
  );
}

/** The text of THIRD-PARTY-NOTICES. */
export function notices(tree) {
  const sections = packagesInside(tree).map((one) => ({
    title: `${one.name} ${one.version} (${one.licence})`,
    about: `In ${one.in.join(' and ')}.`,
    text: licenceTexts(tree, one),
  }));
  const { version } = JSON.parse(read(`${frontEnd}/package.json`));
  for (const { name, licence, copyright, file, text } of insideFrontEnd) {
    const words = file === undefined ? (text?.() ?? apache(copyright)) : read(file);
    sections.push({
      title: `${name} (${licence})`,
      about: `Compiled into the front end, the binaries of ${frontEndName} ${version}.`,
      text: words,
    });
  }
  sections.push({
    title: 'simdjson (Apache-2.0)',
    about: `Compiled into ${addon}.`,
    text: read('node_modules/simdjson/LICENSE'),
  });
  sections.push({
    title: 'xxHash (BSD-2-Clause)',
    about: `Compiled into ${addon} and into xxhash-addon.`,
    text: xxhashLicence(),
  });
  sections.push({
    title: 'Libraries inside DuckDB',
    about: `Compiled into the library of @duckdb/node-bindings: ${insideDuckdb.map(({ name, licence }) => `${name} (${licence})`).join(', ')}. Those under Apache-2.0 are under the licence of Loadout, at the beginning of this package's LICENSE.`,
    text: read('native/licences/duckdb.txt'),
  });
  const line = '='.repeat(80);
  const body = sections.map(
    ({ title, about, text }) => `${line}\n${title}\n${about}\n\n${text.trim()}\n`,
  );
  return `Loadout holds work of others, each under the licence that follows its name.\n\n${body.join('\n')}`;
}

/**
 * The bill of materials: what npm says of the runtime dependencies, and what it cannot know of: what the console's bundle
 * holds, and what is compiled into the binaries.
 * @param {string} tree what is packed
 * @param {readonly string[]} binaries paths of the compiled files in it that are packed
 */
export function billOfMaterials(tree, binaries) {
  const bill = npmBill(tree);
  const { name, version } = JSON.parse(read('package.json'));
  const own = bill.metadata.component;
  const known = new Set(bill.components.map(({ purl }) => purl));
  const added = [];
  for (const one of packagesInside(tree)) {
    const part = componentOf(one);
    if (!known.has(part.purl)) added.push(part);
  }
  for (const path of binaries) added.push(binaryOf(tree, path, version));
  const parts = [...bill.components.map(withPlaces(tree)), ...added].sort(byRef);
  const root = bill.dependencies.find(({ ref }) => ref === own['bom-ref']);
  root.dependsOn = [
    ...new Set([...root.dependsOn, ...added.map((part) => part['bom-ref'])]),
  ].sort();
  for (const part of added) bill.dependencies.push({ ref: part['bom-ref'], dependsOn: [] });
  bill.dependencies.sort((a, b) => compare(a.ref, b.ref));
  const { timestamp: _, ...metadata } = bill.metadata;
  const made = {
    ...bill,
    metadata: { ...metadata, component: { ...own, type: 'application', name } },
    components: parts,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...made, serialNumber: '' }))
    .digest('hex');
  return `${JSON.stringify({ ...made, serialNumber: serialOf(digest) }, null, 2)}\n`;
}

function npmBill(tree) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  // A shell: on Windows npm is a .cmd.
  const made = spawnSync('npm', args, { cwd: tree, shell: true, maxBuffer: 64 * 1024 * 1024 });
  if (made.status !== 0) throw new Error(`npm sbom: ${made.stderr}`);
  return JSON.parse(made.stdout.toString());
}

/** Adds where in the package a component is. */
function withPlaces(tree) {
  const places = new Map(packagesInside(tree).map((one) => [purlOf(one), one.in]));
  return (component) => {
    const found = places.get(component.purl);
    if (found === undefined) return component;
    return { ...component, properties: [...(component.properties ?? []), ...propertiesOf(found)] };
  };
}

function componentOf(one) {
  const sha512 = sha512Integrity.exec(one.integrity)?.[1];
  return {
    'bom-ref': `${one.name}@${one.version}`,
    type: 'library',
    name: one.name,
    version: one.version,
    scope: 'required',
    purl: purlOf(one),
    properties: propertiesOf(one.in),
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: licensesOf(one.licence),
  };
}

/** A compiled file, with what is inside. */
function binaryOf(tree, path, ownVersion) {
  const isFrontEnd = path.startsWith(frontEnd);
  const owner = ownerFolder.exec(path)?.[1];
  const manifest = owner === undefined ? null : JSON.parse(readIn(tree, `${owner}/package.json`));
  const inside = isFrontEnd ? insideFrontEnd : insideOf(path);
  const ref = `file:${path}`;
  return {
    'bom-ref': ref,
    type: 'file',
    name: basename(path),
    version: manifest?.version ?? ownVersion,
    hashes: [
      {
        alg: 'SHA-256',
        content: createHash('sha256')
          .update(readFileSync(join(tree, path)))
          .digest('hex'),
      },
    ],
    licenses: licensesOf(manifest?.license ?? 'Apache-2.0'),
    properties: [{ name: 'loadout:path', value: path }],
    ...(inside.length === 0
      ? {}
      : {
          components: inside.map(({ name, licence, version }) => ({
            'bom-ref': `${ref}#${name}`,
            type: 'library',
            name,
            ...(version === undefined ? {} : { version }),
            licenses: licensesOf(licence),
          })),
        }),
  };
}

/** What is compiled into a binary that is not the front end's. */
function insideOf(path) {
  if (path.includes('better-sqlite3')) return [{ name: 'SQLite', licence: 'blessing' }];
  if (path.includes('libduckdb')) return insideDuckdb;
  if (path.includes('xxhash-addon')) return [{ name: 'xxHash', licence: 'BSD-2-Clause' }];
  if (path !== addon) return [];
  const { version } = JSON.parse(read('node_modules/simdjson/package.json'));
  return [
    { name: 'simdjson', licence: 'Apache-2.0', version },
    { name: 'xxHash', licence: 'BSD-2-Clause' },
  ];
}

function packageAt(tree, folder, locked) {
  const { name, version, license, author } = JSON.parse(readIn(tree, `${folder}/package.json`));
  const by = typeof author === 'object' ? author.name : author?.replace(afterName, '');
  return {
    ...{ folder, name, version, author: by ?? `the contributors of ${name}` },
    licence: typeof license === 'string' ? license : (locked?.license ?? 'NOASSERTION'),
    integrity: locked?.integrity ?? '',
  };
}

/** The texts that the package brings; else the licence that its manifest names. */
function licenceTexts(tree, { folder, licence, author, name }) {
  const files = readdirSync(placeOf(tree, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map((entry) => readIn(tree, `${folder}/${entry.name}`));
  if (files.length > 0) return files.join('\n\n');
  if (licence === 'Apache-2.0') return apache(author);
  const standard = `native/licences/${licence}.txt`;
  if (existsSync(join(root, standard))) return read(standard).replace('AUTHOR', author);
  throw new Error(`${name} has no licence text, and native/licences/ has none of ${licence}`);
}

/** Loadout's own licence is the same. */
function apache(copyright) {
  return `Copyright ${copyright}\n\n${read('LICENSE')}`;
}

/** Of the library inside: its header has it. */
export function xxhashLicence() {
  const header = read('node_modules/xxhash-addon/xxHash/xxhash.h');
  return header.slice(0, header.indexOf('*/') + 2);
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(scopeSign, '%40')}@${version}`;
}

function propertiesOf(places) {
  return places.map((value) => ({ name: 'loadout:in', value }));
}

/** An identifier of SPDX, or an expression of several. */
function licensesOf(licence) {
  if (licence === 'NOASSERTION') return [];
  return spdxJoin.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** A UUID of the content: version 8, which leaves the rest to whoever makes it. */
function serialOf(digest) {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`;
  return `urn:uuid:${hex.replace(uuidParts, '$1-$2-$3-$4-$5')}`;
}

function byRef(a, b) {
  return compare(a['bom-ref'], b['bom-ref']);
}

/** By code points, whatever the language of the machine. */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where a module is: what only the bundles hold is not among the modules that are packed. */
function placeOf(tree, path) {
  const packed = join(tree, path);
  return existsSync(packed) ? packed : join(root, path);
}

function readIn(tree, path) {
  return readFileSync(placeOf(tree, path), 'utf8');
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
