/** How deep values nest. */

import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import { type JsonDocument, nextOf, valueStartOf } from '../json/document.js';
import { type JsonValue, Member, Opened } from './json-value.js';

/** 0 for a scalar, 1 for `[]`, 2 for `[[]]`. */
export function levelsOf(value: JsonValue): number {
  let deepest = 0;
  const values: JsonValue[] = [value];
  const above: number[] = [0];
  for (;;) {
    const current = values.pop();
    const level = above.pop();
    if (current === undefined || level === undefined) return deepest;
    if (!(current instanceof Opened)) {
      const { document, node } = current;
      deepest = Math.max(deepest, level + levelsBetween(document, node, nextOf(document, node)));
      continue;
    }
    deepest = Math.max(deepest, level + 1);
    for (const piece of current.pieces) {
      if (piece instanceof Member) {
        values.push(piece.value);
        above.push(level + 1);
      } else {
        const levels = levelsBetween(piece.document, piece.first, piece.end);
        deepest = Math.max(deepest, level + 1 + levels);
      }
    }
  }
}

/** The levels of the deepest of some siblings: nodes from `first` to before `end`. */
function levelsBetween(document: JsonDocument, first: number, end: number): number {
  const { bytes } = document;
  const openEnds: number[] = [];
  let deepest = 0;
  for (let node = first; node < end; node++) {
    while (openEnds.length > 0 && node >= (openEnds[openEnds.length - 1] as number)) openEnds.pop();
    const byte = bytes[valueStartOf(document, node)];
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      openEnds.push(nextOf(document, node));
      deepest = Math.max(deepest, openEnds.length);
    }
  }
  return deepest;
}
