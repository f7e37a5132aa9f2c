/** The thread line between the front end and the pool workers: messages, nothing else. */

import type { WideContainers } from '../../content/flags/wide-containers.js';
import type { NativeChoice } from '../../native/native-choice.js';

/** What of a content is wanted. */
export const Form = { Wrapped: 0, Serialized: 1, Plain: 2 } as const;
export type Form = (typeof Form)[keyof typeof Form];

/** How the response is encoded. Brotli only for bytes that have no caller's part: plain contents and the catalog. */
export const Coding = { Identity: 0, Gzip: 1, Brotli: 2 } as const;
export type Coding = (typeof Coding)[keyof typeof Coding];

/** What stands before the data in a wrapped body. */
export const wrapperHead = '{"data":';

export interface RenderTask {
  /** SHA-256 of the delivered JSON of the line. */
  readonly bodyDigest: string;
  /** SHA-256 of the mapping text; '' when `choices` mutate nothing. */
  readonly mappingDigest: string;
  /** Per rule of the mapping: -1 not applied, else the variant's index (0 where there are none). */
  readonly choices: readonly number[];
  readonly form: Form;
  readonly coding: Coding;
  /** Bytes to leave behind the body for the tail. */
  readonly tailRoom: number;
}

/**
 * A rendered body. Wrapped forms end with the data, and have room for the response's tail (caller-tail.ts) in the same
 * buffer, so that the response is one piece of memory without copying the body.
 */
export interface RenderedParts {
  /** Uncompressed, `rawLength` bytes and room behind them; null when a larger compressed form was asked for. */
  readonly raw: Uint8Array | null;
  readonly rawLength: number;
  /**
   * Gzip: the member's header and deflate blocks that end on a byte boundary, none of them the last one; then room
   * for the tail, and for a plain body the end of the member. Brotli: the whole stream. Null: not asked for.
   */
  readonly packed: Uint8Array | null;
  /** Gzip: without the end of the member. Brotli: all of it. */
  readonly packedLength: number;
  /** CRC-32 of the uncompressed bytes, and what continues another CRC over them (see crc32.ts). */
  readonly crc: number;
  readonly crcShift: number;
  /** CRC-32 of the data as JSON, also where the body holds it as a string; -1 until a refresh needs it. */
  dataCrc: number;
  /** Indexes into the selection's mutations: those that could not apply to the data they met. */
  readonly missed: readonly number[];
}

/** A parsed content, for splices small enough to be made by the front end itself. */
export interface DocumentParts {
  readonly bytes: Uint8Array;
  readonly nodes: Uint32Array;
}

/** Where the values of a JSON text are, for flags. */
export interface FlagIndex {
  /** The words of the index (json/document.ts). */
  readonly nodes: Uint32Array;
  /** Null for a text that is small enough to be looked through. */
  readonly wide: WideContainers | null;
}

/** A task that could not be done; the others of its batch are not concerned. */
export interface RenderFailure {
  readonly failure: string;
  /** It is published.db that is damaged. */
  readonly damaged: boolean;
}

/** null: the body or the mapping is no longer in published.db. */
export type RenderReply = readonly (RenderedParts | RenderFailure | null)[];

export type PoolTask =
  | { readonly type: 'render'; readonly tasks: readonly RenderTask[] }
  /** The result is DocumentParts, RenderFailure, or null. */
  | { readonly type: 'document'; readonly bodyDigest: string }
  /** The result is FlagIndex. */
  | { readonly type: 'index'; readonly json: Uint8Array }
  /** Compresses bytes that are no rendered body: the catalog. */
  | { readonly type: 'compress'; readonly bytes: Uint8Array; readonly coding: Coding };

export interface WorkerOptions {
  readonly publishedPath: string;
  readonly native: NativeChoice;
}
