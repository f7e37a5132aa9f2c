/** OFREP's evaluation of one flag, for all players who get the same body: the response to a single one, and an item of a bulk. */

import type { FlagRange } from '../../content/flags/locate-flag.js';
import type { JsonDocument } from '../../content/json/document.js';
import type { Problem } from '../problems.js';
import type { RenderSlot } from './render-slot.js';

/** What is kept of evaluations: a flag, or that there is none. */
export type KeptFlag = FlagResponse | FlagMiss;

/** Objects, the slot's map and the cache's entry, beside the bytes and the key. */
const overheadBytes = 700;

export class FlagResponse {
  readonly key: string;
  /** JSON: an object, complete. */
  readonly bytes: Uint8Array;
  /** Targeting rules that could not apply. */
  readonly rulesMissed: number;
  /** The same as a gzip member; null until it was made. */
  packed: Uint8Array | null = null;
  /** Asked for before: the next response is worth compressing. */
  isProven = false;
  isPacking = false;
  /** When the cache was last notified that it is in use, milliseconds since the epoch. */
  touchedAtMs = 0;

  constructor(key: string, bytes: Uint8Array, rulesMissed: number) {
    this.key = key;
    this.bytes = bytes;
    this.rulesMissed = rulesMissed;
  }

  /** Roughly what it holds in memory. */
  get size(): number {
    const packed = this.packed?.byteLength ?? 0;
    return overheadBytes + 2 * this.key.length + this.bytes.byteLength + packed;
  }
}

/** That a body has no such flag. */
export class FlagMiss {
  readonly key: string;
  readonly problem: Problem;
  /** See `FlagResponse.touchedAtMs`. */
  touchedAtMs = 0;

  constructor(key: string, problem: Problem) {
    this.key = key;
    this.problem = problem;
  }

  /** Roughly what it holds in memory: the key is in the sentence for people too, and both may have two bytes a character. */
  get size(): number {
    return 2 * overheadBytes + 4 * this.key.length + this.problem.body.byteLength;
  }
}

/**
 * @param key as the client wrote it, decoded
 * @param missed indexes of the mutations that could not apply
 * @param document what the slot's body holds; its bytes are copied
 */
export function makeFlagResponse(
  key: string,
  slot: RenderSlot,
  missed: readonly number[],
  document: JsonDocument,
  { start, end }: FlagRange,
): FlagResponse {
  const { reason, variant } = slot.flagReason(missed);
  const { hash, versionText } = slot.line;
  const metadata = `{"hash":"${hash}","versionLine":"${versionText}"}`;
  const head = Buffer.from(`{"key":${JSON.stringify(key)},"value":`);
  const foot = Buffer.from(
    `,"reason":"${reason}","variant":${JSON.stringify(variant)},"metadata":${metadata}}`,
  );
  const value = document.bytes.subarray(start, end);
  const bytes = new Uint8Array(head.byteLength + value.byteLength + foot.byteLength);
  bytes.set(head, 0);
  bytes.set(value, head.byteLength);
  bytes.set(foot, head.byteLength + value.byteLength);
  return new FlagResponse(key, bytes, missed.length);
}
