/** Goal: places in JSON are found in what was parsed and in the text. Method: every place of random JSON, listed by walking it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePointer, textAt, valueAt } from '../../../../clients/typescript/src/json-pointer.js';

/** Each place with its pointer, by walking. */
function* placesOf(value: unknown, pointer = ''): Generator<[pointer: string, value: unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* placesOf(member, `${pointer}/${token}`);
  }
}

const names = fc.oneof(
  fc.constantFrom('', '/', '~', '~1', 'a/b', '0', '01', '-', 'length', '__proto__', '"', '[', '😀'),
  fc.string({ maxLength: 4 }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, '', 'text', '{"a":[1,2]}', '\\', '"'),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
})).value;
const indents = fc.constantFrom('', ' ', '\n\t');

function at(value: unknown, pointer: string): unknown {
  return valueAt(value, parsePointer(pointer) as string[]);
}

it('finds every place, in what was parsed and in the text', () => {
  fc.assert(
    fc.property(json, indents, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const parsed: unknown = JSON.parse(text);
      for (const [pointer, expected] of placesOf(parsed)) {
        expect(at(parsed, pointer)).toEqual(expected);
        const found = textAt(text, parsePointer(pointer) as string[]);
        expect(JSON.parse(found as string)).toEqual(expected);
      }
    }),
  );
});

it('finds nothing where nothing is, for any pointer', () => {
  fc.assert(
    fc.property(json, fc.array(names, { minLength: 1, maxLength: 4 }), (value, path) => {
      const text = JSON.stringify(value);
      const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      const exists = [...placesOf(JSON.parse(text))].some(([each]) => each === pointer.join(''));
      if (exists) return;
      expect(valueAt(JSON.parse(text), path)).toBeUndefined();
      expect(textAt(text, path)).toBeUndefined();
    }),
  );
});

describe('pointers', () => {
  it('are the root, or begin with a slash, and escape with ~0 and ~1 only', () => {
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/')).toEqual(['']);
    expect(parsePointer('/a~1b/~01/~0')).toEqual(['a/b', '~1', '~']);
    for (const wrong of ['a', 'a/b', '/~', '/~2', '/a/~', ' /a']) {
      expect(parsePointer(wrong)).toBeNull();
    }
  });

  it('have indexes without sign and leading zeros, and lead nowhere below a text', () => {
    for (const wrong of ['/01', '/-', '/-1', '/+1', '/1.0', '/length', '/3', '/0/0']) {
      expect(at(['a', 'b', 'c'], wrong)).toBeUndefined();
      expect(textAt('["a","b","c"]', parsePointer(wrong) as string[])).toBeUndefined();
    }
  });
});

describe('texts', () => {
  it('keep what a number loses as a double', () => {
    const text = '{"big": 9007199254740993 ,"list":[1e400, -0, 1.10],"s":"\\u0041"}';
    expect(textAt(text, ['big'])).toBe('9007199254740993');
    expect(textAt(text, ['list', '0'])).toBe('1e400');
    expect(textAt(text, ['list', '2'])).toBe('1.10');
    expect(textAt(text, ['s'])).toBe('"\\u0041"');
    expect(textAt(text, ['list'])).toBe('[1e400, -0, 1.10]');
  });

  it('have the last of repeated members', () => {
    expect(textAt('{"a":1,"b":2,"a":{"c":3}}', ['a', 'c'])).toBe('3');
    expect(textAt('{"a":{"c":3},"\\u0061":1}', ['a', 'c'])).toBeUndefined();
  });
});
