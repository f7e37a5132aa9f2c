import { describe, expect, it } from 'vitest';
import { contentHash, digestOf } from '../../../src/content/hash.js';

describe('contentHash', () => {
  it('is XXH3-64 with seed 0: the published value of the empty input', () => {
    expect(contentHash(new Uint8Array(0))).toBe('2d06800538d394c2');
  });

  it('gives the published values of short texts', () => {
    expect(contentHash(Buffer.from('a'))).toBe('e6c632b61e964e1f');
    expect(contentHash(Buffer.from('abc'))).toBe('78af5f94892f3950');
  });

  it('is 16 lower-case hex digits, most significant first, zero padded', () => {
    expect(contentHash(Buffer.from('{}'))).toMatch(/^[0-9a-f]{16}$/);
    const hashes = Array.from({ length: 200 }, (_, i) => contentHash(Buffer.from(String(i))));
    expect(hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash))).toBe(true);
    expect(new Set(hashes).size).toBe(200);
    expect(hashes.some((hash) => hash.startsWith('0'))).toBe(true);
  });

  it('is that of the bytes in view, wherever they lie', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(8)).subarray(3, 5);
    shared.set(Buffer.from('{}'));
    expect(contentHash(shared)).toBe(contentHash(Buffer.from('{}')));
    expect(contentHash(Buffer.from('{} '))).not.toBe(contentHash(Buffer.from('{}')));
  });
});

describe('digestOf', () => {
  it('is SHA-256 in lower-case hex, of text as of its UTF-8 bytes', () => {
    expect(digestOf('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(digestOf(new Uint8Array(0))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(digestOf('é')).toBe(digestOf(Buffer.from([0xc3, 0xa9])));
  });
});
