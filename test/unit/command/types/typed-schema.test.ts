/** What becomes of a schema before types are made of it, and which losses are said. */
import { describe, expect, it } from 'vitest';
import { contentsSchema } from '../../../../src/command/types/contents-schema.js';
import { generateTypes } from '../../../../src/command/types/generate-types.js';
import { titleOf } from '../../../../src/command/types/type-names.js';
import { typedSchema } from '../../../../src/command/types/typed-schema.js';

const findingsOf = (schema: object): readonly string[] =>
  typedSchema(schema, 'shop', 'c0').findings.map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  );

function contentOf(schema: object | null, text = '{}', mapping: object[] | null = null) {
  return {
    id: 'shop',
    schema: schema === null ? null : JSON.stringify(schema),
    lines: [{ appVersion: '0.0.0', text }],
    mapping: mapping === null ? null : JSON.stringify(mapping),
  };
}

describe('a schema', () => {
  it.each([
    [{ type: 'object', properties: { a: { type: 'string' } }, if: {} }, '/if: What it asks for'],
    [{ not: {} }, '/not: What it asks for is not in the type.'],
    [{ patternProperties: { '^a': { type: 'string' } }, type: 'object' }, '/patternProperties/^a:'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, '/prefixItems: Elements of different'],
    [{ enum: [1, 2] }, '/enum: The values are not in the type, only number.'],
    [{ enum: ['', 'a'] }, '/enum: The empty text cannot be a name'],
    [{ $ref: 'https://example.com/x' }, ': https://example.com/x is not a definition'],
    [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, '/allOf: Only objects can be joined'],
    [{ type: 'integer', maximum: 1e30 }, ': Its bounds are beyond integers of 64 bits.'],
    [{ type: 'object', required: ['a'], properties: { b: {} } }, ': a must be there, and has no'],
    [{ type: 'string', pattern: 'x' }, ': Types do not have pattern (1)'],
    [false, ': Nothing is valid here'],
  ])('%j says what a type loses', (schema, message) => {
    expect(findingsOf(schema as object).some((each) => each.startsWith(message))).toBe(true);
  });

  it('of common forms loses nothing', () => {
    const base = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    expect(
      findingsOf({
        $defs: { base },
        type: 'object',
        properties: {
          offers: {
            type: 'array',
            items: { allOf: [{ $ref: '#/$defs/base' }], properties: { price: { type: 'number' } } },
          },
          next: { $ref: '#' },
          byCountry: { type: 'object', additionalProperties: { type: 'number' } },
        },
        unevaluatedProperties: false,
      }),
    ).toEqual([]);
  });
});

describe('the type', () => {
  it('cannot be written to by a description', async () => {
    const description = 'a */ System.exit(); /*\u2028#error </summary>\nmore';
    const schema = { type: 'object', properties: { a: { type: 'string', description } } };
    for (const language of ['csharp', 'typescript', 'cpp'] as const) {
      const text = await generateTypes(contentsSchema([contentOf(schema)]), language, 'Game');
      expect(text).not.toContain('a */');
      expect(text).not.toContain('\u2028');
      expect(text).toContain('a * / System.exit()');
    }
  });

  it('of a content without a schema has what any rule could give', async () => {
    const rules = [{ segment: 's', when: {}, merge: { old: null, banner: { text: 'x' } } }];
    const content = contentOf(null, '{ "price": 1, "old": true }', rules);
    const text = await generateTypes(contentsSchema([content]), 'typescript', 'Game');
    expect(text).toMatch(/readonly banner\?: +Banner;/);
    expect(text).toMatch(/readonly old\?: +boolean;/);
    expect(text).toMatch(/readonly price: +number;/);
  });

  it('is the same each time', async () => {
    const schema = contentsSchema([contentOf({ type: 'object', properties: { a: {} } })]);
    const first = await generateTypes(schema, 'cpp', 'game');
    expect(await generateTypes(schema, 'cpp', 'game')).toBe(first);
  });
});

it.each([
  ['loot-boxes.v2', 'LootBoxesV2'],
  ['URL', 'Url'],
  ['shopItem', 'ShopItem'],
  ['1st', 'N1st'],
  ['---', 'Value'],
])('%s is called %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
