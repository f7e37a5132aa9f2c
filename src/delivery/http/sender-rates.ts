/** Rates of a route that clients send to: of each client network, then of each API key, which all players of a game share. */
import type { Problem } from '../problems.js';
import { type RequestRate, RequestRates } from './request-rates.js';

/** A rate, and how a request that passes it is rejected. */
export interface BoundedRate extends RequestRate {
  readonly problem: Problem;
}

export class SenderRates {
  readonly #networks: RequestRates;
  readonly #keys: RequestRates;
  readonly #networkProblem: Problem;
  readonly #keyProblem: Problem;

  constructor(ofNetwork: BoundedRate, ofKey: BoundedRate) {
    this.#networks = new RequestRates(ofNetwork);
    this.#keys = new RequestRates(ofKey);
    this.#networkProblem = ofNetwork.problem;
    this.#keyProblem = ofKey.problem;
  }

  /**
   * Counts a request. What a network has too many of does not count for the key.
   * @param network see `ClientNetworks`
   * @param key the text of an API key that was found good
   * @param nowMs performance.now()
   * @returns why it may not be made, or null
   */
  refusal(network: string, key: string, nowMs: number): Problem | null {
    if (!this.#networks.allows(network, nowMs)) return this.#networkProblem;
    return this.refusalOfKey(key, nowMs);
  }

  /** The same for a sender whose network does not count. */
  refusalOfKey(key: string, nowMs: number): Problem | null {
    return this.#keys.allows(key, nowMs) ? null : this.#keyProblem;
  }
}
