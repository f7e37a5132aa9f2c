/** The work on documents that rendering needs, done by the addon or by its TypeScript twins. */
import { indexDocument, type JsonDocument } from '../../content/json/document.js';
import { quoteJson } from '../../content/json/quote.js';
import type { MutationSource } from '../../content/mapping/mapping.js';
import { compileMutation, type Mutation, MutationFault } from '../../content/mutation/mutation.js';
import { splice } from '../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { chooseNative, type NativeChoice } from '../../native/native-choice.js';
import type { NativeContent, NativeMutation } from '../../native/native-content.js';

/** Bytes to leave free around a result, in the same buffer. */
export interface Room {
  readonly before: number;
  readonly after: number;
  /** Makes the buffer of a splice, of exactly that many bytes; without it, one of its own. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
}

/** A result with room around it: it stands at `[room.before, room.before + length)` of `buffer`. */
export interface Worked {
  readonly buffer: Uint8Array;
  readonly length: number;
  /** Indexes of the mutations that could not apply. */
  readonly missed: readonly number[];
}

/** One thread's means to work on documents. Results are buffers of their own, which can be moved to other threads. */
export interface DocumentWork {
  readonly name: 'native' | 'typescript';
  index(json: Uint8Array): JsonDocument;
  splice(document: JsonDocument, mutations: readonly MutationSource[], room: Room): Worked;
  /** The JSON text as a JSON string. */
  quote(json: Uint8Array, room: Room): Worked;
  copy(json: Uint8Array, room: Room): Worked;
}

/**
 * Chosen once per thread, at its start.
 * @throws when the addon is wanted and cannot be loaded
 */
export function chooseDocumentWork(choice: NativeChoice): DocumentWork {
  const native = chooseNative(choice);
  return native === null ? new TypeScriptWork() : new NativeWork(native);
}

const none: readonly number[] = [];
const noBytes: Uint8Array = new Uint8Array(0);

class NativeWork implements DocumentWork {
  readonly name = 'native';
  readonly #native: NativeContent;
  readonly #compiled = new WeakMap<MutationSource, NativeMutation>();

  constructor(native: NativeContent) {
    this.#native = native;
  }

  index(json: Uint8Array): JsonDocument {
    return this.#native.indexDocument(json);
  }

  splice(document: JsonDocument, mutations: readonly MutationSource[], room: Room): Worked {
    const compiled: NativeMutation[] = [];
    for (const source of mutations) compiled.push(this.#compile(source));
    const { before, after, allocate: allocateFor = allocate } = room;
    let buffer = noBytes;
    const spliced = this.#native.splice(document, compiled, mutatedBytesMax, {
      before,
      after,
      allocate: (length) => {
        buffer = allocateFor(length);
        return buffer;
      },
    });
    return worked(buffer, room, indexesOf(spliced.missedAt));
  }

  quote(json: Uint8Array, room: Room): Worked {
    const { before, after } = room;
    return worked(wholeOf(this.#native.quoteJson(json, { before, after })), room, none);
  }

  copy(json: Uint8Array, room: Room): Worked {
    return withRoom(json, room, none);
  }

  #compile(source: MutationSource): NativeMutation {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const compiled = this.#native.compileMutation(source.kind, source.document);
    if (compiled instanceof MutationFault)
      throw new Error('A published mutation does not compile.');
    this.#compiled.set(source, compiled);
    return compiled;
  }
}

class TypeScriptWork implements DocumentWork {
  readonly name = 'typescript';
  readonly #compiled = new WeakMap<MutationSource, Mutation>();

  index(json: Uint8Array): JsonDocument {
    return indexDocument(json);
  }

  splice(document: JsonDocument, mutations: readonly MutationSource[], room: Room): Worked {
    const compiled = mutations.map((source) => this.#compile(source));
    const { bytes, faults } = splice(document, compiled, mutatedBytesMax);
    return withRoom(bytes, room, indexesOf(faults));
  }

  quote(json: Uint8Array, room: Room): Worked {
    return withRoom(quoteJson(json), room, none);
  }

  copy(json: Uint8Array, room: Room): Worked {
    return withRoom(json, room, none);
  }

  #compile(source: MutationSource): Mutation {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const compiled = compileMutation(source.kind, source.document);
    if (compiled instanceof MutationFault)
      throw new Error('A published mutation does not compile.');
    this.#compiled.set(source, compiled);
    return compiled;
  }
}

function worked(buffer: Uint8Array, room: Room, missed: readonly number[]): Worked {
  return { buffer, length: buffer.byteLength - room.before - room.after, missed };
}

/** The buffer that a result was made in, room included. */
function wholeOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer);
}

/** Not filled with zeros: all of it is written before anybody reads it. Its own memory, so that it can be moved. */
function allocate(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function withRoom(bytes: Uint8Array, room: Room, missed: readonly number[]): Worked {
  const { allocate: allocateFor = allocate } = room;
  const buffer = allocateFor(room.before + bytes.byteLength + room.after);
  buffer.set(bytes, room.before);
  return worked(buffer, room, missed);
}

function indexesOf(faults: readonly unknown[]): readonly number[] {
  let missed: number[] | null = null;
  for (let at = 0; at < faults.length; at += 1) {
    if (faults[at] === null) continue;
    missed ??= [];
    missed.push(at);
  }
  return missed ?? none;
}
