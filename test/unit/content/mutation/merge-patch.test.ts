import fc from 'fast-check';
import jsonMergePatch from 'json-merge-patch';
import { describe, expect, it } from 'vitest';
import { indexDocument } from '../../../../src/content/json/document.js';
import { compileMutation } from '../../../../src/content/mutation/mutation.js';
import { anyTree, plainObject, plainTree } from '../json/arbitrary-json.js';
import { mergeRaw, parseRaw, printRaw } from '../json/raw-tree.js';
import { apply, merge } from './splicing.js';

describe('a merge', () => {
  it('gives what the examples of RFC 7396 say', () => {
    const cases = [
      ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
      ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
      ['{"a":"b"}', '{"a":null}', '{}'],
      ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
      ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
      ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
      ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
      ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
      ['["a","b"]', '["c","d"]', '["c","d"]'],
      ['{"a":"b"}', '["c"]', '["c"]'],
      ['{"a":"foo"}', 'null', 'null'],
      ['{"a":"foo"}', '"bar"', '"bar"'],
      ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
      ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
      ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ] as const;
    for (const [target, value, result] of cases) expect(merge(target, value)).toBe(result);
  });

  it('treats a target that is no object as an empty one, at any depth', () => {
    expect(merge('5', '{"a":1}')).toBe('{"a":1}');
    expect(merge('{"a":[1,2],"b":3}', '{"a":{"x":{"y":1}},"b":{"z":null}}')).toBe(
      '{"a":{"x":{"y":1}},"b":{}}',
    );
  });

  it('drops nested nulls of what it inserts, but not those in arrays', () => {
    expect(merge('{}', '{"a":{"b":null,"c":{"d":null,"e":[null,{"f":null}]}}}')).toBe(
      '{"a":{"c":{"e":[null,{"f":null}]}}}',
    );
  });

  it('keeps the place and the bytes of a key whose value it replaces', () => {
    expect(merge('{"x":0,"\\u0061":1,"y":2}', '{"a":9}')).toBe('{"x":0,"\\u0061":9,"y":2}');
  });

  it('appends new members in the order of the patch, their keys as the patch writes them', () => {
    expect(merge('{"x":0}', '{"b":1,"\\u0061":2,"0":3}')).toBe('{"x":0,"b":1,"\\u0061":2,"0":3}');
    expect(merge('{"a":{}}', '{"a":{"b":1}}')).toBe('{"a":{"b":1}}');
  });

  it('inserts its values byte for byte', () => {
    const value =
      '{"n":[1e400,9007199254740993,1.10,-0],"__proto__":{"x":1},"s":"\\u00e9\\/","2":0,"1":0}';
    expect(merge('{}', value)).toBe(value);
    expect(merge('{"k":1}', `{"k":${value}}`)).toBe(`{"k":${value}}`);
  });

  it('matches keys by their unescaped text', () => {
    expect(merge('{"a":1,"b":2}', '{"\\u0061":null}')).toBe('{"b":2}');
    expect(merge('{"\\u0061\\u0062":1}', '{"ab":2}')).toBe('{"\\u0061\\u0062":2}');
    expect(merge('{"a\\"b":1,"a\\\\":2}', '{"a\\u0022b":3,"a\\u005c":4}')).toBe(
      '{"a\\"b":3,"a\\\\":4}',
    );
    expect(merge('{"\\ud83d\\ude00":1}', '{"😀":2}')).toBe('{"\\ud83d\\ude00":2}');
    expect(merge('{"a":1}', '{"a\\u0000":2}')).toBe('{"a":1,"a\\u0000":2}');
    expect(merge('{"ab":1,"a":2}', '{"a":3}')).toBe('{"ab":1,"a":3}');
  });

  it('does not take a lone surrogate for the replacement character', () => {
    expect(merge('{"\ufffd":1}', '{"\\ud800":2}')).toBe('{"\ufffd":1,"\\ud800":2}');
    expect(merge('{"\\uD800":1}', '{"\\ud800":2}')).toBe('{"\\uD800":2}');
  });

  it('treats __proto__, constructor and prototype as keys like any other', () => {
    expect(merge('{"__proto__":{"a":1},"b":2}', '{"__proto__":{"a":3,"c":4}}')).toBe(
      '{"__proto__":{"a":3,"c":4},"b":2}',
    );
    expect(merge('{"b":2}', '{"__proto__":{"a":1},"constructor":1,"prototype":2}')).toBe(
      '{"b":2,"__proto__":{"a":1},"constructor":1,"prototype":2}',
    );
    expect(merge('{"constructor":1,"__proto__":2}', '{"__proto__":null,"constructor":null}')).toBe(
      '{}',
    );
    expect(merge('{}', '{"toString":null,"hasOwnProperty":1}')).toBe('{"hasOwnProperty":1}');
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('addresses the last member of a repeated key', () => {
    expect(merge('{"a":1,"b":2,"a":{"x":1},"c":3}', '{"a":{"y":2}}')).toBe(
      '{"a":1,"b":2,"a":{"x":1,"y":2},"c":3}',
    );
  });

  it('removes every member of a repeated key', () => {
    expect(merge('{"a":1,"b":2,"\\u0061":3,"a":4}', '{"a":null}')).toBe('{"b":2}');
    expect(merge('{"a":1,"a":2}', '{"a":null}')).toBe('{}');
  });

  it('lets the last of a repeated key in the patch win', () => {
    expect(merge('{"a":0}', '{"a":1,"a":2}')).toBe('{"a":2}');
    expect(merge('{"a":0}', '{"a":1,"\\u0061":null}')).toBe('{}');
    expect(merge('{"a":0}', '{"a":null,"a":2}')).toBe('{"a":2}');
    expect(merge('{}', '{"k":{"a":1,"a":2,"b":3}}')).toBe('{"k":{"a":2,"b":3}}');
  });

  it('finds every key where patch and target have many', () => {
    const many = (from: number, to: number, value: (i: number) => string): string => {
      const keys = Array.from({ length: to - from }, (_, i) => from + i);
      return `{${keys.map((i) => `"k${i}":${value(i)}`).join(',')}}`;
    };
    const merged = merge(
      many(0, 500, String),
      many(250, 750, (i) => (i % 2 ? 'null' : '"new"')),
    );
    const expected = Array.from({ length: 750 }, (_, i) => i).flatMap((i) => {
      if (i < 250) return [`"k${i}":${i}`];
      return i % 2 ? [] : [`"k${i}":"new"`];
    });
    expect(merged).toBe(`{${expected.join(',')}}`);
  });

  it('is refused where its value nests deeper than 1,000 levels', () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(merge('{}', nested(1_000))).toBe(nested(1_000));
    const deeper = indexDocument(Buffer.from(nested(1_001)));
    const fault = compileMutation('merge', deeper);
    expect(fault).toMatchObject({ message: 'a mutation may nest 1000 levels deep', operation: -1 });
  });

  it('agrees with json-merge-patch as JSON values', () => {
    fc.assert(
      fc.property(
        fc.oneof(plainTree, plainObject),
        fc.oneof(plainTree, plainObject),
        (target, value) => {
          const [text, patch] = [printRaw(target), printRaw(value)];
          const expected = jsonMergePatch.apply(JSON.parse(text), JSON.parse(patch));
          expect(JSON.parse(merge(text, patch))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('changes no byte but those it replaces, inserts or removes', () => {
    const trees = fc.oneof(plainObject, anyTree);
    fc.assert(
      fc.property(trees, trees, (target, value) => {
        const merged = merge(printRaw(target), printRaw(value));
        expect(merged).toBe(printRaw(mergeRaw(target, value)));
        expect(printRaw(parseRaw(merged))).toBe(merged);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a replace', () => {
  it('puts its value in place of the whole document, byte for byte', () => {
    expect(apply('replace', '{"a":1}', '{"b":[1.10,null],"b":2}')).toBe('{"b":[1.10,null],"b":2}');
    expect(apply('replace', '[]', 'null')).toBe('null');
  });
});
