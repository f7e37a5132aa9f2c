/**
 * The document work of `content/`, done by the addon: functions of the same names and meanings as their TypeScript
 * twins (D20). The twins stay the oracle, and have the words: what the addon refuses, they are asked to explain.
 */

import assert from 'node:assert/strict';
import type { JsonDocument } from '../content/json/document.js';
import { stripJsonc } from '../content/json/jsonc.js';
import { allocateBytes, type Room } from '../content/json/room.js';
import { TextFault } from '../content/json/text-fault.js';
import type { Addon } from './addon.js';

/** A text made ready in one pass: the delivered JSON, its index, and its reported hash. */
export interface PreparedContent {
  readonly document: JsonDocument;
  readonly hash: string;
}

/** What a text delivers, and the hash that clients see of it. */
export interface DeliveredText {
  readonly json: Uint8Array;
  readonly hash: string;
}

export class NativeContent {
  readonly #addon: Addon;

  constructor(addon: Addon) {
    this.#addon = addon;
  }

  /** The delivered form of a stored text; the twin is `stripJsonc` of content/json/jsonc.ts. */
  stripJsonc(text: Uint8Array, levelsMax: number): Uint8Array | TextFault {
    const delivered = this.deliver(text, levelsMax);
    return delivered instanceof TextFault ? delivered : delivered.json;
  }

  /** The same with its hash, in one pass; the twins are `stripJsonc` and `contentHash` of content/hash.ts. */
  deliver(text: Uint8Array, levelsMax: number): DeliveredText | TextFault {
    let json: Uint8Array = NO_BYTES;
    const hash = this.#addon.strip(
      text,
      levelsMax,
      (length) => {
        json = allocateBytes(length);
        return json;
      },
      null,
    );
    return typeof hash === 'string' ? { json, hash } : explain(text, levelsMax, hash);
  }

  /** `isShared`: on memory that several threads can read at once, instead of memory that can be moved to another. */
  prepare(text: Uint8Array, levelsMax: number, isShared: boolean): PreparedContent | TextFault {
    let bytes: Uint8Array = NO_BYTES;
    let nodes: Uint32Array = NO_WORDS;
    const hash = this.#addon.strip(
      text,
      levelsMax,
      (length) => {
        bytes = isShared ? new Uint8Array(new SharedArrayBuffer(length)) : allocateBytes(length);
        return bytes;
      },
      (length) => {
        nodes = isShared
          ? new Uint32Array(new SharedArrayBuffer(4 * length))
          : allocateWords(length);
        return nodes;
      },
    );
    if (typeof hash !== 'string') return explain(text, levelsMax, hash);
    return { document: { bytes, nodes }, hash };
  }

  /** The twin is `indexDocument` of content/json/document.ts; what is no minified JSON fails an assertion. */
  indexDocument(json: Uint8Array): JsonDocument {
    let nodes: Uint32Array = NO_WORDS;
    const isJson = this.#addon.index(json, (length) => {
      nodes = allocateWords(length);
      return nodes;
    });
    assert(isJson, 'what is indexed is minified JSON');
    return { bytes: json, nodes };
  }

  /** The twin is `contentHash` of content/hash.ts. */
  contentHash(json: Uint8Array): string {
    return this.#addon.hash(json);
  }

  /** The twin is `quoteJson` of content/json/quote.ts; the result has the room around it. */
  quoteJson(json: Uint8Array, { before, after, allocate = allocateBytes }: Room): Uint8Array {
    return this.#addon.quote(json, before, after, allocate);
  }
}

/** `offset` is where the addon refuses the text. */
function explain(text: Uint8Array, levelsMax: number, offset: number): TextFault {
  const fault = stripJsonc(text, levelsMax);
  assert(
    fault instanceof TextFault && fault.offset === offset,
    'the twin refuses what the addon does',
  );
  return fault;
}

function allocateWords(length: number): Uint32Array {
  return new Uint32Array(Buffer.allocUnsafeSlow(4 * length).buffer);
}

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);
