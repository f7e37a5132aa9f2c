/**
 * From stored text to delivered JSON, natively: the same bytes, the same index, the same hash, and the same faults in
 * the same words as the TypeScript twins, with every kernel that this machine runs. A kernel works in blocks of 64
 * bytes, so each case is tried at offsets around the border of one.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentHash } from '../../src/content/hash.js';
import { indexDocument } from '../../src/content/json/document.js';
import { stripJsonc } from '../../src/content/json/jsonc.js';
import { quoteJson } from '../../src/content/json/quote.js';
import { noRoom } from '../../src/content/json/room.js';
import { TextFault } from '../../src/content/json/text-fault.js';
import { anyTree, jsoncOf } from '../unit/content/json/arbitrary-json.js';
import { addon, kernels, native, useBestKernel } from './native-kernels.js';

const levelsMax = 100;

const accepted = [
  '0',
  '-0',
  '1',
  '-1',
  '12345678',
  '123456789',
  '1700000000000',
  '0.5',
  '-0.25',
  '10.01',
  '1e400',
  '1E-7',
  '-1.5e+300',
  '9007199254740993',
  '100000000000000000000000000000000000000000',
  '1.10',
  '0e0',
  '0.0',
  '1.23456',
  '12345.678',
  'true',
  'false',
  'null',
  '""',
  '"a"',
  '"\\ud800"',
  '"\\uD83D\\uDE00"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\u007f\u2028é€😀"',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '{"a":{}}',
  '[1]',
  '[1,2]',
  '{"a":1}',
  '{"a":1,"a":2}',
  '{"":[]}',
  '[[1],[2,[3]],4]',
  '[1,]',
  '[1 , ]',
  '[[],]',
  '{"a":1,}',
  '{"a":{"b":[1,],},}',
  '[1,//x\n]',
  '[1,/**/ /*,*/\n]',
  '{"a":[],/*]*/}',
  ' 1 ',
  '\t\r\n1',
  '1 // end',
  '1/**/',
  '//a\n1',
  '//a\r1',
  '/*"*/1',
  '/***/1',
  '/*/*/1',
  '[1/**/,2]',
  '[/*1*/2]',
  '{"a"/*:*/:/*2*/1}',
  '["//","/*"]',
  '["a" ,"b"]',
  '[true,false,null]',
  '{"a":true,"b":false,"c":null}',
  '[-1,-0.5]',
  '["\\\\"]',
  '["\\\\\\""]',
  '["\\\\","\\""]',
  '{"\\"":1}',
  '"/"',
  '[1]//',
  '[1]/**/ //\n',
  '["é","ü"]',
];

const refused = [
  '',
  ' ',
  '//',
  '/**/',
  '/',
  '/x',
  '[1]/',
  '/*',
  '/* *',
  '/*/',
  '1/*',
  '[1,/*',
  '1/ /',
  '{"a":1/}',
  '[',
  '{',
  '[1',
  '[1,',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  ']',
  '}',
  '[}',
  '{]',
  '[1}',
  '{"a":1]',
  '[,]',
  '{,}',
  '[,1]',
  '[1,,]',
  '[1,,2]',
  '[1,/**/,]',
  '{"a":1,,}',
  '{"a":,}',
  '{"a":1,"b":,}',
  ',',
  '1,',
  '[],',
  ',]',
  ':',
  '{:1}',
  '{"a"1}',
  '{"a"::1}',
  '{"a":1:2}',
  '["a":1]',
  '{"a","b"}',
  '{1:2}',
  '{a:1}',
  "{'a':1}",
  '{"a":1 "b":2}',
  '1 2',
  '1/**/2',
  '[1 2]',
  '["a" "b"]',
  '["a""b"]',
  '["a"1]',
  '[1"a"]',
  '[1 "a"]',
  '[true false]',
  '[tr ue]',
  '[tr/**/ue]',
  '{"a":1}{"b":2}',
  '[][]',
  '{}1',
  '1{}',
  '[1[2]]',
  '[{}{}]',
  '{"a":{}"b":1}',
  '[[]1]',
  '{"a"{}}',
  '"a"{}',
  '"a"[',
  'true[',
  'tru',
  'truee',
  'true\u0000',
  '[null\u0000\u0000\u0000\u0000]',
  '[false\u0000,1]',
  '12\u0000',
  'True',
  'nul',
  'nulll',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  'falsefalse',
  '-',
  '--1',
  '-a',
  '+1',
  '.5',
  '01',
  '-01',
  '00',
  '1.',
  '1.e1',
  '-.5',
  '1e',
  '1e+',
  '1E-',
  '1.5.5',
  '1e5e5',
  '1e5.5',
  '0x10',
  '1_000',
  '1a',
  '12345678a',
  '123456789a',
  '0123456789',
  '1.2345678.',
  "'a'",
  '`a`',
  '#',
  '\\',
  '\\"a"',
  '[\\"a"]',
  '[1\\]',
  '@"a"',
  '"',
  '"a',
  '"\\',
  '"\\"',
  '"\\x"',
  '"\\u"',
  '"\\u12"',
  '"\\u123g"',
  '"\\u12"x',
  '"\\U0041"',
  '"a\nb"',
  '"a\rb"',
  '"a\tb"',
  '"a\u0000b"',
  '"a\u001fb"',
  '["a\nb"]',
  '"\\\n"',
  '"a"b',
  '\u000c',
  '[1\u000c2]',
  '[1\u001a2]',
  '{"a"\u001a1}',
  '\u00a01',
  '\ufeff1',
  '[1]\u0000',
  `${'['.repeat(101)}${']'.repeat(101)}`,
  `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`,
  '['.repeat(5000),
  '{"a":'.repeat(5000),
];

