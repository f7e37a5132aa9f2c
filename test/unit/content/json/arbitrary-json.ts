/** Random JSON and JSONC for the kernel's property tests: odd lexemes, few keys so that they repeat and meet. */

import fc from 'fast-check';
import { printRaw, type RawTree, scalar } from './raw-tree.js';

const digits = fc.stringMatching(/^[0-9]{1,4}$/);
const natural = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,20}$/));

/** A number as somebody may write it. */
export const numberLexeme: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    natural,
    fc.option(digits, { nil: '' }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits), { nil: null }),
  )
  .map(([sign, integer, fraction, exponent]) => {
    const point = fraction === '' ? '' : `.${fraction}`;
    return sign + integer + point + (exponent === null ? '' : exponent.join(''));
  });

/** Of that, what a double holds to the last digit: other libraries compare and copy numbers as doubles. */
const plainNumber = fc.constantFrom(
  '0',
  '-0',
  '1',
  '1.0',
  '10e-1',
  '1.10',
  '7.99',
  '-12.5E+3',
  '9007199254740991',
);

const character = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'b', ' ', '/', '*', '//', '/*', ',]', 'é', '€', '😀', '\u2028'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\\"',
      '\\\\',
      '\\/',
      '\\n',
      '\\t',
      '\\u0041',
      '\\uD83D\\uDE00',
      '\\ud800',
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 3 })
      .map((s) => JSON.stringify(s).slice(1, -1)),
  },
);

/** A string with its quotes. */
export const stringLexeme: fc.Arbitrary<string> = fc
  .array(character, { maxLength: 6 })
  .map((parts) => `"${parts.join('')}"`);

/** Keys in several spellings; some are the same key. */
export const plainKeys = [
  '"a"',
  '"b"',
  '"\\u0061"',
  '"c"',
  '""',
  '"é"',
  '"x/y"',
  '"m~n"',
  '"0"',
  '"-"',
  '"q\\"\\\\"',
];
const trickyKeys = ['"__proto__"', '"constructor"', '"prototype"', '"\\ud800"', '"toString"'];

function trees(keys: fc.Arbitrary<string>, numbers: fc.Arbitrary<string>): fc.Arbitrary<RawTree> {
  const words = fc.constantFrom('true', 'false', 'null', 'null');
  const leaf = fc.oneof(numbers, stringLexeme, words).map(scalar);
  const { tree } = fc.letrec<{ tree: RawTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 5 }).map((items): RawTree => ({ kind: 'array', items })),
      fc
        .array(fc.record({ key: keys, value: tie('tree') }), { maxLength: 6 })
        .map((members): RawTree => ({ kind: 'object', members })),
    ),
  }));
  return tree;
}

/** Any JSON. */
export const anyTree: fc.Arbitrary<RawTree> = trees(
  fc.oneof(fc.constantFrom(...plainKeys, ...trickyKeys), stringLexeme),
  numberLexeme,
);

/** JSON whose keys and numbers the oracles of other libraries can take. */
export const plainTree: fc.Arbitrary<RawTree> = trees(fc.constantFrom(...plainKeys), plainNumber);

/** The same, with an object at its root, so that merges and patches find something to do. */
export const plainObject: fc.Arbitrary<RawTree> = fc
  .array(fc.record({ key: fc.constantFrom(...plainKeys), value: plainTree }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((members) => ({ kind: 'object', members }));

const blank = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  ' // x\n',
  '//\r',
  '/**/',
  '/* "a" , ] */ ',
  '/***/',
  '//"\n',
);

/** A JSONC text and the JSON that must come of it. */
export const jsoncOf = (
  tree: fc.Arbitrary<RawTree>,
): fc.Arbitrary<{ jsonc: string; json: string }> =>
  fc
    .tuple(
      tree,
      fc.array(blank, { minLength: 1, maxLength: 40 }),
      fc.array(fc.boolean(), { minLength: 1 }),
    )
    .map(([raw, blanks, commas]) => {
      let used = 0;
      const gap = (): string => blanks[used++ % blanks.length] as string;
      const list = (parts: string[]): string => {
        const trailing = parts.length > 0 && commas[used++ % commas.length] ? `,${gap()}` : '';
        return gap() + parts.join(`,${gap()}`) + trailing;
      };
      const print = (node: RawTree): string => {
        if (node.kind === 'scalar') return gap() + node.raw + gap();
        if (node.kind === 'array') return `${gap()}[${list(node.items.map(print))}]${gap()}`;
        const members = node.members.map(
          ({ key, value }) => `${gap()}${key}${gap()}:${print(value)}`,
        );
        return `${gap()}{${list(members)}}${gap()}`;
      };
      return { jsonc: print(raw), json: printRaw(raw) };
    });
