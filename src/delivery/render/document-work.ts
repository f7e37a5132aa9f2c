/** The work on documents that rendering needs: indexes and JSON strings by the addon where there is one, splices by TypeScript (D78). */
import { indexDocument, type JsonDocument } from '../../content/json/document.js';
import { quoteJson } from '../../content/json/quote.js';
import { allocateBytes, type Room } from '../../content/json/room.js';
import type { MutationSource } from '../../content/mapping/mapping.js';
import { compileMutation, type Mutation, MutationFault } from '../../content/mutation/mutation.js';
import { applyMutations } from '../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { writeValue } from '../../content/mutation/write-value.js';
import { chooseNative, type NativeChoice } from '../../native/native-choice.js';
import type { NativeContent } from '../../native/native-content.js';

/** A result with room around it: it stands at `[room.before, room.before + length)` of `buffer`. */
export interface Worked {
  readonly buffer: Uint8Array;
  readonly length: number;
  /** Indexes of the mutations that could not apply. */
  readonly missed: readonly number[];
}

/**
 * Chosen once per thread, at its start.
 * @throws when the addon is wanted and cannot be loaded
 */
export function chooseDocumentWork(choice: NativeChoice): DocumentWork {
  return new DocumentWork(chooseNative(choice));
}

const none: readonly number[] = [];

/** One thread's means to work on documents. Results are buffers of their own, which can be moved to other threads. */
export class DocumentWork {
  readonly #native: NativeContent | null;
  readonly #compiled = new WeakMap<MutationSource, Mutation>();

  constructor(native: NativeContent | null) {
    this.#native = native;
  }

  get name(): 'native' | 'typescript' {
    return this.#native === null ? 'typescript' : 'native';
  }

  index(json: Uint8Array): JsonDocument {
    return this.#native === null ? indexDocument(json) : this.#native.indexDocument(json);
  }

  splice(document: JsonDocument, mutations: readonly MutationSource[], room: Room): Worked {
    const compiled = mutations.map((source) => this.#compile(source));
    const { value, faults } = applyMutations(document, compiled, mutatedBytesMax);
    return worked(writeValue(value, room), room, indexesOf(faults));
  }

  /** The JSON text as a JSON string. */
  quote(json: Uint8Array, room: Room): Worked {
    if (this.#native === null) return this.copy(quoteJson(json), room);
    return worked(this.#native.quoteJson(json, room), room, none);
  }

  copy(json: Uint8Array, room: Room): Worked {
    const { before, after, allocate = allocateBytes } = room;
    const buffer = allocate(before + json.byteLength + after);
    buffer.set(json, before);
    return worked(buffer, room, none);
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

function worked(buffer: Uint8Array, { before, after }: Room, missed: readonly number[]): Worked {
  return { buffer, length: buffer.byteLength - before - after, missed };
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
