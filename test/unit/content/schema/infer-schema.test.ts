/*
 * A schema made from texts is judged by the validator of the server: whatever the texts are, it accepts them; a number of a
 * thousand times the size and a value of another type it does not.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveredPath } from '../../../../src/content/schema/delivered-values.js';
import { inferSchema } from '../../../../src/content/schema/infer-schema.js';
import { schemaBytesMax } from '../../../../src/contract/limits.js';
import { compileSchema } from '../../../../src/management/contents/validate/compile-schema.js';

function schemaFrom(values: readonly unknown[], delivered: readonly DeliveredPath[] = []): string {
  const texts = values.map((value) => JSON.stringify(value));
  const schema = inferSchema({ texts, delivered }, schemaBytesMax / 2);
  if (typeof schema !== 'string') throw new Error(schema.message);
  return schema;
}

function accepts(schema: string, value: unknown): boolean {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.issues));
  return compiled.validate(value, false).length === 0;
}

const parsed = (schema: string) => JSON.parse(schema) as Record<string, unknown>;

const anyValue = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)));
const sized = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.double({ min: 0.01, max: 1e9, noNaN: true }),
);
const offers = fc.array(
  fc.record({ id: fc.string(), price: sized, tier: fc.constantFrom('a', 'b') }),
  {
    minLength: 1,
    maxLength: 30,
  },
);

describe('a schema made from texts', () => {
  it('accepts all of them', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 4 }), (values) => {
        const schema = schemaFrom(values);
        expect(values.every((value) => accepts(schema, value))).toBe(true);
      }),
    );
  });

  it('rejects a thousand times the highest number, and a number that became a text', () => {
    fc.assert(
      fc.property(offers, (list) => {
        const schema = schemaFrom([{ offers: list }]);
        const highest = Math.max(...list.map(({ price }) => price));
        const [first, ...others] = list;
        const withPrice = (price: unknown) => ({ offers: [{ ...first, price }, ...others] });
        expect(accepts(schema, withPrice(highest))).toBe(true);
        expect(accepts(schema, withPrice(highest * 2))).toBe(true);
        expect(accepts(schema, withPrice(highest * 1_000))).toBe(false);
        expect(accepts(schema, withPrice('4.99'))).toBe(false);
      }),
    );
  });

  it('says what offers are', () => {
    const list = [1, 2, 3, 4, 5, 6].map((n) => ({
      id: `offer-${n}`,
      price: n + 0.99,
      gems: n * 10,
      tier: n % 2 === 0 ? 'gold' : 'silver',
      ...(n > 3 ? { until: '2026-11-30' } : {}),
    }));
    expect(parsed(schemaFrom([{ title: 'Harbour', offers: list }]))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        title: { type: 'string' },
        offers: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              price: { type: 'number', minimum: 0.19, maximum: 70 },
              gems: { type: 'integer', minimum: 1, maximum: 600 },
              tier: { type: 'string', enum: ['silver', 'gold'] },
              until: { type: 'string' },
            },
            required: ['id', 'price', 'gems', 'tier'],
          },
        },
      },
      required: ['title', 'offers'],
    });
  });

  it('accepts what variants deliver, too', () => {
    const line = { price: 5, packs: [{ gems: 1 }], gift: 'hat' };
    const paths: readonly DeliveredPath[] = [
      { path: '', types: ['object'], always: true, min: null, max: null, values: null },
      {
        ...{ path: '/price', types: ['number'], always: true, values: ['5', '99.5'] },
        ...{ min: { value: 5 }, max: { value: 99.5 } },
      },
      { path: '/packs', types: ['array'], always: true, min: null, max: null, values: null },
      { path: '/packs/*', types: ['object'], always: true, min: null, max: null, values: null },
      {
        ...{
          path: '/packs/*/gems',
          types: ['number', 'null'],
          always: true,
          values: ['1', 'null'],
        },
        ...{ min: { value: 1 }, max: { value: 1 } },
      },
      { path: '/gift', types: ['string'], always: false, min: null, max: null, values: ['"hat"'] },
    ];
    const alone = schemaFrom([line]);
    const schema = schemaFrom([line], paths);
    const variants = [
      { price: 99.5, packs: [{ gems: null }] },
      { ...line, price: 99.5 },
    ];
    for (const variant of variants) {
      expect(accepts(alone, variant)).toBe(false);
      expect(accepts(schema, variant)).toBe(true);
    }
    expect(accepts(schema, { ...line, price: 99_500 })).toBe(false);
    expect(accepts(schema, { gift: 'hat', packs: [] })).toBe(false);
  });

  it('describes many members of one type as a map, and stays short', () => {
    const quests = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`quest-${n}`, { coins: 100 + n, steps: [1, 2] }]),
    );
    const schema = schemaFrom([quests]);
    expect(schema.length).toBeLessThan(1_000);
    expect(accepts(schema, { ...quests, fresh: { coins: 100, steps: [] } })).toBe(true);
    expect(accepts(schema, { ...quests, fresh: { coins: 9_999_999, steps: [] } })).toBe(false);
  });

  it('leaves deep parts out where it would be too long', () => {
    const wide = (level: number): unknown =>
      level === 0 ? 1 : Object.fromEntries([...'abcdefgh'].map((name) => [name, wide(level - 1)]));
    const value = wide(5);
    const text = JSON.stringify(value);
    const schema = inferSchema({ texts: [text], delivered: [] }, 20_000);
    expect(String(schema).length).toBeLessThan(20_000);
    expect(accepts(String(schema), value)).toBe(true);
    expect(accepts(String(schema), { ...(value as object), a: 'text' })).toBe(false);
  });
});
