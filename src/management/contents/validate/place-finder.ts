/** Lines and columns of rising offsets in one text: counted on from the last one, so that many cost one pass. */
import { CARRIAGE_RETURN, LINE_FEED } from '../../../content/json/ascii.js';

export interface Place {
  /** From 1; `\n`, `\r` and `\r\n` each end a line. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export class PlaceFinder {
  readonly #text: Uint8Array;
  #at = 0;
  /** Start of the line that `#at` is in, and its number. */
  #lineStart = 0;
  #line = 1;
  #column = 1;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  /** @param offset in bytes; not before the line of the offset asked for last */
  at(offset: number): Place {
    if (offset < this.#at) {
      this.#at = this.#lineStart;
      this.#column = 1;
    }
    // In variables of its own: fields would be read and written for each byte of a large text.
    const text = this.#text;
    let column = this.#column;
    for (let at = this.#at; at < offset; at++) {
      const byte = text[at] as number;
      // The \r of a \r\n leaves the counting to its \n.
      if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && text[at + 1] !== LINE_FEED)) {
        this.#line++;
        this.#lineStart = at + 1;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) {
        column += byte >= 0xf0 ? 2 : 1;
      }
    }
    this.#at = Math.max(this.#at, offset);
    this.#column = column;
    return { line: this.#line, column };
  }
}
