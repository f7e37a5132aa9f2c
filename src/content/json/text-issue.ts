/** A issue in a text that somebody wrote, and the place an editor would jump to. */

import { CARRIAGE_RETURN, LINE_FEED } from './ascii.js';

export class TextIssue {
  /** One sentence that says what is wrong and, where it can, what would be right. */
  readonly message: string;
  /** In bytes from the start of the text. */
  readonly offset: number;
  /** From 1; `\n`, `\r` and `\r\n` each end a line. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;

  constructor(message: string, offset: number, line: number, column: number) {
    this.message = message;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

const lineBreak = /\r\n|\r|\n/;

/** The issue at an offset in UTF-16 units, which the issue keeps as its offset. */
export function textIssueAtUnit(text: string, offset: number, message: string): TextIssue {
  const before = text.slice(0, offset).split(lineBreak);
  return new TextIssue(message, offset, before.length, (before.at(-1)?.length ?? 0) + 1);
}

/** The issue at a byte offset; `offset` may be the text's length, never more. */
export function textIssueAt(text: Uint8Array, offset: number, message: string): TextIssue {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const byte = text[at] as number;
    // The \r of a \r\n leaves the counting to its \n.
    if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && text[at + 1] !== LINE_FEED)) {
      line++;
      lineStart = at + 1;
    }
  }
  return new TextIssue(message, offset, line, 1 + utf16Units(text, lineStart, offset));
}

/** UTF-16 code units of UTF-8 bytes: one per character, two per character of four bytes. */
function utf16Units(text: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let at = start; at < end; at++) {
    const byte = text[at] as number;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