/** What is not UTF-8 in all the ways there are. */
const notUtf8 = [
  [0x80],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xc3],
  [0xc3, 0x28],
  [0xe0, 0x9f, 0xbf],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
  [0xef, 0xbb],
];

const paddings = [0, 1, 2, 31, 32, 33, 58, 59, 60, 61, 62, 63, 64, 65, 126, 127, 128];

function expectSame(text: Uint8Array): void {
  const json = stripJsonc(text, levelsMax);
  const stripped = native.stripJsonc(text, levelsMax);
  const delivered = native.deliver(text, levelsMax);
  const prepared = native.prepare(text, levelsMax, false);
  if (json instanceof TextFault || delivered instanceof TextFault) {
    expect(stripped).toEqual(json);
    expect(delivered).toEqual(json);
    expect(prepared).toEqual(json);
    return;
  }
  const expected = { document: indexDocument(json), hash: contentHash(json) };
  if (!isSame(stripped, json) || prepared instanceof TextFault) expect(stripped).toEqual(json);
  else if (!isSame(prepared.document.nodes, expected.document.nodes))
    expect(prepared).toEqual(expected);
  else expect(prepared.hash).toBe(expected.hash);
  expect(isSame(delivered.json, json)).toBe(true);
  expect(delivered.hash).toBe(expected.hash);
  expect(isSame(native.indexDocument(json).nodes, expected.document.nodes)).toBe(true);
  expect(native.contentHash(json)).toBe(expected.hash);
  expect(isSame(native.quoteJson(json, noRoom), quoteJson(json))).toBe(true);
}

/** A long way faster than `toEqual`, which goes byte by byte. */
function isSame(one: unknown, other: Uint8Array | Uint32Array): boolean {
  if (!(one instanceof Uint8Array || one instanceof Uint32Array)) return false;
  if (one.constructor !== other.constructor || one.length !== other.length) return false;
  const bytesOf = (array: Uint8Array | Uint32Array): Buffer =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return bytesOf(one).equals(bytesOf(other));
}

/** The text where nothing, white space, a comment, or the inside of an array moves it along. */
function expectSameAnywhere(text: Uint8Array): void {
  for (const padding of paddings) {
    expectSame(Buffer.concat([Buffer.alloc(padding, ' '), text]));
    expectSame(Buffer.concat([Buffer.from(`/*${' '.repeat(padding)}*/`), text]));
    const item = Buffer.from(`["${'x'.repeat(padding)}",`);
    expectSame(Buffer.concat([item, text, Buffer.from(' ]')]));
    expectSame(Buffer.concat([text, Buffer.alloc(padding, '\n')]));
  }
}

