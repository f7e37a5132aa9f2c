/** Merges two edits of one text: as JSON where all three texts are JSONC, otherwise by lines (D108). Pure. */
import type { ElementsKind } from './match-children.js';
import { mergeJson } from './merge-json.js';
import { mergeLines } from './merge-lines.js';
import type { MergeNode } from './merge-tree.js';
import type { Versions } from './versions.js';

export interface TextMerge {
  readonly tree: MergeNode;
  readonly by: 'place' | 'line';
  /** JSON Pointers of arrays into which both inserted at one place: theirs stand first. */
  readonly met: readonly string[];
}

/** @param elements 'lines': the text is not JSON */
export function mergeTexts(texts: Versions<string>, elements: ElementsKind | 'lines'): TextMerge {
  const json = elements === 'lines' ? null : mergeJson(texts, elements);
  if (json !== null) return { ...json, by: 'place' };
  return { tree: mergeLines(texts), by: 'line', met: [] };
}
