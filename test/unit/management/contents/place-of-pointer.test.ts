import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFaultAt } from '../../../../src/content/json/text-fault.js';
import { PlaceFinder } from '../../../../src/management/contents/validate/place-finder.js';
import { placeOfPointer } from '../../../../src/management/contents/validate/place-of-pointer.js';

const placeIn = (text: string, pointer: string) => {
  const { line, column } = placeOfPointer(Buffer.from(text), pointer);
  return `${line}:${column}`;
};

describe('placeOfPointer', () => {
  const text = [
    '/* head */ {',
    '  "a": [ // list',
    '    10, "x]\\"}", { "deep": [[], {}], }, /* last */ true,',
    '  ],',
    '  "k/1": {"~": -1.5e3}, "": null,',
    '  "ü🔥": 1, "twice": 1, "twice": 2',
    '}',
  ].join('\n');

  it.each([
    ['', '1:12'],
    ['/a', '2:8'],
    ['/a/0', '3:5'],
    ['/a/1', '3:9'],
    ['/a/2/deep/1', '3:33'],
    ['/a/3', '3:52'],
    ['/k~11', '5:10'],
    ['/k~11/~0', '5:16'],
    ['/', '5:29'],
    ['/ü🔥', '6:10'],
    ['/twice', '6:34'],
  ])('finds %j at %s', (pointer, place) => {
    expect(placeIn(text, pointer)).toBe(place);
  });

  it('finds the nearest value around one that is not there', () => {
    expect(placeIn(text, '/a/9')).toBe('2:8');
    expect(placeIn(text, '/a/0/x/y')).toBe('3:5');
    expect(placeIn(text, '/none')).toBe('1:12');
    expect(placeIn('  1', '/a')).toBe('1:3');
  });

  it('finds each value of any document where JSON.stringify put it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 6 }),
        (list) => {
          let column = 2;
          for (const [index, value] of list.entries()) {
            expect(placeIn(JSON.stringify(list), `/${index}`)).toBe(`1:${column}`);
            column += JSON.stringify(value).length + 1;
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('PlaceFinder', () => {
  it('finds for rising offsets what counting from the start finds', () => {
    const lines = fc.array(fc.constantFrom('a', 'ü', '🔥', '\n', '\r\n', '\r', ' '), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(lines, (pieces) => {
        const text = Buffer.from(pieces.join(''));
        const finder = new PlaceFinder(text);
        let offset = 0;
        for (const piece of pieces) {
          const { line, column } = textFaultAt(text, offset, '');
          expect(finder.at(offset)).toEqual({ line, column });
          offset += Buffer.byteLength(piece);
        }
      }),
      { numRuns: 500 },
    );
  });
});
