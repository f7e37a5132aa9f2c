/** Finds the keys and values of one text that contain what is searched for, with their paths and places. */
import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COMMA,
  QUOTE,
} from '../../content/json/ascii.js';
import { stringOf, textOf } from '../../content/json/json-text.js';
import { skipString } from '../../content/json/json-token.js';
import { skipBlank } from '../../content/json/jsonc-blank.js';
import { escapeToken } from '../../content/json/pointer-text.js';
import type { SearchHit } from '../../contract/operations/search/search-content.js';
import { PlaceFinder } from '../contents/validate/place-finder.js';
import { searchHitChars, searchPageCharsMax } from '../limits/experiments.js';
import { type Candidates, SearchPattern } from './search-pattern.js';
import { snippetOf } from './snippet.js';

export interface TextSearch {
  /** JSON with comments, known to be valid. */
  readonly text: Uint8Array;
  /** What to look for. */
  readonly query: string;
  /** Byte offset before which no key or value begins that is found. */
  readonly from: number;
  /** The most hits that are wanted. */
  readonly limit: number;
}

type HitMember = 'path' | 'match' | 'line' | 'column' | 'snippet' | 'at' | 'length';

/** A hit in one text. */
export type TextHit = Pick<SearchHit, HitMember>;

export interface FoundInText {
  /** In the order of the text. */
  readonly hits: readonly TextHit[];
  /** Byte offset of the first key or value that is found beyond the limit; null: there is none. */
  readonly next: number | null;
}

/** It stops early where hits have long paths, too. */
export function findInText(search: TextSearch): FoundInText {
  return new TextScan(search).run();
}

/** An object or array that the scan is in. */
interface Container {
  readonly isObject: boolean;
  /** Of the last element; -1 before the first. */
  index: number;
  /** Range of the last key's literal. */
  keyStart: number;
  keyEnd: number;
}

class TextScan {
  readonly #text: Uint8Array;
  readonly #pattern: SearchPattern;
  readonly #candidates: Candidates;
  readonly #places: PlaceFinder;
  readonly #from: number;
  readonly #limit: number;
  readonly #hits: TextHit[] = [];
  /** What the hits take in a response, about. */
  #characters = 0;
  #next: number | null = null;
  readonly #open: Container[] = [];
  /** Where a match may begin next; the text's length: nowhere. */
  #candidate: number;

  constructor({ text, query, from, limit }: TextSearch) {
    this.#text = text;
    this.#pattern = new SearchPattern(query);
    this.#candidates = this.#pattern.candidatesIn(text);
    this.#places = new PlaceFinder(text);
    this.#from = from;
    this.#limit = limit;
    this.#candidate = this.#nextCandidate(from);
  }

  run(): FoundInText {
    const text = this.#text;
    let at = skipBlank(text, 0);
    while (at < text.length && this.#candidate < text.length && this.#next === null) {
      at = skipBlank(text, this.#token(at));
    }
    return { hits: this.#hits, next: this.#next };
  }

  /** Takes the token at `at`; returns the offset after it. */
  #token(at: number): number {
    const byte = this.#text[at];
    if (byte === COLON) return at + 1;
    const parent = this.#open.at(-1);
    if (byte === COMMA) {
      if (parent !== undefined) parent.keyEnd = 0;
      return at + 1;
    }
    if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) {
      this.#open.pop();
      return at + 1;
    }
    if (parent?.isObject === true && parent.keyEnd === 0) {
      parent.keyStart = at;
      parent.keyEnd = skipString(this.#text, at);
      this.#look(at, parent.keyEnd, 'key');
      return parent.keyEnd;
    }
    if (parent !== undefined) parent.index++;
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      this.#open.push({ isObject: byte === BRACE_OPEN, index: -1, keyStart: 0, keyEnd: 0 });
      return at + 1;
    }
    const end = byte === QUOTE ? skipString(this.#text, at) : scalarEnd(this.#text, at);
    this.#look(at, end, 'value');
    return end;
  }

  /** Adds the key or value in that range if it matches. */
  #look(start: number, end: number, match: TextHit['match']): void {
    if (start < this.#from) return;
    if (this.#candidate < start) this.#candidate = this.#nextCandidate(start);
    if (this.#candidate >= end) return;
    const text = this.#text;
    const characters =
      text[start] === QUOTE ? stringOf(text, start, end) : textOf(text, start, end);
    const found = this.#pattern.matchIn(characters);
    if (found === null) return;
    if (this.#hits.length >= this.#limit || this.#characters >= searchPageCharsMax) {
      this.#next = start;
      return;
    }
    const path = this.#path();
    this.#characters += path.length + searchHitChars;
    this.#hits.push({ path, match, ...this.#places.at(start), ...snippetOf(characters, found) });
  }

  #nextCandidate(from: number): number {
    const found = this.#candidates.next(from);
    return found < 0 ? this.#text.length : found;
  }

  /** JSON Pointer to the value, or the member, that the scan is at. */
  #path(): string {
    return this.#open
      .map(({ isObject, index, keyStart, keyEnd }) =>
        isObject ? `/${escapeToken(stringOf(this.#text, keyStart, keyEnd))}` : `/${index}`,
      )
      .join('');
  }
}

/** The offset after a number or a word. */
function scalarEnd(text: Uint8Array, at: number): number {
  let end = at;
  while (isScalarByte[text[end] ?? 0] === 1) end++;
  return end;
}

const isScalarByte = new Uint8Array(256);
for (const character of '+-.0123456789Eaeflnrstu') isScalarByte[character.charCodeAt(0)] = 1;
