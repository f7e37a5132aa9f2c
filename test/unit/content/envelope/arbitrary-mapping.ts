/** Random mappings for the envelope's property tests: few names, so that rules meet at the same places. */

import fc from 'fast-check';
import { plainTree } from '../json/arbitrary-json.js';
import { printRaw } from '../json/raw-tree.js';

const value: fc.Arbitrary<string> = plainTree.map(printRaw);

const token = fc.constantFrom('a', 'b', 'c', '0', '1', '2', '-', 'x~1y', 'é');
const pointer = fc
  .array(token, { minLength: 1, maxLength: 3 })
  .map((tokens) => tokens.map((each) => `/${each}`).join(''));

const operation = fc.oneof(
  fc
    .tuple(fc.constantFrom('add', 'add', 'replace', 'replace', 'test'), pointer, value)
    .map(([op, path, operand]) => `{"op":"${op}","path":"${path}","value":${operand}}`),
  pointer.map((path) => `{"op":"remove","path":"${path}"}`),
  fc
    .tuple(fc.constantFrom('copy', 'move'), pointer, pointer)
    .filter(([op, from, path]) => op === 'copy' || !path.startsWith(`${from}/`))
    .map(([op, from, path]) => `{"op":"${op}","from":"${from}","path":"${path}"}`),
);

const mutation = fc.oneof(
  { weight: 4, arbitrary: value.map((text) => `"merge":${text}`) },
  {
    weight: 6,
    arbitrary: fc
      .array(operation, { minLength: 1, maxLength: 3 })
      .map((operations) => `"patch":[${operations.join()}]`),
  },
  { weight: 1, arbitrary: value.map((text) => `"replace":${text}`) },
);

const variants = fc
  .array(fc.option(mutation, { nil: null }), { minLength: 1, maxLength: 3 })
  .map((mutations) =>
    mutations
      .map((text, at) => {
        const own = text === null ? '' : `,${text}`;
        return `{"name":"v${at}","groups":[${at},${at}]${own}}`;
      })
      .join(),
  );

const rule = fc.oneof(
  mutation.map((text) => `{"segment":"s",${text}}`),
  variants.map((list) => `{"segment":"s","variants":[${list}]}`),
);

/** The text of a mapping: at most `rulesMax` rules, with at most three variants each. */
export function arbitraryMapping(rulesMax: number): fc.Arbitrary<string> {
  return fc.array(rule, { minLength: 1, maxLength: rulesMax }).map((rules) => `[${rules.join()}]`);
}
