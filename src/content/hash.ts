/** The two hashes of content: XXH3-64 is what clients see and compare, SHA-256 is how bodies are addressed. */

import { createHash } from 'node:crypto';
import xxhash from 'xxhash-addon';

/** The reported hash of delivered JSON: XXH3-64, seed 0, as 16 lower-case hex digits, most significant first. */
export function contentHash(json: Uint8Array): string {
  const view = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return xxhash.XXHash3.hash(view).toString('hex');
}

/** SHA-256 in lower-case hex; of text, that of its UTF-8 bytes. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
