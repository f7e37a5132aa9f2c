/** What a text of the store delivers, and what a mapping, its saved segments and its layers add to the hash of a content. */
import { strict as assert } from 'node:assert';
import type { HashedRules } from '../../../content/hash.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import type { Layers } from '../../../content/layers.js';
import { layersUsed } from '../../../content/mapping/layer-uses.js';
import { stripText } from '../../../native/text-work.js';
import { storedLevelsMax } from '../../limits/bodies.js';

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
 * @param layers of the environment
 */
export function hashedRules(
  mapping: Uint8Array | null,
  segments: readonly { readonly name: string; readonly condition: string }[],
  layers: Layers,
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
    layers: layersUsed(json, layers),
  };
}
