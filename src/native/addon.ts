/** Loads the addon of `native/`, and says what it has. The only file that knows where the binary is. */

import { createRequire } from 'node:module';
import { programFolder } from '../program-folder.js';

/** Makes the buffer of a result, of exactly that many bytes (or words). */
export type Allocate<T> = (length: number) => T;

/** A mutation in the addon's own memory, freed with the object. */
export interface MutationHandle {
  readonly brand: 'MutationHandle';
}

/** What came of mutations some of which missed: for each the operation at which it did (-1: no one's), or null. */
export interface RawSpliced {
  readonly bytes: Uint8Array;
  readonly faults: readonly (number | null)[];
}

/**
 * The functions of the addon. Each is synchronous; what it is given must not change until it returns, and `allocate`
 * must not call the addon. `before` and `after` are bytes of room around a result, left to the caller to fill.
 */
export interface Addon {
  /**
   * The hash of the JSON, which `allocateBytes` made room for; with its index, if there is `allocateWords`.
   * Or the offset in bytes at which the text is refused.
   */
  strip(
    text: Uint8Array,
    levelsMax: number,
    allocateBytes: Allocate<Uint8Array>,
    allocateWords: Allocate<Uint32Array> | null,
  ): string | number;
  /** False: it is no minified JSON. */
  index(json: Uint8Array, allocateWords: Allocate<Uint32Array>): boolean;
  hash(json: Uint8Array): string;
  /** `kind`: 0 merge, 1 patch, 2 replace. Null: it cannot be compiled. */
  compile(kind: number, json: Uint8Array, nodes: Uint32Array): MutationHandle | null;
  /** The bytes alone if every mutation applied. */
  splice(
    json: Uint8Array,
    nodes: Uint32Array,
    mutations: readonly MutationHandle[],
    bytesMax: number,
    before: number,
    after: number,
    allocateBytes: Allocate<Uint8Array>,
  ): Uint8Array | RawSpliced;
  quote(
    json: Uint8Array,
    before: number,
    after: number,
    allocateBytes: Allocate<Uint8Array>,
  ): Uint8Array;
  /** The kernels that this machine runs, best first. */
  kernelNames(): string[];
  /** What this thread uses from now on, instead of the best; for tests and measurements. */
  useKernel(name: string): void;
}

/** Throws what Node throws where the addon is missing, or was built for another machine. */
export function loadAddon(): Addon {
  return createRequire(programFolder)('../native/build/Release/loadout.node') as Addon;
}
