/**
 * JSONC to the JSON that is delivered: without comments, insignificant white space and trailing commas, and nothing
 * else changed. It rejects whatever is not strict JSON (RFC 8259) after that, and says where.
 */

import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COMMA,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  QUOTE,
} from './ascii.js';
import { scanNumber, scanString, scanWord } from './json-token.js';
import { skipBlank } from './jsonc-blank.js';
import {
  explainBlank,
  explainEncoding,
  explainNumber,
  explainSeparator,
  explainString,
  explainValue,
  unexpected,
} from './jsonc-issue.js';
import { type TextIssue, textIssueAt } from './text-issue.js';
import { invalidUtf8Offset } from './utf8.js';

/**
 * The delivered form of a stored text. The result owns its whole buffer.
 * `levelsMax` is how deep objects and arrays may nest: `[]` has one level, a scalar none.
 */
export function stripJsonc(text: Uint8Array, levelsMax: number): Uint8Array | TextIssue {
  const issue = explainEncoding(text, invalidUtf8Offset(text));
  return issue ?? new Stripper(text, levelsMax).strip();
}

/** What the grammar allows next. */
const Expect = { Value: 0, ValueOrClose: 1, KeyOrClose: 2, Colon: 3, CommaOrClose: 4 } as const;
type Expect = (typeof Expect)[keyof typeof Expect];

class Stripper {
  readonly #text: Uint8Array;
  /** What is kept never outgrows the text, so one allocation holds it. */
  readonly #kept: Uint8Array;
  #keptBytes = 0;
  /** The text from here to the current token is kept, but not yet copied: runs are copied whole. */
  #runStart = 0;
  /** The offset of each open bracket, outermost first. */
  readonly #open: Uint32Array;
  #level = 0;
  readonly #levelsMax: number;
  #expect: Expect = Expect.Value;
  #afterComma = false;
  #issue: TextIssue | null = null;

  constructor(text: Uint8Array, levelsMax: number) {
    this.#text = text;
    this.#kept = Buffer.allocUnsafeSlow(text.length);
    this.#levelsMax = levelsMax;
    this.#open = new Uint32Array(Math.min(levelsMax, text.length));
  }

  strip(): Uint8Array | TextIssue {
    const text = this.#text;
    let at = this.#skipBlank(0);
    while (at >= 0 && at < text.length) {
      const end = this.#token(at);
      at = end < 0 ? end : this.#skipBlank(end);
    }
    const isWhole = this.#level === 0 && this.#expect === Expect.CommaOrClose;
    if (at >= 0 && !isWhole) this.#rejectEnd();
    if (this.#issue !== null) return this.#issue;
    this.#keepRun(text.length);
    return this.#finish();
  }

  // Each of these takes the token at `at` and returns the offset after it; negative: rejected, and `#issue` says why.

  #token(at: number): number {
    const byte = this.#text[at] as number;
    const afterComma = this.#afterComma;
    this.#afterComma = false;
    if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) return this.#close(at, afterComma);
    switch (this.#expect) {
      case Expect.Value:
      case Expect.ValueOrClose:
        return this.#value(at, byte);
      case Expect.KeyOrClose:
        if (byte !== QUOTE) return this.#rejectToken(at);
        this.#expect = Expect.Colon;
        return this.#string(at);
      case Expect.Colon:
        if (byte !== COLON) return this.#rejectToken(at);
        this.#expect = Expect.Value;
        return at + 1;
      case Expect.CommaOrClose:
        if (byte !== COMMA || this.#level === 0) return this.#rejectToken(at);
        this.#expect = this.#inObject() ? Expect.KeyOrClose : Expect.ValueOrClose;
        this.#afterComma = true;
        return at + 1;
    }
  }

  /** The next significant byte from `at` on; what is skipped is not kept. Negative: rejected. */
  #skipBlank(at: number): number {
    const next = skipBlank(this.#text, at);
    if (next === at) return at;
    if (next < 0) return this.#reject(explainBlank(this.#text, ~next));
    this.#keepRun(at);
    this.#runStart = next;
    return next;
  }

