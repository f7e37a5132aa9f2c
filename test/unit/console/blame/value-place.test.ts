/** A value of an older text comes back into the present one, and nothing else changes. */
import { describe, expect, it } from 'vitest';
import {
  pointerAt,
  valueSource,
  withValue,
} from '../../../../src/console/content/blame/value-place.js';

const text = `{
  // the shop
  "packs": [ { "id": "a", "price": 1.10 }, { "id": "b" } ],
  "a/b": { "käse": null, }, /* end */
}
`;

describe('a value by its place', () => {
  it('is read as it is written', () => {
    expect(valueSource(text, '/packs/0/price')).toBe('1.10');
    expect(valueSource(text, '/a~1b/käse')).toBe('null');
    expect(valueSource(text, '/packs/2')).toBeNull();
    expect(valueSource('{ "a": ', '/a')).toBeNull();
  });

  it('replaces the present one byte for byte', () => {
    expect(withValue(text, '/packs/0/price', '9.90')).toBe(text.replace('1.10', '9.90'));
    expect(withValue(text, '', '1')).toBe('1\n');
  });

  it('is added where its object is there, and behind the last element of its list', () => {
    expect(withValue(text, '/packs/1/price', '2.00')).toBe(
      text.replace('{ "id": "b" }', '{ "id": "b", "price": 2.00 }'),
    );
    expect(withValue(text, '/packs/2', '{}')).toBe(text.replace('"b" } ]', '"b" }, {} ]'));
    expect(withValue(text, '/packs/5', '{}')).toBeNull();
    expect(withValue(text, '/none/price', '1')).toBeNull();
    expect(withValue(text, '/packs/0/id/x', '1')).toBeNull();
  });

  it('goes where it was not there before', () => {
    expect(withValue(text, '/packs/0/price', null)).toBe(text.replace(', "price": 1.10', ''));
    expect(withValue(text, '/none', null)).toBe(text);
  });

  it('is named by the cursor in a text that is not complete yet', () => {
    const typed = '{ "packs": [ { "price": 1. } ';
    expect(pointerAt(typed, typed.indexOf('1.') + 1)).toBe('/packs/0/price');
  });
});
