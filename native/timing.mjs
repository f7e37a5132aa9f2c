/**
 * What the addon takes beside the obvious alternatives, as medians of interleaved rounds whose order is reversed every
 * time. Run after `npm run build`: node native/timing.mjs [rounds] [dist folder]
 */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const rounds = Number(process.argv[2] ?? 41);
const dist = resolve(process.argv[3] ?? 'dist');
const load = (file) => import(pathToFileURL(`${dist}/${file}`).href);
const { loadAddon } = await load('native/addon.js');
const { NativeContent } = await load('native/native-content.js');
const { stripJsonc } = await load('content/json/jsonc.js');
const { indexDocument } = await load('content/json/document.js');
const { quoteJson } = await load('content/json/quote.js');
const { splice } = await load('content/mutation/splice.js');

const native = new NativeContent(loadAddon());
const levelsMax = 1_000;

// A seeded generator: the same seed, the same documents.
let seed = 12345;
const random = () => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed / 0x7fffffff;
};
const int = (below) => Math.floor(random() * below);
const words = 'sword shield potion dragon castle gold ruby arena quest daily reward bonus level boss hero'.split(' ');
const word = () => words[int(words.length)];

function item(id) {
  return {
    id: `${word()}_${word()}_${id}`,
    name: `${word()} of ${word()}`,
    price: int(5000),
    rarity: ['common', 'rare', 'epic', 'legendary'][int(4)],
    weight: Number((random() * 10).toFixed(2)),
    enabled: random() < 0.8,
    tags: [word(), word()],
    bonus: random() < 0.3 ? null : { kind: word(), amount: int(100), factor: 1 + int(10) / 10 },
  };
}

/** A shop of sections of twenty items, of about that many bytes when minified. */
function shop(bytes) {
  const sections = {};
  let size = 0;
  for (let section = 0; size < bytes; section++) {
    const items = Array.from({ length: 20 }, (_, i) => item(20 * section + i));
    size += JSON.stringify(items).length + 60;
    sections[`${word()}_${section}`] = { title: `Section ${section}`, version: section, items };
  }
  return { version: 3, name: 'economy', sections };
}

function commented(value) {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines
    .map((line, i) => {
      if (i % 7 === 0) return `${line} // ${word()} ${word()} explains "this" line {${i}}`;
      return i % 31 === 0 ? `/* ${word()} */${line}` : line;
    })
    .join('\n');
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** Microseconds per call of each contender. */
function measure(contenders) {
  const names = Object.keys(contenders);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const repeats = {};
  for (const name of names) {
    const start = performance.now();
    let calls = 0;
    while (performance.now() - start < 40) {
      contenders[name]();
      calls++;
    }
    repeats[name] = Math.max(1, Math.round(calls / 8));
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const start = performance.now();
      for (let i = 0; i < repeats[name]; i++) contenders[name]();
      times[name].push((1000 * (performance.now() - start)) / repeats[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

function report(title, bytes, base, contenders) {
  const medians = measure(contenders);
  console.log(`\n${title} (${bytes} bytes)`);
  for (const [name, micros] of Object.entries(medians)) {
    const rate = (bytes / micros / 1000).toFixed(2);
    const ratio = (micros / medians[base]).toFixed(2);
    console.log(`  ${name.padEnd(36)} ${micros.toFixed(2).padStart(10)} us ${rate.padStart(7)} GB/s  x ${ratio}`);
  }
}

function same(one, other) {
  if (Buffer.compare(one, other) !== 0) throw new Error('the contenders do not agree');
}

const encode = (text) => Uint8Array.from(Buffer.from(text));
const small = shop(330_000);
const texts = {
  'pretty-printed with comments': encode(commented(small)),
  minified: encode(JSON.stringify(shop(1_000_000))),
};
for (const [name, text] of Object.entries(texts)) {
  same(native.stripJsonc(text, levelsMax), stripJsonc(text, levelsMax));
  report(`strip + validate + hash + index, ${name}`, text.length, 'native prepare', {
    'native prepare': () => native.prepare(text, levelsMax, false),
    'native prepare, shared memory': () => native.prepare(text, levelsMax, true),
    'native strip alone': () => native.stripJsonc(text, levelsMax),
    'twins: strip, then index': () => indexDocument(stripJsonc(text, levelsMax)),
    ...(name === 'minified' && { 'JSON.parse': () => JSON.parse(Buffer.from(text.buffer).toString()) }),
  });
}

const value = shop(100_000);
const json = encode(JSON.stringify(value));
const document = native.indexDocument(json);
const [first, second, ...others] = Object.keys(value.sections);
const last = others.at(-1);
const patches = [
  ['merge', { version: 4, sections: { [first]: { title: 'New', version: 99 }, [last]: { title: 'Last', version: 98 } } }],
  [
    'patch',
    [
      { op: 'replace', path: `/sections/${first}/items/3/price`, value: 7.99 },
      { op: 'replace', path: `/sections/${second}/items/17/enabled`, value: false },
      { op: 'replace', path: `/sections/${last}/items/9/name`, value: 'new' },
      { op: 'replace', path: `/sections/${last}/title`, value: 'Last' },
      { op: 'add', path: '/extra', value: 1 },
    ],
  ],
];
const merge = (target, patch) => {
  for (const key of Object.keys(patch)) {
    const of = patch[key];
    if (of === null) delete target[key];
    else if (typeof of === 'object' && !Array.isArray(of)) target[key] = merge(target[key] ?? {}, of);
    else target[key] = of;
  }
  return target;
};
const room = { before: 8, after: 64 };
const scratch = Buffer.allocUnsafeSlow(json.length + 4096);
const given = { before: 0, after: 0, allocate: (length) => scratch.subarray(0, length) };
for (const [kind, patch] of patches) {
  const stated = native.compileMutation(kind, indexDocument(stripJsonc(encode(JSON.stringify(patch)), levelsMax)));
  const mutations = [stated];
  const twins = [stated.twin];
  same(native.splice(document, mutations, 1e9).bytes, splice(document, twins, 1e9).bytes);
  report(`splice, 5 fields by ${kind}`, json.length, 'plain copy: new buffer + set', {
    'plain copy: new buffer + set': () => new Uint8Array(Buffer.allocUnsafeSlow(json.length).buffer).set(json),
    'plain copy: into a given buffer': () => scratch.set(json),
    'native splice, into a given buffer': () => native.splice(document, mutations, 1e9, given),
    'native splice': () => native.splice(document, mutations, 1e9),
    'native splice, with room': () => native.splice(document, mutations, 1e9, room),
    'twin splice': () => splice(document, twins, 1e9),
    ...(kind === 'merge' && {
      'parse + merge + stringify': () => Buffer.from(JSON.stringify(merge(JSON.parse(Buffer.from(json.buffer).toString()), patch))),
    }),
  });
}

same(native.quoteJson(json), quoteJson(json));
report('quote', json.length, 'native quote', {
  'native quote': () => native.quoteJson(json),
  'twin quote': () => quoteJson(json),
  'JSON.stringify of the text': () => Buffer.from(JSON.stringify(Buffer.from(json.buffer).toString())),
});
