/**
 * The structural index of a minified JSON text: where each key and value begins and ends.
 *
 * It is one flat array of 32-bit words, so threads can share it and native code can make and read the same one.
 * Four words per value, values in document order (a container before its children):
 *
 *   word 0  keyStart    offset of the key's opening quote; NO_KEY for an array's elements and for the root
 *   word 1  valueStart  offset of the value's first byte
 *   word 2  valueEnd    offset after the value's last byte
 *   word 3  next        number of the first node after this value and all below it
 *
 * Node 0 is the root. The children of node i are i + 1, next(i + 1), ... while less than next(i). Since the text is
 * minified, the key of node i with its colon is [keyStart, valueStart), siblings are one comma apart, and the byte at
 * valueStart says what kind of value it is. Words are in the byte order of the machine; offsets are below 2^32 - 1.
 */

import assert from 'node:assert/strict';
import { BRACE_CLOSE, BRACE_OPEN, BRACKET_CLOSE, BRACKET_OPEN, COMMA, QUOTE } from './ascii.js';
import { skipString } from './json-token.js';

export interface JsonDocument {
  /** Minified JSON: what `stripJsonc` returns, nothing else. */
  readonly bytes: Uint8Array;
  /** The index, `NODE_WORDS` words per value. */
  readonly nodes: Uint32Array;
}

export const NODE_WORDS = 4;
export const NO_KEY = 0xffff_ffff;

export function keyStartOf(document: JsonDocument, node: number): number {
  return document.nodes[node * NODE_WORDS] as number;
}

export function valueStartOf(document: JsonDocument, node: number): number {
  return document.nodes[node * NODE_WORDS + 1] as number;
}

export function valueEndOf(document: JsonDocument, node: number): number {
  return document.nodes[node * NODE_WORDS + 2] as number;
}

export function nextOf(document: JsonDocument, node: number): number {
  return document.nodes[node * NODE_WORDS + 3] as number;
}

/** The first byte of a member, key included, or of an element. */
export function startOf(document: JsonDocument, node: number): number {
  const keyStart = keyStartOf(document, node);
  return keyStart === NO_KEY ? valueStartOf(document, node) : keyStart;
}

/** Indexes `json` in one pass. It must be the output of `stripJsonc`; of anything else the result means nothing. */
export function indexDocument(json: Uint8Array): JsonDocument {
  assert(json.length > 0 && json.length < NO_KEY, 'a document has a length that 32 bits can hold');
  const indexer = new Indexer(json);
  indexer.run();
  return { bytes: json, nodes: indexer.nodes.slice(0, indexer.count * NODE_WORDS) };
}

class Indexer {
  nodes: Uint32Array;
  count = 0;
  readonly #json: Uint8Array;
  /** The container being read. Its own parent waits in its `next` word, which is known only at its end. */
  #parent = NO_PARENT;

  constructor(json: Uint8Array) {
    this.#json = json;
    this.nodes = new Uint32Array(NODE_WORDS * (16 + (json.length >>> BYTES_PER_NODE_LOG2)));
  }

  run(): void {
    const json = this.#json;
    let at = this.#value(NO_KEY, 0);
    while (this.#parent !== NO_PARENT) {
      const byte = json[at];
      if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) {
        this.#close(++at);
      } else {
        if (byte === COMMA) at++;
        at = this.#child(at);
      }
    }
  }

  #child(at: number): number {
    const json = this.#json;
    const opener = json[this.nodes[this.#parent * NODE_WORDS + 1] as number];
    return opener === BRACE_OPEN
      ? this.#value(at, skipString(json, at) + 1)
      : this.#value(NO_KEY, at);
  }

  /** Adds a value and returns the offset after it; of a container, the offset after its opening bracket. */
  #value(keyStart: number, at: number): number {
    const json = this.#json;
    const node = this.#add(keyStart, at);
    const byte = json[at];
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      this.nodes[node * NODE_WORDS + 3] = this.#parent;
      this.#parent = node;
      return at + 1;
    }
    const end = byte === QUOTE ? skipString(json, at) : skipScalar(json, at);
    this.nodes[node * NODE_WORDS + 2] = end;
    this.nodes[node * NODE_WORDS + 3] = node + 1;
    return end;
  }

  #close(end: number): void {
    const word = this.#parent * NODE_WORDS;
    this.#parent = this.nodes[word + 3] as number;
    this.nodes[word + 2] = end;
    this.nodes[word + 3] = this.count;
  }

  #add(keyStart: number, valueStart: number): number {
    const node = this.count++;
    if (this.count * NODE_WORDS > this.nodes.length) {
      const grown = new Uint32Array(2 * this.nodes.length);
      grown.set(this.nodes);
      this.nodes = grown;
    }
    this.nodes[node * NODE_WORDS] = keyStart;
    this.nodes[node * NODE_WORDS + 1] = valueStart;
    return node;
  }
}

/** The end of a number or a word: whatever comes before the next comma or bracket. */
function skipScalar(json: Uint8Array, at: number): number {
  let i = at + 1;
  while (i < json.length) {
    const byte = json[i];
    if (byte === COMMA || byte === BRACE_CLOSE || byte === BRACKET_CLOSE) break;
    i++;
  }
  return i;
}

const NO_PARENT = 0xffff_ffff;

/** Game content has a value per 8 to 16 bytes; a wrong guess costs one doubling. */
const BYTES_PER_NODE_LOG2 = 3;
