/**
 * Receipts: tokens that refreshes and streams give to users of ramps. A client sends its token back to report whether the game
 * has started with what it was given (D88). Only the server can read and make them.
 */
import { createHmac } from 'node:crypto';
import type { Slice } from '../../content/ramp.js';
import { receiptCharactersMax } from '../limits.js';
import { deriveKey, TokenSeal } from '../sealed-token.js';

/** A step of a ramp, and the slice that a user is in. */
export interface ReceiptEntry {
  /** Id of the release. */
  readonly release: string;
  readonly run: number;
  readonly step: number;
  readonly slice: Slice;
}

/** Of the payload. */
const format = 1;
/** 64 bits: users of one game rarely share a hash, and without the key a hash identifies no user. */
const hashDigits = 16;

export class ReceiptTokens {
  readonly #streamKey: () => Uint8Array;
  readonly #seal: TokenSeal;
  #derivedFrom: Uint8Array | null = null;
  #hashKey: Uint8Array = new Uint8Array(0);

  /** @param streamKey the store's secret of now, see `PublishedIndex.streamKey` */
  constructor(streamKey: () => Uint8Array) {
    this.#streamKey = streamKey;
    this.#seal = new TokenSeal(streamKey, 'loadout receipt', format);
  }

  /** Keyed hash of a user id, the same on all nodes of a store: 16 lower-case hex digits. */
  userHash(environmentId: string, u: string): string {
    return this.#hash(`user\n${environmentId}\n${u}`);
  }

  /** The same of a client network, see `ClientNetworks`. */
  networkHash(environmentId: string, network: string): string {
    return this.#hash(`network\n${environmentId}\n${network}`);
  }

  /** @param userHash see `userHash` */
  seal(environmentId: string, userHash: string, entries: readonly ReceiptEntry[]): string {
    const steps = entries.map(({ release, run, step, slice }) => [release, run, step, slice]);
    return this.#seal.seal(Buffer.from(JSON.stringify([environmentId, userHash, steps]))).text;
  }

  /** @returns null for a receipt that was not made for this user in this environment */
  open(receipt: string, environmentId: string, userHash: string): readonly ReceiptEntry[] | null {
    const payload = this.#seal.open(receipt, receiptCharactersMax);
    if (payload === null) return null;
    const [itsEnvironment, itsUser, steps] = JSON.parse(Buffer.from(payload).toString()) as [
      string,
      string,
      readonly (readonly [string, number, number, Slice])[],
    ];
    if (itsEnvironment !== environmentId || itsUser !== userHash) return null;
    return steps.map(([release, run, step, slice]) => ({ release, run, step, slice }));
  }

  #hash(text: string): string {
    const streamKey = this.#streamKey();
    if (this.#derivedFrom !== streamKey) {
      this.#hashKey = deriveKey(streamKey, 'loadout receipt: hash');
      this.#derivedFrom = streamKey;
    }
    return createHmac('sha256', this.#hashKey).update(text).digest('hex').slice(0, hashDigits);
  }
}
