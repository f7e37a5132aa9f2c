/** Goal: a link carries a player and moments without a change, and what it cannot carry is nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedOf, hashOf, inOrder } from '../../../../src/console/preview/contexts/asked-player.js';

const at = fc.constantFrom(null, '2026-11-24T18:00:00Z', '2026-11-24T18:00:00.123Z');
const attributes = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());

describe('a player in an address', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), attributes, at, at, (u, p, first, other) => {
        const user = { u, v: '1.4.0', p: JSON.stringify(p, null, 1) };
        const asked = { user, at: first, other };
        expect(askedOf(hashOf(asked))).toEqual(asked);
      }),
    );
  });

  it('keeps the spelling of numbers', () => {
    const user = { u: 'ada', v: '', p: '{ "spent": 1.10, "id": 9007199254740993 }' };
    expect(askedOf(hashOf({ user, at: null }))).toEqual({ user, at: null });
  });

  it.each(['', '#', '#u=ada', '#u=ada&at=yesterday'])('is none in %j', (hash) => {
    expect(askedOf(hash)).toBeNull();
  });

  it('has no attributes where they are not JSON', () => {
    expect(askedOf('#u=ada&p={"a":&at=now')?.user.p).toBe('{}');
  });

  it('has the earlier moment first, and now last', () => {
    const user = { u: 'ada', v: '', p: '{}' };
    const [early, late] = ['2026-11-24T18:00:00Z', '2026-11-24T19:30:00+01:00'];
    expect(inOrder({ user, at: late, other: early })).toEqual({ user, at: early, other: late });
    expect(inOrder({ user, at: null, other: late })).toEqual({ user, at: late, other: null });
    expect(inOrder({ user, at: early, other: null })).toEqual({ user, at: early, other: null });
  });
});
