/** That parsing a long body costs no more than so many values do, whatever it is made of. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasValuesWithin } from '../../../src/delivery/http/body-values.js';

/** The least limit that admits the text. */
function counted(json: string): number {
  const bytes = Buffer.from(json);
  let limit = 0;
  while (!hasValuesWithin(bytes, limit)) limit += 1;
  return limit;
}

/** Members and elements of a parsed value, and itself. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1);
}

it('counts each comma and each opening bracket outside strings, and no other', () => {
  expect(counted('"a,[{\\",{"')).toBe(0);
  expect(counted('{"a,\\\\":[1,"]",{}]}')).toBe(5);
  expect(counted('[[[[')).toBe(4);
  expect(counted('"\\')).toBe(0);
  expect(hasValuesWithin(Buffer.from('[1,2]'), 1)).toBe(false);
});

it('counts no fewer than there are members and elements, in any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, spaced) => {
      const json = JSON.stringify(value, null, spaced ? 1 : 0);
      const values = valuesOf(JSON.parse(json));
      expect(counted(json)).toBeGreaterThanOrEqual(values - 1);
    }),
  );
});
