/** Loads the addon of `native/`, and says what it has. The only file that knows where the binary is. */

import { createRequire } from 'node:module';
import { programFolder } from '../program-folder.js';

/** Makes the buffer of a result, of exactly that many bytes (or words). */
export type Allocate<T> = (length: number) => T;

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
