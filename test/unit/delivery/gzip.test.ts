import { constants, crc32, deflateRawSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptsGzip, gzipWithTail } from '../../../src/delivery/gzip.js';

function member(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const deflated = deflateRawSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  return gzipWithTail(deflated, crc32(head), head.byteLength, tail);
}

describe('a gzip member with a tail', () => {
  it('decodes to the cached bytes and the tail behind them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        expect(gunzipSync(member(a, b))).toEqual(Buffer.concat([a, b]));
      }),
    );
  });

  it('takes a tail longer than one stored block', () => {
    const head = Buffer.from('head');
    const tail = Buffer.alloc(200_000, 'tail');
    expect(gunzipSync(member(head, tail))).toEqual(Buffer.concat([head, tail]));
  });
});

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['*', true],
    ['deflate, gzip; q=0.5', true],
    ['', false],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip;q=0.0, *', false],
    ['*, gzip;q=0', false],
    ['*;q=0', false],
    ['br', false],
    ['gzipped', false],
  ])('%j lets the answer be gzip: %s', (header, accepted) => {
    expect(acceptsGzip(header)).toBe(accepted);
  });
});
