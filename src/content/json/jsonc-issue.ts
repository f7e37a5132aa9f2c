/** Words for what is wrong with a JSONC text, from the byte at which its grammar stopped. */

import {
  APOSTROPHE,
  ASTERISK,
  BACKSLASH,
  BRACE_OPEN,
  BRACKET_OPEN,
  CARRIAGE_RETURN,
  LINE_FEED,
  MINUS,
  NINE,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './ascii.js';
import { type TextIssue, textIssueAt } from './text-issue.js';

/** `invalidAt` is where the text stops being UTF-8, or -1. A byte-order mark is rejected too: JSON has none. */
export function explainEncoding(text: Uint8Array, invalidAt: number): TextIssue | null {
  if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) {
    const message = 'The text begins with a byte-order mark (BOM): save it as UTF-8 without one.';
    return textIssueAt(text, 0, message);
  }
  if (invalidAt < 0) return null;
  const isUtf16 = (text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff);
  const message = isUtf16
    ? 'The text is UTF-16 (it begins with its byte-order mark): save it as UTF-8.'
    : `The text is not UTF-8: byte 0x${hex(text[invalidAt] as number, 2)} cannot stand here.`;
  return textIssueAt(text, invalidAt, message);
}

export function explainBlank(text: Uint8Array, offset: number): TextIssue {
  const message =
    text[offset + 1] === ASTERISK
      ? 'This comment is never closed: "*/" is missing.'
      : 'A comment begins with "//" or "/*"; this "/" stands alone.';
  return textIssueAt(text, offset, message);
}

export function explainString(text: Uint8Array, start: number, offset: number): TextIssue {
  if (offset >= text.length) {
    return textIssueAt(text, start, 'This string is never closed: its closing quote is missing.');
  }
  const byte = text[offset] as number;
  if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
    const message =
      'A string may not contain a line break: write \\n, or close the string before it.';
    return textIssueAt(text, offset, message);
  }
  if (byte !== BACKSLASH) {
    const written = byte === TAB ? '\\t' : `\\u${hex(byte, 4)}`;
    const message = `A string may not contain the raw control character U+${hex(byte, 4)}: write ${written}.`;
    return textIssueAt(text, offset, message);
  }
  const message = `A backslash in a string begins \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits; here comes ${describe(text, offset + 1)}.`;
  return textIssueAt(text, offset, message);
}

/** `start` is where a value is due that begins like no other kind. */
export function explainNumber(text: Uint8Array, start: number, offset: number): TextIssue {
  const first = text[start] as number;
  if (first !== MINUS && (first < ZERO || first > NINE)) return explainValue(text, start);
  const previous = text[offset - 1];
  let message: string;
  if (text[offset] === ZERO) message = 'A number may not have leading zeros.';
  else if (previous === POINT)
    message = `A digit must follow the decimal point, not ${describe(text, offset)}.`;
  else if (offset === start + 1)
    message = `A digit must follow the "-", not ${describe(text, offset)}.`;
  else message = `A digit must follow in the exponent, not ${describe(text, offset)}.`;
  return textIssueAt(text, offset, message);
}

/** Something that begins no value stands where a value is due. */
export function explainValue(text: Uint8Array, start: number): TextIssue {
  const byte = text[start] as number;
  if (byte === APOSTROPHE) return textIssueAt(text, start, 'A string takes double quotes.');
  if (byte === PLUS) return textIssueAt(text, start, 'A number may not begin with "+".');
  if (byte === POINT) {
    return textIssueAt(text, start, 'A number must have a digit before its decimal point.');
  }
  let end = start;
  while (end < text.length && end < start + WORD_SHOWN_MAX && isWordByte(text[end] as number))
    end++;
  if (end === start) return unexpected(text, start, 'a value');
  const word = String.fromCharCode(...text.subarray(start, end));
  const message = `"${word}" is no JSON value: besides strings, numbers, objects and arrays there are only true, false and null.`;
  return textIssueAt(text, start, message);
}

export function unexpected(text: Uint8Array, offset: number, wanted: string, why = ''): TextIssue {
  const reason = why === '' ? '' : `: ${why}`;
  const message = `Expected ${wanted}, but found ${describe(text, offset)}${reason}.`;
  return textIssueAt(text, offset, message);
}

/** A comma or a closing bracket is due, and something else stands there. */
export function explainSeparator(text: Uint8Array, offset: number, wanted: string): TextIssue {
  const byte = text[offset] ?? 0;
  const isWord = isWordByte(byte);
  if (isWord && isWordByte(text[offset - 1] ?? 0)) return explainWord(text, offset, wanted);
  const isNext = isWord || NEXT_STARTS.includes(byte);
  if (!isNext) return unexpected(text, offset, wanted);
  return textIssueAt(text, offset, `A comma is missing before ${describeNext(text, offset)}.`);
}

/** A string is named in full, as long as it is short: it tells where to look. */
function describeNext(text: Uint8Array, offset: number): string {
  if (text[offset] !== QUOTE) return describe(text, offset);
  let end = offset + 1;
  while (end < text.length && end < offset + WORD_SHOWN_MAX && isPlain(text[end] as number)) end++;
  if (text[end] !== QUOTE) return describe(text, offset);
  return String.fromCharCode(...text.subarray(offset, end + 1));
}

/** ASCII that stands for itself in a string. */
function isPlain(byte: number): boolean {
  return byte >= SPACE && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}

/** A number or a word goes on where it should end, such as `12OO`. The offset stays where the grammar stopped: the addon's is there. */
function explainWord(text: Uint8Array, offset: number, wanted: string): TextIssue {
  let start = offset;
  while (start > 0 && isTokenByte(text[start - 1] as number)) start--;
  const first = text[start] as number;
  if (first !== MINUS && (first < ZERO || first > NINE)) return unexpected(text, offset, wanted);
  let end = offset;
  while (end < text.length && end < start + WORD_SHOWN_MAX && isTokenByte(text[end] as number))
    end++;
  const word = String.fromCharCode(...text.subarray(start, end));
  return textIssueAt(text, offset, `${word} is not a number. Text needs quotes.`);
}

/** The character at an offset, so that one can see it: invisible ones by their number. */
function describe(text: Uint8Array, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  const bytes = Buffer.from(text.subarray(offset, offset + 4));
  const code = bytes.toString('utf8').codePointAt(0) as number;
  const number = `U+${hex(code, 4)}`;
  if (code <= SPACE || code === 0x7f) return number;
  if (code === QUOTE) return 'a double quote';
  const character = `"${String.fromCodePoint(code)}"`;
  return code < 0x7f ? character : `${character} (${number})`;
}

function isWordByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= ZERO && byte <= NINE) || byte === 0x5f;
}

function isTokenByte(byte: number): boolean {
  return isWordByte(byte) || byte === MINUS || byte === PLUS || byte === POINT;
}

function hex(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, '0');
}

/** Beside words and digits, what the next element or member begins with. */
const NEXT_STARTS: readonly number[] = [QUOTE, MINUS, BRACE_OPEN, BRACKET_OPEN];

/** Enough to recognise a word; the rest of a long one does not help. */
const WORD_SHOWN_MAX = 24;
