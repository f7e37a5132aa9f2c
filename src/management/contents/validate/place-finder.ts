/** Lines and columns of rising offsets in one text: counted on from the last one, so that many cost one pass. */
import { textIssueAt } from '../../../content/json/text-issue.js';

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export class PlaceFinder {
  readonly #text: Uint8Array;
  /** Start of the line that was found last, and its number. */
  #lineStart = 0;
  #line = 1;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  /** @param offset in bytes; not before the line of the offset asked for last */
  at(offset: number): Place {
    const rest = this.#text.subarray(this.#lineStart);
    const found = textIssueAt(rest, offset - this.#lineStart, '');
    const line = this.#line + found.line - 1;
    if (found.line > 1) {
      this.#lineStart = lineStartBefore(this.#text, offset);
      this.#line = line;
    }
    return { line, column: found.column };
  }
}

function lineStartBefore(text: Uint8Array, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== 0x0a && text[at - 1] !== 0x0d) at--;
  return at;
}
