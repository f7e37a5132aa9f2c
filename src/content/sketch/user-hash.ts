/** The 64-bit hash that users are counted by: two XXH32 with seeds of their own, so that it says nothing of any bucket. Pure. */
import { digestOf } from '../hash.js';
import { newScratch, scratchUnitsMax, writeText } from '../text-scratch.js';
import { xxh32 } from '../xxh32.js';

/** Bytes of a key. */
export const userHashKeyBytes = 8;

const scratch = newScratch();

export class UserHash {
  readonly #seedHigh: number;
  readonly #seedLow: number;
  /** Of the user that was hashed last: two signed 32-bit integers, which V8 keeps without a box. */
  high = 0;
  low = 0;

  /** @param key `userHashKeyBytes` of a secret: without it, ids with chosen hashes cannot be made up */
  constructor(key: Uint8Array) {
    const seeds = new DataView(key.buffer, key.byteOffset, userHashKeyBytes);
    this.#seedHigh = seeds.getInt32(0);
    this.#seedLow = seeds.getInt32(4);
  }

  /** Hashes a user id into `high` and `low`. Ids that do not fit the scratch are hashed by their SHA-256. */
  hash(u: string): void {
    const length = writeText(scratch, u.length <= scratchUnitsMax ? u : digestOf(u));
    this.high = xxh32(scratch, length, this.#seedHigh) | 0;
    this.low = xxh32(scratch, length, this.#seedLow) | 0;
  }
}
