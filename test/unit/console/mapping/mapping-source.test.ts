import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  insertElement,
  moveElement,
  removeElement,
  replaceValue,
  setMember,
  shownSource,
} from '../../../../src/console/mapping/json-source.js';
import { prettyJson } from '../../../../src/console/mapping/pretty-json.js';
import { readMapping } from '../../../../src/console/mapping/rules/rule-view.js';

const mapping = `[
  { "segment": "us", "when": { "level": 1.10 }, "merge": { "price": 12345678901234567890 } },
  {
    "segment": "test", "when": {},
    "salt": null,
    "variants": [ { "name": "control",   "groups": [0, 499] },
                  { "name": "more", "groups": [500, 999], "merge": { "a": 1e400, "a": 2 } } ],
    "later": [ 1,2 ]
  }
]`;

describe('a mapping read from its source', () => {
  it('gives each rule with the sources of what is edited as source', () => {
    const view = readMapping(mapping);
    expect(view.ok && view.rules[0]).toMatchObject({
      segment: 'us',
      when: '{ "level": 1.10 }',
      mutation: { kind: 'merge', source: '{ "price": 12345678901234567890 }' },
      variants: null,
      others: [],
    });
    expect(view.ok && view.rules[1]).toMatchObject({
      segment: 'test',
      salt: null,
      others: ['later'],
      variants: [
        { name: 'control', groups: [0, 499], mutation: null },
        { name: 'more', mutation: { kind: 'merge', source: '{ "a": 1e400, "a": 2 }' } },
      ],
    });
  });

  it('says why it cannot be shown as rules', () => {
    expect(readMapping('[{]')).toEqual({ ok: false, reason: 'The mapping is not JSON.' });
    expect(readMapping('[] // none')).toMatchObject({ ok: false });
    expect(readMapping('{}')).toMatchObject({ ok: false });
    expect(readMapping('[7]')).toEqual({ ok: true, rules: [null], sources: ['7'] });
  });
});

describe('a change in one place', () => {
  it('replaces a value and leaves the other bytes alone', () => {
    const changed = replaceValue(mapping, [1, 'variants', 1, 'merge'], '{ "a": 3.0 }');
    expect(changed).toBe(mapping.replace('{ "a": 1e400, "a": 2 }', '{ "a": 3.0 }'));
  });

  it('replaces the last of a repeated member, and removes all of them', () => {
    const text = '[{ "a": 1, "b": 2, "a": 3, "a": 4 }]';
    expect(setMember(text, [0], 'a', '5')).toBe('[{ "a": 1, "b": 2, "a": 3, "a": 5 }]');
    expect(setMember(text, [0], 'a', null)).toBe('[{ "b": 2 }]');
    expect(setMember('[{ "a": 1 , "a": 2 }]', [0], 'a', null)).toBe('[{}]');
  });

  it('puts a new member where the order has it, spaced as its neighbours', () => {
    const order = ['segment', 'when', 'info', 'merge'];
    expect(setMember('[{ "segment": "x", "merge": {} }]', [0], 'when', '{}', order)).toBe(
      '[{ "segment": "x", "when": {}, "merge": {} }]',
    );
    expect(setMember('[\n  {\n    "merge": {}\n  }\n]', [0], 'segment', '"x"', order)).toBe(
      '[\n  {\n    "segment": "x",\n    "merge": {}\n  }\n]',
    );
    expect(setMember('[{}]', [0], 'segment', '"x"', order)).toBe('[{ "segment": "x" }]');
  });

  it('lays an object out anew when the new member does not fit into its line', () => {
    const long = `"${'x'.repeat(90)}"`;
    const changed = setMember('[{ "segment": "x", "n": 1.10 }]', [0], 'info', long);
    expect(changed).toBe(`[{\n  "segment": "x",\n  "n": 1.10,\n  "info": ${long}\n}]`);
  });

  it('shows a value without the indentation of its place, and gives it back', () => {
    const text =
      '[\n    {\n        "merge": {\n            "a": [\n\n            ]\n        }\n    }\n]';
    const shown = shownSource(text, [0, 'merge']) ?? '';
    expect(shown).toBe('{\n    "a": [\n\n    ]\n}');
    const again = replaceValue(text, [0, 'merge'], shown);
    expect(shownSource(again, [0, 'merge'])).toBe(shown);
  });

  it('adds, removes and moves elements', () => {
    expect(insertElement('[]', [], 0, '{ "a": 1 }')).toBe('[\n  { "a": 1 }\n]');
    expect(insertElement('[\n  1,\n  2\n]', [], 1, '9')).toBe('[\n  1,\n  9,\n  2\n]');
    expect(insertElement('[\n  1,\n  2\n]', [], 2, '9')).toBe('[\n  1,\n  2,\n  9\n]');
    expect(insertElement('[1,2]', [], 0, '9')).toBe('[9, 1,2]');
    expect(removeElement('[\n  1,\n  2\n]', [], 0)).toBe('[\n  2\n]');
    expect(removeElement('[\n  1,\n  2\n]', [], 1)).toBe('[\n  1\n]');
    expect(removeElement('[ 1 ]', [], 0)).toBe('[]');
    expect(moveElement('[ 1,\n 2,  3 ]', [], 0, 2)).toBe('[ 2,\n 3,  1 ]');
  });
});

