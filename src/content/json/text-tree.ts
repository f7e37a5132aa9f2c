/**
 * The values of a JSONC text as a tree with their places, for what edits texts as strings: offsets are UTF-16 units, as editors
 * count. It accepts what `stripJsonc` accepts, by the same scanners. Pure; works in a browser. `tree-edits.ts` edits by it.
 *
 * `edited-text.ts` gives a text another value as a whole, on bytes, for the server; this one is for edits of one place.
 */

import { BRACE_CLOSE, BRACKET_CLOSE, COLON, COMMA, LOWER_T, QUOTE } from './ascii.js';
import { scanNumber, scanString, scanWord } from './json-token.js';
import { skipBlank } from './jsonc-blank.js';
import { escapeToken, tokensOf } from './pointer-text.js';
import { type TextIssue, textIssueAtUnit } from './text-issue.js';
import { kindAt, type ValueKind } from './value-kind.js';

export type TextKind = ValueKind;

/** A value of the text. */
export interface TextNode {
  readonly kind: TextKind;
  /** Of the value, without its key. */
  readonly start: number;
  readonly end: number;
  /** Of a member's key with its quotes; -1: it is no member. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Name of a member; null: it is no member. */
  readonly name: string | null;
  /** Null: it is the root. */
  readonly parent: TextNode | null;
  /** Its place among the children of its parent; repeated names count each. */
  readonly index: number;
  /** Of an object or list, in the order of the text; of others none. */
  readonly children: readonly TextNode[];
}

export interface TextTree {
  readonly text: string;
  /** Its UTF-16 units, for the scanners. */
  readonly units: Uint16Array;
  readonly root: TextNode;
}

/** How deep objects and lists may nest, as what is stored may by default. */
const levelsDefault = 1_000;

/** @returns an issue whose offset is in UTF-16 units: the text is not JSONC */
export function parseTextTree(
  text: string,
  levelsMax: number = levelsDefault,
): TextTree | TextIssue {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  const parser = new TreeParser(text, units, levelsMax);
  const root = parser.parse();
  return root === null ? parser.issue() : { text, units, root };
}

/** A node while its text is read. */
interface OpenNode extends TextNode {
  end: number;
  readonly children: OpenNode[];
}

const noChildren: OpenNode[] = [];

class TreeParser {
  readonly #text: string;
  readonly #units: Uint16Array;
  readonly #levelsMax: number;
  #at = 0;
  #reason = '';

  constructor(text: string, units: Uint16Array, levelsMax: number) {
    this.#text = text;
    this.#units = units;
    this.#levelsMax = levelsMax;
  }

