/*
 * An edit of a cell is judged from outside: by the bytes of the mapping around the value, and by what the engine then delivers.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MutationColumn } from '../../../../src/content/derive/mutation-column.js';
import { plainOf } from '../../../../src/content/derive/plain-text.js';
import {
  type PlainValue,
  plainAt,
  printPlain,
} from '../../../../src/content/derive/plain-value.js';
import {
  mutationAt,
  type Site,
  setCell,
  type WantedValue,
} from '../../../../src/content/derive/set-cell.js';
import { tokensOf } from '../../../../src/content/json/pointer-text.js';
import { numberLexeme } from '../json/arbitrary-json.js';
import { apply } from '../mutation/splicing.js';

const base =
  '{"packs":{"pouch":{"price":4.99,"gems":1.10},"chest":{"price":9}},"offers":[{"id":"a","price":1},{"id":"b","price":2}],"on":true}';

function plain(text: string): PlainValue {
  const value = plainOf(text);
  if (value === null) throw new Error(`not JSON: ${text}`);
  return value;
}

const own: Site = { rule: 0, variant: null };

function edit(mapping: string, pointer: string, wanted: WantedValue | string, site: Site = own) {
  return setCell(mapping, {
    ...site,
    base: plain(base),
    tokens: tokensOf(pointer) ?? [],
    wanted: typeof wanted === 'string' ? { kind: 'value', source: wanted } : wanted,
    layOut: (source) => source,
  });
}

/** The mapping afterwards. */
function edited(...parameters: Parameters<typeof edit>): string {
  const result = edit(...parameters);
  if (result.kind === 'issue') throw new Error(result.reason);
  return result.mapping;
}

/** What the engine makes of the base with the mutation of the only rule. */
function delivered(mapping: string): unknown {
  const mutation = mutationAt(mapping, own);
  if (mutation === null) return JSON.parse(base);
  return JSON.parse(apply(mutation.kind, base, printPlain(mutation.value)));
}

const rule = (change: string): string =>
  `[\n  {\n    "segment": "s",   "when": {},\n    ${change}\n  }\n]\n`;

const reset: WantedValue = { kind: 'base' };
const removal: WantedValue = { kind: 'removed' };

describe('a value in a merge patch', () => {
  const mapping = rule(
    '"merge": { "packs": { "pouch": {"price" : 3.990,"gems": 2} } , "on":false }',
  );

  it('is replaced alone', () => {
    expect(edited(mapping, '/packs/pouch/price', '5.990')).toBe(mapping.replace('3.990', '5.990'));
  });

  it('is added where the patch has an object on the way', () => {
    expect(edited(mapping, '/packs/chest/price', '8.0')).toBe(
      mapping.replace('"gems": 2} }', '"gems": 2}, "chest": { "price": 8.0 } }'),
    );
  });

  it('is as base again, and objects that say nothing go along', () => {
    expect(edited(mapping, '/on', reset)).toBe(mapping.replace(', "on":false', ''));
    const one = rule('"merge": { "on": false, "packs": { "pouch": { "price": 3 } } }');
    expect(edited(one, '/packs/pouch/price', reset)).toBe(rule('"merge": { "on": false }'));
  });

  it('is removed', () => {
    expect(edited(mapping, '/packs/pouch/gems', removal)).toBe(
      mapping.replace('"gems": 2', '"gems": null'),
    );
  });

  it('becomes an operation where a merge patch cannot say it, with the reason', () => {
    const element = edit(mapping, '/offers/1/price', '3');
    expect(element).toMatchObject({ kind: 'set', converted: 'element' });
    const zero = edit(mapping, '/on', 'null');
    expect(zero).toMatchObject({ kind: 'set', converted: 'null' });
    const after = delivered(edited(mapping, '/offers/1/price', '3'));
    expect(after).toMatchObject({
      packs: { pouch: { price: 3.99, gems: 2 } },
      offers: [{ price: 1 }, { price: 3 }],
      on: false,
    });
  });

  it('is an object of fewer members: the others are removed', () => {
    const result = edited(mapping, '/packs/pouch', '{"price":1}');
    expect(delivered(result)).toMatchObject({ packs: { pouch: { price: 1 } } });
    expect((delivered(result) as { packs: { pouch: object } }).packs.pouch).toEqual({ price: 1 });
  });
});

describe('a value in a list of operations', () => {
  const operations = [
    '{"op":"test", "path":"/on", "value":true}',
    '{ "op":"replace","path":"/offers/1/price" , "value" : 7.50 }',
  ];
  const mapping = rule(`"patch": [ ${operations.join(',\n  ')} ]`);

  it('is replaced alone', () => {
    expect(edited(mapping, '/offers/1/price', '8.50')).toBe(mapping.replace('7.50', '8.50'));
  });

  it('is added as one more operation', () => {
    expect(edited(mapping, '/offers/0/price', '0.10')).toBe(
      mapping.replace(
        '7.50 }',
        '7.50 },\n  { "op": "replace", "path": "/offers/0/price", "value": 0.10 }',
      ),
    );
  });

  it('is as base again without its operation', () => {
    expect(delivered(edited(mapping, '/offers/1/price', reset))).toEqual(JSON.parse(base));
    expect(edited(mapping, '/offers/1/price', reset)).toContain(operations[0]);
  });

  it('is removed by another operation in its place', () => {
    const result = edited(
      rule('"patch": [{"op":"replace","path":"/on","value":false}]'),
      '/on',
      removal,
    );
    expect(result).toBe(rule('"patch": [{ "op": "remove", "path": "/on" }]'));
    expect(edited(result, '/on', 'false')).toBe(
      rule('"patch": [{ "op": "replace", "path": "/on", "value": false }]'),
    );
  });

  it('inside the value of an operation is edited there', () => {
    const whole = rule(
      '"patch": [{"op":"replace","path":"/packs","value":{ "pouch": { "price":1.0 } }}]',
    );
    expect(edited(whole, '/packs/pouch/price', '2.0')).toBe(whole.replace('1.0', '2.0'));
  });

  it('is left to Source where operations move things, which are never lost', () => {
    const moving = rule('"patch": [{"op":"remove","path":"/offers/0"}]');
    expect(edit(moving, '/offers/1/price', '3')).toMatchObject({ kind: 'issue' });
    expect(edited(moving, '/on', 'false')).toContain('{"op":"remove","path":"/offers/0"}');
    const column = new MutationColumn(plain(base), mutationAt(moving, own));
    expect(column.cellAt(['offers', '0', 'price']).state).toBe('source');
    expect(column.cellAt(['on']).state).toBe('base');
    expect(column.foreign).toHaveLength(1);
  });
});

