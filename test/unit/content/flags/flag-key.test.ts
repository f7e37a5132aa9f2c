import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentIdOf, pointerOf } from '../../../../src/content/flags/flag-key.js';

describe('the key of a flag', () => {
  it('is a content id, or one and a JSON Pointer', () => {
    expect(contentIdOf('shop')).toBe('shop');
    expect(pointerOf('shop')).toMatchObject({ text: '', tokens: [] });
    expect(contentIdOf('shop/starter/price')).toBe('shop');
    expect(pointerOf('shop/starter/price')).toMatchObject({ text: '/starter/price' });
    expect(contentIdOf('')).toBe('');
    expect(contentIdOf('/a')).toBe('');
  });

  it('is put together again from what it consists of', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 5 });
    fc.assert(
      fc.property(id, names, (content, path) => {
        const text = path.map((n) => `/${n.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        const pointer = pointerOf(content + text);
        expect(contentIdOf(content + text)).toBe(content);
        if (typeof pointer === 'string') throw new Error(pointer);
        expect(pointer.tokens.map(({ key }) => key.text)).toEqual(path);
      }),
    );
  });

  it('says what is wrong with a pointer', () => {
    expect(pointerOf('shop/a~b')).toMatch(/^"\/a~b" is not a JSON Pointer: it has a "~"/);
    expect(pointerOf('shop/~')).toMatch(/is not a JSON Pointer/);
  });
});
