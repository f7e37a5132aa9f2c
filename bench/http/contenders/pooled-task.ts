/** The thread line of the contender `pooled`: shared memory, and messages of a few numbers. */
import type { Coding } from '../../../src/delivery/render/render-task.js';
import type { NativeChoice } from '../../bench.js';

/**
 * A request under way has a place in shared memory: its body goes there before the task is posted, and the response
 * replaces it. So no bytes are cloned, and no buffer is made or transferred. 256 KiB hold the largest request body
 * (64 KiB) and every response of the scenarios; a larger response is transferred.
 */
export const placeBytes: number = 256 * 1024;

/** Requests under way; more wait for a place. */
export const placesCount = 256;

/** What the pool resolves: one content in a form, or a combined call. */
export const Wanted = { Wrapped: 0, Serialized: 1, Plain: 2, Combined: 3 } as const;
export type Wanted = (typeof Wanted)[keyof typeof Wanted];

export interface PooledTask {
  readonly place: number;
  readonly bodyBytes: number;
  readonly wanted: Wanted;
  readonly coding: Coding;
  /** The content's id; of a combined call, the query. */
  readonly target: string;
}

/**
 * A number: the response is in its place, `length * codings + coding`; negative: the request is rejected with that
 * status. Else a response that is larger than a place.
 */
export type PooledReply = number | { readonly bytes: Uint8Array; readonly coding: Coding };

export const codings = 4;

export interface PooledWorkerData {
  readonly root: string;
  readonly publishedPath: string;
  readonly native: NativeChoice;
  readonly places: SharedArrayBuffer;
}
