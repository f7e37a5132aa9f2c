import { describe, expect, it } from 'vitest';
import {
  acceptedCodings,
  anyCoding,
  gzipOrNone,
} from '../../../src/delivery/http/accept-encoding.js';
import { Coding } from '../../../src/delivery/render/render-task.js';

const { Identity, Gzip, Brotli } = Coding;

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', Gzip, Gzip],
    ['gzip, deflate, br', Gzip, Gzip],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', Gzip, Brotli],
    ['GZIP', Gzip, Gzip],
    ['x-gzip', Gzip, Gzip],
    ['*', Gzip, Gzip],
    ['deflate, gzip; q=0.5', Gzip, Gzip],
    ['', Identity, Identity],
    ['identity', Identity, Identity],
    ['gzip;q=0', Identity, Identity],
    ['gzip;q=0.0, *', Identity, Identity],
    ['*, gzip;q=0', Identity, Identity],
    ['*;q=0', Identity, Identity],
    ['br', Identity, Brotli],
    ['br;q=0', Identity, Identity],
    ['gzipped', Identity, Identity],
    ['gzip;q=oops', Identity, Identity],
  ])('%j', (header, wrapped, plain) => {
    const accepts = acceptedCodings(header);
    expect(gzipOrNone(accepts)).toBe(wrapped);
    expect(anyCoding(accepts)).toBe(plain);
    expect(acceptedCodings(header)).toBe(accepts);
  });
});