describe('a value in a replacement', () => {
  const mapping = rule('"replace": { "on" : false,\n "packs": {} }');

  it('is replaced, added and removed in it', () => {
    expect(edited(mapping, '/on', '0')).toBe(mapping.replace('false', '0'));
    expect(edited(mapping, '/packs/x', '1.0')).toBe(mapping.replace('{} }', '{ "x": 1.0 } }'));
    expect(edited(mapping, '/on', removal)).toBe(mapping.replace('"on" : false,', ''));
    expect(edited(mapping, '/on', reset)).toBe(mapping.replace('false', 'true'));
  });
});

describe('the value of a control', () => {
  const arms =
    '{ "name": "control", "groups": [0, 499] }, { "name": "b", "groups": [500, 999], "merge": {} }';
  const mapping = `[{ "segment": "s", "when": {}, "variants": [${arms}] }]`;

  it('gives it a change of its own', () => {
    expect(edited(mapping, '/packs/pouch/price', '3.99', { rule: 0, variant: 0 })).toBe(
      mapping.replace(
        '[0, 499] }',
        '[0, 499], "merge": { "packs": { "pouch": { "price": 3.99 } } } }',
      ),
    );
    expect(edited(mapping, '/packs/pouch/price', '5.99', { rule: 0, variant: 1 })).toBe(
      mapping.replace('"merge": {}', '"merge": { "packs": { "pouch": { "price": 5.99 } } }'),
    );
  });

  it('stays without one where nothing is changed', () => {
    expect(edited(mapping, '/on', 'true', { rule: 0, variant: 0 })).toBe(mapping);
    expect(edited(mapping, '/on', reset, { rule: 0, variant: 0 })).toBe(mapping);
  });
});

describe('any edit of a value that a mutation has', () => {
  const places = ['/packs/pouch/price', '/packs/chest/price', '/on', '/packs/pouch/gems'];
  const blank = fc.constantFrom('', ' ', '\n', '\t ', '\r\n');

  it('changes the bytes of that value and no others, in every form', () => {
    const written = fc.record({
      kind: fc.constantFrom('merge', 'patch', 'replace'),
      place: fc.constantFrom(...places),
      values: fc.tuple(numberLexeme, numberLexeme, numberLexeme),
      blanks: fc.array(blank, { minLength: 1, maxLength: 9 }),
    });
    fc.assert(
      fc.property(written, numberLexeme, ({ kind, place, values, blanks }, wanted) => {
        const { mapping, at } = spelled(kind, place, values, blanks);
        const result = edit(mapping, place, wanted);
        if (result.kind === 'issue') throw new Error(result.reason);
        const end = at + values[0].length;
        const isSame = wanted === values[0];
        expect(result.mapping).toBe(
          isSame ? mapping : mapping.slice(0, at) + wanted + mapping.slice(end),
        );
        const mutation = mutationAt(result.mapping, own);
        const column = new MutationColumn(plain(base), mutation);
        const value = column.cellAt(tokensOf(place) ?? []).value;
        expect(value === null ? null : printPlain(value)).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  /** A mapping with a value at the place and two more beside it, and where that value stands. */
  function spelled(
    kind: string,
    place: string,
    values: readonly [string, string, string],
    blanks: readonly string[],
  ): { readonly mapping: string; readonly at: number } {
    let used = 0;
    const gap = (): string => blanks[used++ % blanks.length] as string;
    const mark = '\u0000';
    const [, ...others] = values;
    const wrap = (pointer: string, source: string): string =>
      (tokensOf(pointer) ?? []).reduceRight(
        (inner, token) => `{${gap()}"${token}"${gap()}:${gap()}${inner}${gap()}}`,
        source,
      );
    const beside = others
      .map((other, index) => `"x${index}"${gap()}:${gap()}${other}`)
      .join(`${gap()},`);
    const document = wrap(place, mark).replace('{', `{${gap()}${beside},`);
    const operations = [
      ...others.map((other, index) => `{"op":"add","path":"/x${index}",${gap()}"value":${other}}`),
      `{"value"${gap()}:${mark}${gap()},"op":"replace","path":"${place}"}`,
    ];
    const source = kind === 'patch' ? `[${operations.join(`,${gap()}`)}]` : document;
    const marked = `${gap()}[${gap()}{"segment":"s",${gap()}"${kind}":${source}}${gap()}]${gap()}`;
    return { mapping: marked.replace(mark, values[0]), at: marked.indexOf(mark) };
  }
});

it('plainAt finds nothing where nothing is', () => {
  expect(plainAt(plain(base), ['offers', '01'])).toBeNull();
});
