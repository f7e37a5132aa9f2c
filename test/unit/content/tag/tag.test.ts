import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TaggedRule, tagOf } from '../../../../src/content/tag.js';

describe('the tag', () => {
  it('is the first 64 bits of SHA-256 over its parts, each behind its length', () => {
    const parts = '1:1' + '3:abc' + '3:é!' + '0:' + '2:{}' + '4:beef';
    const expected = createHash('sha256').update(parts).digest('hex').slice(0, 16);
    const rules = [
      { seg: 'é!', mutationDigest: '' },
      { seg: '{}', mutationDigest: 'beef' },
    ];
    expect(tagOf('abc', rules)).toBe(expected);
  });

  it('differs whenever a part does, wherever one ends and the next begins', () => {
    const text = fc.string({ maxLength: 4, unit: fc.constantFrom('0', '1', ':', 'a') });
    const rule = fc.record({ seg: text, mutationDigest: text });
    const inputs = fc.tuple(text, fc.array(rule, { maxLength: 3 }));
    const tag = ([digest, rules]: readonly [string, TaggedRule[]]) => tagOf(digest, rules);
    fc.assert(
      fc.property(inputs, inputs, (one, other) => {
        expect(tag(one) === tag(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});