for (const kernel of kernels) {
  describe(`text, with the kernel ${kernel}`, () => {
    beforeAll(() => addon.useKernel(kernel));
    afterAll(useBestKernel);

    it('accepts what the twin accepts, wherever it stands', () => {
      for (const text of accepted) expectSameAnywhere(Buffer.from(text));
    });

    it('refuses what the twin refuses, at the same place and in the same words', () => {
      for (const text of refused) expectSameAnywhere(Buffer.from(text));
    });

    it('says where a text stops being UTF-8', () => {
      for (const bytes of notUtf8) {
        expectSameAnywhere(Buffer.from(bytes));
        expectSameAnywhere(Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]));
        expectSameAnywhere(
          Buffer.concat([Buffer.from('//'), Buffer.from(bytes), Buffer.from('\n1')]),
        );
      }
    });

    it('keeps to the levels it is given', () => {
      for (const levels of [0, 1, 2, 3]) {
        for (const text of ['1', '[]', '[[]]', '{"a":[{}]}', '[[[[1]]]]']) {
          const bytes = Buffer.from(text);
          expect(native.stripJsonc(bytes, levels)).toEqual(stripJsonc(bytes, levels));
        }
      }
    });

    it('makes the same of any JSONC', () => {
      fc.assert(
        fc.property(jsoncOf(anyTree), ({ jsonc, json }) => {
          const text = Buffer.from(jsonc);
          expect(Buffer.from(native.stripJsonc(text, 1_000) as Uint8Array).toString()).toBe(json);
          expectSame(text);
        }),
        { numRuns: 600 },
      );
    });

    it('makes the same of JSONC with a wound: bytes changed, cut out, doubled or cut off', () => {
      const wound = fc.tuple(
        fc.nat(),
        fc.nat(12),
        fc.constantFrom('set', 'cut', 'double', 'end'),
        wounds,
      );
      fc.assert(
        fc.property(
          jsoncOf(anyTree),
          fc.array(wound, { minLength: 1, maxLength: 3 }),
          ({ jsonc }, all) => {
            let text = Buffer.from(jsonc);
            for (const [place, length, how, bytes] of all) {
              const at = place % (text.length + 1);
              const before = text.subarray(0, at);
              const after = text.subarray(at);
              if (how === 'set')
                text = Buffer.concat([before, bytes, after.subarray(bytes.length)]);
              else if (how === 'cut') text = Buffer.concat([before, after.subarray(length)]);
              else if (how === 'double')
                text = Buffer.concat([before, after.subarray(0, length), after]);
              else text = Buffer.from(before);
            }
            expectSame(text);
          },
        ),
        { numRuns: 1_500 },
      );
    });

    it('makes the same of what is hardly JSON at all', () => {
      const soup = fc.array(wounds, { maxLength: 80 }).map((parts) => Buffer.concat(parts));
      fc.assert(fc.property(soup, expectSame), { numRuns: 1_500 });
    });

    it('makes the same of texts of many blocks', () => {
      const items = fc.array(jsoncOf(anyTree), { minLength: 150, maxLength: 300 });
      fc.assert(
        fc.property(items, fc.constantFrom('', ',', '"', ' 1 2'), (parts, tail) => {
          expectSame(Buffer.from(`[${parts.map(({ jsonc }) => jsonc).join(',\n')}${tail}]`));
        }),
        { numRuns: 12 },
      );
      expectSame(Buffer.from(`[${'1,'.repeat(50_000)}]`));
      expectSame(Buffer.from(`{${'"k":[ {} ], // x\n'.repeat(20_000)}}`));
      expectSame(Buffer.from(`"${'\\"'.repeat(40_000)}"`));
    });
  });
}

/** Bytes that mean something to a scanner, alone and in the company they keep. */
const wounds: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      '"',
      '\\',
      '/',
      '*',
      '//',
      '/*',
      '*/',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      ' ',
      '\n',
      '\r',
      '\t',
      '0',
      '1',
      '-',
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '.',
      'e',
      'E5',
      'true',
      'null',
      'fals',
      '"a"',
      '"a":',
      '\\"',
      '\\u00',
      'é',
      '\u0000',
      ',]',
      ',}',
      '[1',
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
);
