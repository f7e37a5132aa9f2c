/**
 * The document work of `content/`, done by the addon: functions of the same names and meanings as their TypeScript
 * twins (D20). The twins stay the oracle, and have the words: what the addon refuses, they are asked to explain.
 */

import assert from 'node:assert/strict';
import type { JsonDocument } from '../content/json/document.js';
import { stripJsonc } from '../content/json/jsonc.js';
import { TextFault } from '../content/json/text-fault.js';
import {
  compileMutation,
  type Mutation,
  MutationFault,
  type MutationKind,
} from '../content/mutation/mutation.js';
import { type Spliced, splice as spliceTwin } from '../content/mutation/splice.js';
import type { Addon, MutationHandle } from './addon.js';

/** A mutation compiled twice: to be applied, and to word its faults. Immutable, of one thread. */
export class NativeMutation {
  readonly handle: MutationHandle;
  readonly twin: Mutation;

  constructor(handle: MutationHandle, twin: Mutation) {
    this.handle = handle;
    this.twin = twin;
  }
}

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

/** Bytes to leave free around a result, in the same buffer, for the caller to fill. */
export interface Room {
  readonly before: number;
  readonly after: number;
  /** Makes the buffer, of exactly that many bytes; it must not call the addon. Without it, one of its own. */
  readonly allocate?: (length: number) => Uint8Array;
}

/** Most who splice only ask which mutations missed; the words are looked for when they are read. */
export class NativeSpliced implements Spliced {
  readonly bytes: Uint8Array;
  /** For each mutation the operation at which it missed (-1: no one's), or null: it applied. */
  readonly missedAt: readonly (number | null)[];
  readonly #word: (() => Spliced['faults']) | null;
  #faults: Spliced['faults'] | null = null;

  constructor(
    bytes: Uint8Array,
    missedAt: readonly (number | null)[],
    word: (() => Spliced['faults']) | null,
  ) {
    this.bytes = bytes;
    this.missedAt = missedAt;
    this.#word = word;
  }

  get faults(): Spliced['faults'] {
    if (this.#word === null) return this.missedAt as readonly null[];
    if (this.#faults === null) {
      this.#faults = this.#word();
      const missedAt = this.#faults.map((fault) => fault?.operation ?? null);
      assert.deepEqual(missedAt, this.missedAt, 'the twin misses where the addon does');
    }
    return this.#faults;
  }
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

  /** The twin is `compileMutation` of content/mutation/mutation.ts. The addon keeps a copy of the value. */
  compileMutation(kind: MutationKind, value: JsonDocument): NativeMutation | MutationFault {
    const twin = compileMutation(kind, value);
    if (twin instanceof MutationFault) return twin;
    const handle = this.#addon.compile(KIND_NUMBERS[kind], value.bytes, value.nodes);
    assert(handle !== null, 'what the twin compiles, the addon compiles');
    return new NativeMutation(handle, twin);
  }

  /** The twin is `splice` of content/mutation/splice.ts; `bytes` is a view on a buffer that has the room around it. */
  splice(
    document: JsonDocument,
    mutations: readonly NativeMutation[],
    bytesMax: number,
    room: Room = NO_ROOM,
  ): NativeSpliced {
    const handles: MutationHandle[] = [];
    for (let i = 0; i < mutations.length; i++)
      handles.push((mutations[i] as NativeMutation).handle);
    const { bytes, nodes } = document;
    const { before, after, allocate = allocateBytes } = room;
    const spliced = this.#addon.splice(bytes, nodes, handles, bytesMax, before, after, allocate);
    if (spliced instanceof Uint8Array) {
      return new NativeSpliced(within(spliced, room), handles.map(noFault), null);
    }
    const twins = mutations.map(({ twin }) => twin);
    const word = (): Spliced['faults'] => spliceTwin(document, twins, bytesMax).faults;
    return new NativeSpliced(within(spliced.bytes, room), spliced.faults, word);
  }

  /** The twin is `quoteJson` of content/json/quote.ts; with room as `splice`. */
  quoteJson(json: Uint8Array, room: Room = NO_ROOM): Uint8Array {
    const { before, after, allocate = allocateBytes } = room;
    return within(this.#addon.quote(json, before, after, allocate), room);
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

/** The result, without the room around it. */
function within(buffer: Uint8Array, { before, after }: Room): Uint8Array {
  return before + after === 0 ? buffer : buffer.subarray(before, buffer.length - after);
}

function noFault(): null {
  return null;
}

/** Not filled with zeros, of its own, so that it can be moved to another thread. */
function allocateBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function allocateWords(length: number): Uint32Array {
  return new Uint32Array(Buffer.allocUnsafeSlow(4 * length).buffer);
}

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);
const NO_ROOM: Room = { before: 0, after: 0 };
const KIND_NUMBERS: Readonly<Record<MutationKind, number>> = { merge: 0, patch: 1, replace: 2 };
