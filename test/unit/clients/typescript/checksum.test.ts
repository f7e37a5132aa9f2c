/** Goal: the kit's checksum is that of zlib. Method: both over random texts. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum } from '../../../../clients/typescript/src/checksum.js';

it('has the CRC-32 and the length of the text in UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const bytes = Buffer.from(text);
      const crc = crc32(bytes).toString(16).padStart(8, '0');
      expect(checksum(text)).toEqual({ crc, bytes: bytes.length });
    }),
  );
});

it('knows texts of every length of UTF-8', () => {
  expect(checksum('')).toEqual({ crc: '00000000', bytes: 0 });
  expect(checksum('123456789')).toEqual({ crc: 'cbf43926', bytes: 9 });
  expect(checksum('aé€😀').bytes).toBe(1 + 2 + 3 + 4);
});
