/** The two hashes of the contract, from the reference implementation: XXH3-64 of a content, XXH32 of a user. */
import { XXHash3, XXHash32 } from 'xxhash-addon';

/** XXH3-64, seed 0: 16 lower-case hex digits. */
export function contentHash(json: string | Buffer): string {
  return XXHash3.hash(Buffer.from(json)).toString('hex');
}

/** XXH32, seed 0, of the UTF-8 bytes, unsigned. */
export function xxh32(text: string): number {
  return XXHash32.hash(Buffer.from(text)).readUInt32BE(0);
}