describe('any mapping', () => {
  const spelled = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom('1.10', '1e400', '12345678901234567890', '{"a":1,"a":2}', '"\\u0041"', '-0'),
  );
  const blank = fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n');
  const object = fc
    .array(fc.tuple(fc.constantFrom('segment', 'when', 'merge', 'x', 'salt'), spelled, blank), {
      maxLength: 6,
    })
    .map(
      (members) =>
        `{${members.map(([name, value, gap]) => `${gap}"${name}"${gap}:${gap}${value}${gap}`).join(',')}}`,
    );
  const list = fc
    .array(fc.tuple(object, blank), { minLength: 1, maxLength: 5 })
    .map((rules) => `[${rules.map(([rule, gap]) => gap + rule + gap).join(',')}]`);

  const sourcesOf = (text: string): readonly string[] => {
    const view = readMapping(text);
    return view.ok ? view.sources : [];
  };

  it('keeps the bytes of the rules that a change does not name', () => {
    fc.assert(
      fc.property(list, fc.nat(), spelled, (text, seed, value) => {
        const before = sourcesOf(text);
        const index = seed % before.length;
        const changed = setMember(text, [index], 'merge', value, ['segment', 'when', 'merge']);
        const after = sourcesOf(changed);
        expect(after.length).toBe(before.length);
        for (const [at, source] of before.entries()) {
          if (at !== index) expect(after[at]).toBe(source);
        }
        expect(shownSource(changed, [index, 'merge'])?.replaceAll(/\s/g, '')).toBe(
          value.replaceAll(/\s/g, ''),
        );
      }),
    );
  });

  it('is as it was after a rule was taken away and put back, or moved there and back', () => {
    fc.assert(
      fc.property(list, fc.nat(), fc.nat(), (text, one, other) => {
        const before = sourcesOf(text);
        const [from, to] = [one % before.length, other % before.length];
        expect(moveElement(moveElement(text, [], from, to), [], to, from)).toBe(text);
        const removed = removeElement(text, [], from);
        expect(sourcesOf(removed)).toEqual(before.filter((_, at) => at !== from));
        const back = insertElement(removed, [], from, before[from] ?? '');
        expect(sourcesOf(back).map(squeezed)).toEqual(before.map(squeezed));
      }),
    );
  });

  it('keeps every spelling when it is laid out anew', () => {
    fc.assert(
      fc.property(list, fc.constantFrom(0, 40, 80), (text, width) => {
        const laid = prettyJson(text, width);
        expect(squeezed(laid)).toBe(squeezed(text));
        expect(prettyJson(laid, width)).toBe(laid);
      }),
    );
  });
});

/** Without white space outside of strings. */
function squeezed(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

describe('JSON laid out anew', () => {
  it('drops comments and trailing commas, and breaks what does not fit', () => {
    const text = '{ // a\n "a": [1.10, 2,], "b": { "c": {} , } }';
    expect(prettyJson(text)).toBe(
      '{\n  "a": [\n    1.10,\n    2\n  ],\n  "b": {\n    "c": {}\n  }\n}',
    );
    expect(prettyJson(text, 80)).toBe('{ "a": [1.10, 2], "b": { "c": {} } }');
    expect(prettyJson(text, 24)).toBe('{\n  "a": [1.10, 2],\n  "b": { "c": {} }\n}');
  });
});
