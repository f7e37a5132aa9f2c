/** Finds the child of a value in an indexed document, and the value that a pointer names. Pure. */
import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import { type JsonDocument, keyStartOf, nextOf, valueStartOf } from '../json/document.js';
import type { JsonPointer, PointerToken } from './json-pointer.js';

/** Instead of the number of a node. */
export const NOT_FOUND = -1;

/** The node that a pointer names, or `NOT_FOUND`. Of a repeated key it is the last. */
export function locateNode(document: JsonDocument, { tokens }: JsonPointer): number {
  let node = 0;
  for (const token of tokens) {
    node = childOf(document, node, token);
    if (node === NOT_FOUND) return NOT_FOUND;
  }
  return node;
}

/** The child of a node that a token names, or `NOT_FOUND`. Of a repeated key it is the last. */
export function childOf(
  document: JsonDocument,
  node: number,
  { key, index }: PointerToken,
): number {
  const { bytes } = document;
  const opener = bytes[valueStartOf(document, node)];
  const end = nextOf(document, node);
  let found = NOT_FOUND;
  if (opener === BRACE_OPEN) {
    for (let child = node + 1; child < end; child = nextOf(document, child)) {
      if (key.matches(bytes, keyStartOf(document, child))) found = child;
    }
  } else if (opener === BRACKET_OPEN && index >= 0) {
    let place = 0;
    for (let child = node + 1; child < end; child = nextOf(document, child)) {
      if (place === index) return child;
      place += 1;
    }
  }
  return found;
}
