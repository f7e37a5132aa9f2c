import { describe, expect, it } from 'vitest';
import { addressRange, plainAddress } from '../../../../src/management/http/auth/address-range.js';

describe('the address of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['no address', 'no address', 'no address'],
  ])('%s is written as %s and counted as %s', (address, plain, range) => {
    expect(plainAddress(address)).toBe(plain);
    expect(addressRange(address)).toBe(range);
  });

  it('that has gone before its request was worked off is none', () => {
    expect(plainAddress(undefined)).toBe('');
    expect(addressRange(undefined)).toBe('');
  });
});