  /** No recursion: depth is data. Null: `issue` says why. */
  parse(): TextNode | null {
    if (!this.#skip()) return null;
    const root = this.#value(null, -1, -1);
    let open: OpenNode | null = root !== null && isContainer(root) ? root : null;
    let levels = open === null ? 0 : 1;
    while (open !== null) {
      if (levels > this.#levelsMax)
        return this.#fail(`Objects and lists may nest ${this.#levelsMax} levels deep.`);
      const child = this.#child(open);
      if (child === null) return null;
      if (child !== closed && isContainer(child)) {
        open = child;
        levels++;
      } else if (child === closed) {
        open = open.parent as OpenNode | null;
        levels--;
      }
    }
    if (root === null || !this.#skip()) return null;
    if (this.#at < this.#units.length) return this.#fail('Nothing more can follow the value.');
    return root;
  }

  issue(): TextIssue {
    return textIssueAtUnit(this.#text, this.#at, this.#reason);
  }

  /** The next child, complete or just opened; `closed`: the container ends here. */
  #child(parent: OpenNode): OpenNode | typeof closed | null {
    if (!this.#skip()) return null;
    const isObject = parent.kind === 'object';
    const close = isObject ? BRACE_CLOSE : BRACKET_CLOSE;
    const sign = isObject ? '"}"' : '"]"';
    if (parent.children.length > 0 && this.#units[this.#at] !== close) {
      if (this.#units[this.#at] !== COMMA) return this.#fail(`Expected "," or ${sign}.`);
      this.#at++;
      if (!this.#skip()) return null;
    }
    if (this.#units[this.#at] === close) {
      parent.end = ++this.#at;
      return closed;
    }
    const child = isObject ? this.#member(parent) : this.#value(parent, -1, -1);
    if (child !== null) parent.children.push(child);
    return child;
  }

  #member(parent: OpenNode): OpenNode | null {
    const start = this.#at;
    if (this.#units[start] !== QUOTE) return this.#fail('Expected a key in double quotes.');
    if (!this.#token(scanString(this.#units, start), 'The key is not a string.')) return null;
    const end = this.#at;
    if (!this.#skip()) return null;
    if (this.#units[this.#at] !== COLON) return this.#fail('Expected ":" after the key.');
    this.#at++;
    return this.#skip() ? this.#value(parent, start, end) : null;
  }

  #value(parent: OpenNode | null, keyStart: number, keyEnd: number): OpenNode | null {
    const start = this.#at;
    const kind = kindAt(this.#units[start]);
    const isOpen = kind === 'object' || kind === 'array';
    if (isOpen) this.#at++;
    else if (!this.#token(this.#scan(kind, start), messages[kind])) return null;
    const name = keyStart < 0 ? null : nameIn(this.#text, keyStart, keyEnd);
    const index = parent === null ? 0 : parent.children.length;
    const children: OpenNode[] = isOpen ? [] : noChildren;
    // Not spread: there may be a hundred thousand.
    return { kind, start, end: this.#at, keyStart, keyEnd, name, parent, index, children };
  }

  #scan(kind: ValueKind, at: number): number {
    switch (kind) {
      case 'string':
        return scanString(this.#units, at);
      case 'null':
        return scanWord(this.#units, at, wordNull);
      case 'boolean':
        return scanWord(this.#units, at, this.#units[at] === LOWER_T ? wordTrue : wordFalse);
      default:
        return scanNumber(this.#units, at);
    }
  }

  /** @param end as a scanner returns it */
  #token(end: number, message: string): boolean {
    this.#at = end < 0 ? Math.min(~end, this.#units.length) : end;
    if (end < 0) this.#reason = message;
    return end >= 0;
  }

  #skip(): boolean {
    return this.#token(
      skipBlank(this.#units, this.#at),
      'A comment begins here that is not closed.',
    );
  }

  #fail(reason: string): null {
    this.#reason = reason;
    return null;
  }
}

const closed = Symbol('closed');
const messages: Readonly<Record<ValueKind, string>> = {
  object: '',
  array: '',
  string: 'The string is not closed, or has a character that must be escaped.',
  number: 'Expected a value: a number, text in double quotes, true, false, null, "{" or "[".',
  boolean: 'Expected true or false.',
  null: 'Expected null.',
};

function isContainer({ kind }: TextNode): boolean {
  return kind === 'object' || kind === 'array';
}

function nameIn(text: string, start: number, end: number): string {
  const key = text.slice(start, end);
  return key.includes('\\') ? String(JSON.parse(key)) : key.slice(1, -1);
}

function unitsOf(word: string): Uint16Array {
  return Uint16Array.from(word, (character) => character.charCodeAt(0));
}

const wordTrue = unitsOf('true');
const wordFalse = unitsOf('false');
const wordNull = unitsOf('null');

/** Where a child begins: a member at its key. */
export function startOf({ keyStart, start }: TextNode): number {
  return keyStart < 0 ? start : keyStart;
}

/** The innermost value that an offset is in or at the end of, keys included; null: it is outside of the root. */
export function nodeAt({ root }: TextTree, offset: number): TextNode | null {
  if (offset < root.start || offset > root.end) return null;
  let node = root;
  for (;;) {
    const child = childAround(node.children, offset);
    if (child === null) return node;
    node = child;
  }
}

function childAround(children: readonly TextNode[], offset: number): TextNode | null {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle] as TextNode;
    if (offset > child.end) low = middle + 1;
    else high = middle;
  }
  const found = children[low];
  return found !== undefined && startOf(found) <= offset ? found : null;
}

/** JSON Pointer of a value. */
export function pointerOf(node: TextNode): string {
  let pointer = '';
  for (let at: TextNode = node; at.parent !== null; at = at.parent) {
    const token = at.name === null ? String(at.index) : escapeToken(at.name);
    pointer = `/${token}${pointer}`;
  }
  return pointer;
}

/** The value that a JSON Pointer names, or null; of a repeated name the last one. */
export function nodeOf(tree: TextTree, pointer: string): TextNode | null {
  const tokens = tokensOf(pointer);
  return tokens === null ? null : nodeAtTokens(tree, tokens);
}

/** The same by the names and indexes of a pointer. */
export function nodeAtTokens({ root }: TextTree, tokens: readonly string[]): TextNode | null {
  let node: TextNode | null = root;
  for (const token of tokens) {
    if (node === null) return null;
    node = childOf(node, token);
  }
  return node;
}

/** The member of a name, the last of a repeated one, or the element of an index; null: there is none. */
export function childOf(node: TextNode, token: string): TextNode | null {
  if (node.kind === 'array')
    return arrayIndex.test(token) ? (node.children[Number(token)] ?? null) : null;
  return node.children.findLast(({ name }) => name === token) ?? null;
}

const arrayIndex = /^(?:0|[1-9][0-9]*)$/;
