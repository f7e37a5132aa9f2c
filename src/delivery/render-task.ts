/** The thread line between the front end and the pool workers: messages, nothing else. */

/** What stands before the data in a wrapped body, and behind it up to where the caller's own part begins. */
export const wrapperHead = '{"data":';
export const wrapperFoot = (hash: string): string => `,"hash":"${hash}","meta":{"uid":`;

/** What of a content is wanted. Wrapped forms hold `{"data":…,"hash":…,"meta":{"uid":`, ready for the caller's tail. */
export const Form = { Wrapped: 0, Serialized: 1, Plain: 2 } as const;
export type Form = (typeof Form)[keyof typeof Form];

export interface RenderTask {
  /** SHA-256 of the delivered JSON of the line. */
  readonly bodyDigest: string;
  /** XXH3-64 of the same, as callers see it. */
  readonly hash: string;
  /** SHA-256 of the mapping text; '' when `choices` mutate nothing. */
  readonly mappingDigest: string;
  /** Per rule of the mapping: -1 not applied, else the variant's index (0 where there are none). */
  readonly choices: readonly number[];
  readonly form: Form;
  /** Whether a compressed answer is wanted. */
  readonly gzip: boolean;
}

export interface RenderedParts {
  /** The uncompressed bytes; null when only the compressed ones are worth keeping. */
  readonly bytes: Uint8Array | null;
  /**
   * Compressed. Wrapped forms: raw deflate blocks, flushed to a byte boundary and without an end, so that
   * the caller's tail can follow as a stored block. Plain: a whole gzip member. Null when not asked for.
   */
  readonly deflated: Uint8Array | null;
  /** CRC-32 of the uncompressed bytes, for the gzip trailer. */
  readonly crc: number;
  readonly bytesLength: number;
  /** Indexes into the selection's mutations: those that could not apply to the data they met. */
  readonly missed: readonly number[];
}

/** null: the body or the mapping is no longer in published.db. */
export type RenderReply = readonly (RenderedParts | null)[];

export type PoolTask =
  | { readonly type: 'render'; readonly tasks: readonly RenderTask[] }
  /** Compresses bytes that no one else will ask for. */
  | { readonly type: 'gzip'; readonly bytes: Uint8Array };

export interface WorkerOptions {
  readonly publishedPath: string;
}
