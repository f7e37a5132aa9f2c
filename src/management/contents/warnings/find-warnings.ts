/**
 * Finds probable mistakes in a valid text, which clients read differently from what it says: repeated
 * keys, numbers that a double cannot hold, halves of surrogate pairs. It rejects nothing: delivery gives the bytes as
 * they are, and a client with better numbers may want them.
 */
import {
  BACKSLASH,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COMMA,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  LOWER_U,
  QUOTE,
} from '../../../content/json/ascii.js';
import { stringOf, textOf } from '../../../content/json/json-text.js';
import { scanNumber, skipString } from '../../../content/json/json-token.js';
import { skipBlank } from '../../../content/json/jsonc-blank.js';
import { PlaceFinder } from '../validate/place-finder.js';

/** Line and column count from 1, the column in UTF-16 units, in the text with its comments. */
export interface TextWarning {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** An author reads the first ones; where there are thousands, what generated the text has to be fixed. */
const warningsMax = 50;
/** A key or number is quoted in a message up to here: enough to recognise it. */
const quotedCharsMax = 40;
/** The longest integer that is finite as a double has 309 digits. */
const integerCharsMax = 310;
/** Integers of fewer digits are all doubles. */
const exactDigits = 15;

/** @param text JSON with comments, known to be valid */
export function findWarnings(text: Uint8Array): TextWarning[] {
  const finder = new WarningFinder(text);
  finder.run();
  return finder.warnings;
}

class WarningFinder {
  readonly warnings: TextWarning[] = [];
  readonly #text: Uint8Array;
  readonly #places: PlaceFinder;
  /** Keys met in each open object; null for an array. */
  readonly #open: (Set<string> | null)[] = [];
  #keyDue = false;

  constructor(text: Uint8Array) {
    this.#text = text;
    this.#places = new PlaceFinder(text);
  }

  run(): void {
    const { length } = this.#text;
    let at = skipBlank(this.#text, 0);
    while (at < length && this.warnings.length < warningsMax) {
      at = skipBlank(this.#text, this.#token(at));
    }
  }

  /** The offset after the token at `at`. */
  #token(at: number): number {
    const byte = this.#text[at] as number;
    switch (byte) {
      case BRACE_OPEN:
        this.#open.push(new Set());
        this.#keyDue = true;
        return at + 1;
      case BRACKET_OPEN:
        this.#open.push(null);
        this.#keyDue = false;
        return at + 1;
      case BRACE_CLOSE:
      case BRACKET_CLOSE:
        this.#open.pop();
        this.#keyDue = false;
        return at + 1;
      case COMMA:
        this.#keyDue = this.#keys() !== null;
        return at + 1;
      case COLON:
        this.#keyDue = false;
        return at + 1;
      case QUOTE:
        return this.#string(at);
      case LOWER_T:
      case LOWER_N:
        return at + 4;
      case LOWER_F:
        return at + 5;
      default:
        return this.#number(at);
    }
  }

  #keys(): Set<string> | null {
    return this.#open.at(-1) ?? null;
  }

  #string(at: number): number {
    const end = skipString(this.#text, at);
    this.#checkSurrogates(at, end);
    if (this.#keyDue) this.#checkKey(at, end);
    return end;
  }

  #checkKey(at: number, end: number): void {
    const keys = this.#keys();
    const key = stringOf(this.#text, at, end);
    if (keys?.has(key) === true) {
      this.#warn(
        at,
        `The key ${quoted(JSON.stringify(key))} stands in this object before; most clients see only the last one.`,
      );
    }
    keys?.add(key);
  }

  #checkSurrogates(start: number, end: number): void {
    const text = this.#text;
    for (let at = start; at < end; at++) {
      if (text[at] !== BACKSLASH) continue;
      const unit = this.#escapedUnit(at);
      const isHigh = unit >= 0xd800 && unit <= 0xdbff;
      const next = isHigh ? this.#escapedUnit(at + 6) : -1;
      if (next >= 0xdc00 && next <= 0xdfff) {
        at += 11;
        continue;
      }
      if (isHigh || (unit >= 0xdc00 && unit <= 0xdfff)) {
        const half = textOf(text, at, at + 6);
        this.#warn(at, `${half} is half of a surrogate pair, which is no character.`);
      }
      at += unit < 0 ? 1 : 5;
    }
  }

  /** The UTF-16 unit of the \u escape at `at`; -1: something else stands there. */
  #escapedUnit(at: number): number {
    const text = this.#text;
    if (text[at] !== BACKSLASH || text[at + 1] !== LOWER_U) return -1;
    return Number.parseInt(textOf(text, at + 2, at + 6), 16);
  }

  #number(at: number): number {
    const text = this.#text;
    const end = scanNumber(text, at);
    // Every number this short is finite, and exact when it is an integer.
    if (end - at <= exactDigits && !hasExponent(text, at, end)) return end;
    const lexeme = textOf(text, at, end);
    const value = Number(lexeme);
    if (!Number.isFinite(value)) {
      this.#warn(
        at,
        `${quoted(lexeme)} is larger than a double can be; most clients read it as infinity, or fail.`,
      );
    } else if (isInexactInteger(lexeme, value)) {
      this.#warn(
        at,
        `${quoted(lexeme)} is beyond 2^53 and no double; most clients read it as ${BigInt(value)}.`,
      );
    }
    return end;
  }

  #warn(offset: number, message: string): void {
    if (this.warnings.length >= warningsMax) return;
    const place = this.#places.at(offset);
    const isLast = this.warnings.length === warningsMax - 1;
    const more = isLast ? ' The text is not looked through any further.' : '';
    this.warnings.push({ message: message + more, ...place });
  }
}

function hasExponent(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (((text[at] as number) | 0x20) === LOWER_E) return true;
  }
  return false;
}

function isInexactInteger(lexeme: string, value: number): boolean {
  if (lexeme.length > integerCharsMax || !integerForm.test(lexeme)) return false;
  return BigInt(lexeme) !== BigInt(value);
}

function quoted(text: string): string {
  return text.length <= quotedCharsMax ? text : `${text.slice(0, quotedCharsMax)}…`;
}

const integerForm = /^-?\d+$/;
