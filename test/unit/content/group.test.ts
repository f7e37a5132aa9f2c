import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import xxhash from 'xxhash-addon';
import { bucketOf, uidOf } from '../../../src/content/bucket.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { xxh32 } from '../../../src/content/xxh32.js';

/** The reference implementation of the algorithm. */
function reference(bytes: Buffer): number {
  return xxhash.XXHash32.hash(bytes).readUInt32BE(0);
}

describe('XXH32', () => {
  it('gives the published values', () => {
    const hash = (text: string): string =>
      xxh32(Buffer.from(text), Buffer.byteLength(text)).toString(16);
    expect(hash('')).toBe('2cc5d05');
    expect(hash('a')).toBe('550d7456');
    expect(hash('abc')).toBe('32d153ff');
  });

  it('agrees with the reference on random bytes of every length', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 167 + length * 31) & 0xff));
      expect(xxh32(bytes, length)).toBe(reference(bytes));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(xxh32(bytes, bytes.length)).toBe(reference(Buffer.from(bytes)));
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('a uid', () => {
  it('is the unsigned 32-bit XXH32 of the UTF-8 bytes of u', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (u) => {
        expect(uidOf(u)).toBe(reference(Buffer.from(u)));
      }),
      { numRuns: 1_500 },
    );
  });

  it('is 0 for a caller without a user id', () => {
    const { uid, mod } = makeEvaluationContext('', {}, null);
    expect({ uid, mod }).toEqual({ uid: 0, mod: 0 });
  });

  it('takes a lone surrogate for U+FFFD, as UTF-8 encoders do', () => {
    for (const u of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
      expect(uidOf(u)).toBe(reference(Buffer.from(u)));
      expect(uidOf(u)).toBe(uidOf(u.replace(/[\ud800-\udfff]/g, '\ufffd')));
    }
  });

  it('is the same for every length of u, short or long', () => {
    for (const length of [2_047, 2_048, 2_049, 6_143, 6_145, 64 * 1024]) {
      for (const character of ['x', 'é', '語', '😀']) {
        const u = character.repeat(length / character.length);
        expect(uidOf(u)).toBe(reference(Buffer.from(u)));
      }
    }
  });

  it('does not depend on what was hashed before it', () => {
    const before = uidOf('ada');
    uidOf('x'.repeat(2_000));
    expect(uidOf('ada')).toBe(before);
  });
});

describe('a group', () => {
  it('is meta.mod without a salt: the last three digits of the uid', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (u) => {
        const caller = makeEvaluationContext(u, {}, null);
        expect(caller.mod).toBe(caller.uid % 1000);
        expect(bucketOf(null, caller)).toBe(caller.mod);
      }),
    );
  });

  it('is computed of the salted id with a salt, even an empty one', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.string({ minLength: 1, maxLength: 40 }),
        (salt, u) => {
          expect(bucketOf(salt, makeEvaluationContext(u, {}, null))).toBe(
            reference(Buffer.from(`${salt}:${u}`)) % 1000,
          );
        },
      ),
    );
  });

  it('is 0 in every test for a caller without a user id, salted or not', () => {
    const anonymous = makeEvaluationContext('', {}, null);
    for (const salt of [null, '', 'prices', 'levels-2']) expect(bucketOf(salt, anonymous)).toBe(0);
  });

  it('spreads users evenly, and independently of their group under another salt', () => {
    const users = 20_000;
    const tenths = new Array<number>(10).fill(0);
    let both = 0;
    for (let i = 0; i < users; i++) {
      const caller = makeEvaluationContext(`user-${i}`, {}, null);
      const tenth = Math.floor(bucketOf('prices', caller) / 100);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      if (bucketOf('prices', caller) < 500 && bucketOf('levels', caller) < 500) both++;
    }
    for (const count of tenths) expect(Math.abs(count - users / 10)).toBeLessThan(users / 100);
    expect(Math.abs(both - users / 4)).toBeLessThan(users / 50);
  });
});

describe('a caller', () => {
  it('has no version when none was sent', () => {
    expect(makeEvaluationContext('', {}, null).v).toBe('');
    expect(makeEvaluationContext('', {}, '1.2.3').v).toBe('1.2.3');
  });
});
