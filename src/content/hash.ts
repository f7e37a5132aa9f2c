/** The two hashes of content: XXH3-64 is what clients see and compare, SHA-256 is how bodies are addressed. */

import { createHash } from 'node:crypto';
import xxhash from 'xxhash-addon';
import type { Layers } from './layers.js';

/** What a mapping adds to the hash of a content: texts are JSON without comments and insignificant white space. */
export interface HashedRules {
  readonly mapping: Uint8Array;
  /** The saved segments that the mapping names without a condition of its own, by name. */
  readonly segments: readonly { readonly name: string; readonly condition: Uint8Array }[];
  /** Of the layers and the holdout, those that the mapping uses, by name. */
  readonly layers: Layers;
}

/**
 * The hash that clients see (docs/delivery-api.md): XXH3-64, seed 0, as 16 lower-case hex digits, most significant first. Of a
 * content without a mapping it is over the delivered JSON. With one it is over these parts, each behind its length in
 * bytes (unsigned, 64 bits, least significant first): the JSON, the mapping, name and condition of each segment, then for each layer `{"layer":name,"salt":…}` and for the
 * holdout `{"holdout":{"salt":…,"groups":[…]}}`.
 * @param json what a version line delivers, without the mapping
 */
export function contentHash(json: Uint8Array, rules: HashedRules | null = null): string {
  if (rules === null) return xxhash.XXHash3.hash(bufferOf(json)).toString('hex');
  const hash = new xxhash.XXHash3(seed);
  const add = (part: Uint8Array): void => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(part.byteLength));
    hash.update(length);
    hash.update(bufferOf(part));
  };
  add(json);
  add(rules.mapping);
  for (const { name, condition } of rules.segments) {
    add(Buffer.from(name));
    add(condition);
  }
  for (const { name: layer, salt } of rules.layers.layers) {
    add(Buffer.from(JSON.stringify({ layer, salt })));
  }
  if (rules.layers.holdout !== null) {
    const { salt, groups } = rules.layers.holdout;
    add(Buffer.from(JSON.stringify({ holdout: { salt, groups } })));
  }
  return hash.digest().toString('hex');
}

const seed = Buffer.alloc(8);

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** SHA-256 in lower-case hex; of text, that of its UTF-8 bytes. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
