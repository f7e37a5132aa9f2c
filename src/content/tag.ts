/** The tag of a response: what refresh clients compare to know whether a content item differs from what they hold (D80). */

import { digestOf } from './hash.js';

/**
 * Goes up with every version that can render the same inputs differently: clients then fetch everything once. The golden
 * corpus (test/unit/content/tag/tag-corpus.test.ts) says when.
 */
export const tagFormat = 1;

/** What one selected rule contributes. */
export interface TaggedRule {
  /** Its entry in `meta.seg`, JSON text. */
  readonly seg: string;
  /** SHA-256 of its mutation, lower-case hex; '' when it mutates nothing. */
  readonly mutationDigest: string;
}

/**
 * The first 64 bits of SHA-256 over the format number, the digest of the version line and, for each selected rule in
 * order, its `seg` entry and the digest of its mutation, as 16 lower-case hex digits. Each part stands behind its length
 * in UTF-8 bytes and a colon. Rules count as selected: whether a mutation can apply is a function of the same inputs, so
 * the tag is known before anything is rendered.
 * @param lineDigest SHA-256 of the delivered JSON of the version line, lower-case hex
 */
export function tagOf(lineDigest: string, rules: readonly TaggedRule[]): string {
  let parts = part(String(tagFormat)) + part(lineDigest);
  for (const { seg, mutationDigest } of rules) parts += part(seg) + part(mutationDigest);
  return digestOf(parts).slice(0, 16);
}

function part(text: string): string {
  return `${Buffer.byteLength(text)}:${text}`;
}
