/** Finds the value of a flag in a JSON document, as the range of its bytes. */
import { BRACKET_OPEN, LOWER_N } from '../json/ascii.js';
import { type JsonDocument, valueEndOf, valueStartOf } from '../json/document.js';
import { childOf, NOT_FOUND } from '../mutation/document-child.js';
import type { JsonPointer, PointerToken } from '../mutation/json-pointer.js';
import { childOfWide, type WideContainers } from './wide-containers.js';

/** A document that flags are looked up in. */
export interface FlagDocument extends JsonDocument {
  /** Null for a document that is small enough to be looked through. */
  readonly wide: WideContainers | null;
}

/** Offsets in the document's bytes. */
export interface FlagRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the boolean, string, number or object is that a pointer names. Of a repeated key it is the last.
 * @returns a sentence that says why there is no flag, otherwise
 */
export function locateFlag(document: FlagDocument, pointer: JsonPointer): FlagRange | string {
  const { wide } = document;
  const { tokens, text } = pointer;
  let node = 0;
  for (let depth = 0; depth < tokens.length; depth += 1) {
    const token = tokens[depth] as PointerToken;
    const known = wide === null ? null : childOfWide(document, wide, node, token.key, token.index);
    node = known ?? childOf(document, node, token);
    if (node === NOT_FOUND) return missing(pointer, depth + 1);
  }
  const start = valueStartOf(document, node);
  switch (document.bytes[start]) {
    case LOWER_N:
      return `The value at ${JSON.stringify(text)} is null, which is not a flag.`;
    case BRACKET_OPEN:
      return `The value at ${JSON.stringify(text)} is an array, which is not a flag.`;
    default:
      return { start, end: valueEndOf(document, node) };
  }
}

function missing(pointer: JsonPointer, depth: number): string {
  return `The content item has nothing at ${JSON.stringify(pointer.prefix(depth))}.`;
}
