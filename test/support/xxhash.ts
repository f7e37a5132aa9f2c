/** The two hashes of the contract, from the reference implementation: XXH3-64 of a content, XXH32 of a user. */
import { XXHash3, XXHash32 } from 'xxhash-addon';

/** XXH3-64, seed 0: 16 lower-case hex digits. */
export function contentHash(json: string | Buffer): string {
  return XXHash3.hash(Buffer.from(json)).toString('hex');
}

/**
 * The hash of a content with a mapping: over the JSON, the mapping, and name and condition of each saved segment that it
 * names, by name; each behind its length as 64 bits, least significant byte first.
 */
export function mappedHash(
  json: string,
  mapping: unknown,
  segments: readonly (readonly [name: string, condition: unknown])[] = [],
): string {
  const parts = [json, JSON.stringify(mapping)];
  for (const [name, condition] of segments) parts.push(name, JSON.stringify(condition));
  const framed = parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    return [length, bytes];
  });
  return contentHash(Buffer.concat(framed));
}

/** XXH32, seed 0, of the UTF-8 bytes, unsigned. */
export function xxh32(text: string): number {
  return XXHash32.hash(Buffer.from(text)).readUInt32BE(0);
}