  #value(at: number, byte: number): number {
    const text = this.#text;
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) return this.#openBracket(at, byte);
    this.#expect = Expect.CommaOrClose;
    switch (byte) {
      case QUOTE:
        return this.#string(at);
      case LOWER_T:
        return this.#orReject(scanWord(text, at, TRUE), at, explainValue);
      case LOWER_F:
        return this.#orReject(scanWord(text, at, FALSE), at, explainValue);
      case LOWER_N:
        return this.#orReject(scanWord(text, at, NULL), at, explainValue);
      default:
        return this.#orReject(scanNumber(text, at), at, explainNumber);
    }
  }

  #string(at: number): number {
    return this.#orReject(scanString(this.#text, at), at, explainString);
  }

  #openBracket(at: number, byte: number): number {
    if (this.#level === this.#levelsMax) {
      const message = `Objects and arrays may nest ${this.#levelsMax} levels deep; this one is deeper.`;
      return this.#reject(textIssueAt(this.#text, at, message));
    }
    this.#open[this.#level++] = at;
    this.#expect = byte === BRACE_OPEN ? Expect.KeyOrClose : Expect.ValueOrClose;
    return at + 1;
  }

  #close(at: number, afterComma: boolean): number {
    const wanted = this.#inObject() ? BRACE_CLOSE : BRACKET_CLOSE;
    const mayClose = this.#expect !== Expect.Value && this.#expect !== Expect.Colon;
    if (!mayClose || this.#level === 0 || this.#text[at] !== wanted) return this.#rejectToken(at);
    if (afterComma) this.#dropComma(at);
    this.#level--;
    this.#expect = Expect.CommaOrClose;
    return at + 1;
  }

  /** The bracket at `at` follows a comma: all up to it is kept, less that comma. */
  #dropComma(at: number): void {
    this.#keepRun(at);
    this.#runStart = at;
    this.#keptBytes--;
  }

  #keepRun(end: number): void {
    const text = this.#text;
    const start = this.#runStart;
    if (end - start > LONG_RUN) {
      this.#kept.set(text.subarray(start, end), this.#keptBytes);
    } else {
      const kept = this.#kept;
      for (let from = start, to = this.#keptBytes; from < end; from++, to++) {
        kept[to] = text[from] as number;
      }
    }
    this.#keptBytes += end - start;
    this.#runStart = end;
  }

  #inObject(): boolean {
    return this.#level > 0 && this.#text[this.#open[this.#level - 1] as number] === BRACE_OPEN;
  }

  #wanted(): string {
    const close = this.#inObject() ? '"}"' : '"]"';
    switch (this.#expect) {
      case Expect.Value:
        return 'a value';
      case Expect.ValueOrClose:
        return `a value or ${close}`;
      case Expect.KeyOrClose:
        return `a key in double quotes or ${close}`;
      case Expect.Colon:
        return '":" after the key';
      case Expect.CommaOrClose:
        return this.#level > 0 ? `"," or ${close}` : 'nothing more after the value';
    }
  }

  #orReject(end: number, start: number, explain: Explain): number {
    return end >= 0 ? end : this.#reject(explain(this.#text, start, ~end));
  }

  #rejectToken(at: number): number {
    const isInside = this.#expect === Expect.CommaOrClose && this.#level > 0;
    const explain = isInside ? explainSeparator : unexpected;
    return this.#reject(explain(this.#text, at, this.#wanted()));
  }

  #rejectEnd(): void {
    const text = this.#text;
    if (this.#level === 0) {
      const message = 'There is no value: the text is empty, or only white space and comments.';
      this.#reject(textIssueAt(text, text.length, message));
      return;
    }
    const opener = textIssueAt(text, this.#open[this.#level - 1] as number, '');
    const bracket = this.#inObject() ? '{' : '[';
    const where = `the "${bracket}" of line ${opener.line}, column ${opener.column} is still open`;
    this.#reject(unexpected(text, text.length, this.#wanted(), where));
  }

  #reject(issue: TextIssue): -1 {
    this.#issue = issue;
    return -1;
  }

  /** Stored for long, so no larger than it need be. */
  #finish(): Uint8Array {
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(this.#keptBytes).buffer);
    bytes.set(this.#kept.subarray(0, this.#keptBytes));
    return bytes;
  }
}

type Explain = (text: Uint8Array, start: number, offset: number) => TextIssue;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** From here on a call of `set` costs less than the loop, its view included. */
const LONG_RUN = 64;
