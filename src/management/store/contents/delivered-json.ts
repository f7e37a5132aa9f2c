/** What a text of the store delivers, and what a mapping and its saved segments add to the hash of a content. */
import { strict as assert } from 'node:assert';
import type { HashedRules } from '../../../content/hash.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import { stripText } from '../../../native/text-work.js';
import { storedLevelsMax } from '../../limits.js';

/** The text was checked when it was saved, so an issue here is damage, not input. */
export function deliveredJson(text: Uint8Array): Uint8Array {
  const json = stripText(text, storedLevelsMax);
  assert(!(json instanceof TextIssue), 'a stored text is JSON without its comments');
  return json;
}

/**
 * Null: nothing, for there are no rules.
 * @param mapping the text, comments and all; null: there is none
 * @param segments those that it refers to, as far as they are there; conditions are JSON texts
 */
export function hashedRules(
  mapping: Uint8Array | null,
  segments: readonly { readonly name: string; readonly condition: string }[],
): HashedRules | null {
  if (mapping === null) return null;
  const json = deliveredJson(mapping);
  if (Buffer.from(json).toString() === '[]') return null;
  const named = segments.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    mapping: json,
    segments: named.map(({ name, condition }) => {
      return { name, condition: deliveredJson(Buffer.from(condition)) };
    }),
  };
}
