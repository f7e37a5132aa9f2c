/** Bounds how many streams are open: by client network first, so that one of them cannot take what a key or the process has. */
import {
  streamNetworkRetrySecondsMax,
  streamSlotSecondsMax,
  streamSlotsPerSecond,
  streamsBytesMax,
  streamsBytesPerAddressMax,
} from '../limits.js';

export interface StreamLimitsOptions {
  /** Streams of this process. */
  readonly max: number;
  /** Streams of one key, and of one client network. */
  readonly perKey: number;
  readonly perNetwork: number;
}

/** What one stream counts as, until it is given back. */
export interface StreamClaim {
  /** See `ClientNetworks`. */
  readonly network: string;
  /** SHA-256 of the key's text, lower-case hex. */
  readonly keyHash: string;
  /** What it holds in memory, bytes as they are estimated. */
  readonly bytes: number;
}

export class StreamLimits {
  readonly #options: StreamLimitsOptions;
  readonly #byNetwork = new Map<string, number>();
  readonly #bytesByNetwork = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  #open = 0;
  #bytes = 0;
  /** When the next refused client is to come back; performance.now(). */
  #nextSlotMs = 0;

  constructor(options: StreamLimitsOptions) {
    this.#options = options;
  }

  /** Streams that are open. */
  get open(): number {
    return this.#open;
  }

  /** Whether another stream would be one too many. */
  refuses(network: string, keyHash: string, bytes = 0): boolean {
    const { max, perKey, perNetwork } = this.#options;
    return (
      (this.#byNetwork.get(network) ?? 0) >= perNetwork ||
      (this.#bytesByNetwork.get(network) ?? 0) + bytes > streamsBytesPerAddressMax ||
      (this.#byKey.get(keyHash) ?? 0) >= perKey ||
      this.#open >= max ||
      this.#bytes + bytes > streamsBytesMax
    );
  }

  take({ network, keyHash, bytes }: StreamClaim): void {
    this.#open += 1;
    this.#bytes += bytes;
    count(this.#byNetwork, network, 1);
    count(this.#bytesByNetwork, network, bytes);
    count(this.#byKey, keyHash, 1);
  }

  giveBack({ network, keyHash, bytes }: StreamClaim): void {
    this.#open -= 1;
    this.#bytes -= bytes;
    count(this.#byNetwork, network, -1);
    count(this.#bytesByNetwork, network, -bytes);
    count(this.#byKey, keyHash, -1);
  }

  /** Counts what is held beside streams, or gives it back. */
  hold(network: string, bytes: number): void {
    this.#bytes += bytes;
    count(this.#bytesByNetwork, network, bytes);
  }

  /**
   * Value of Retry-After for a refused client, whole seconds. Each gets a slot of its own, so that they do not come back
   * together; where there are too many for that, they share the last ones. A network that has all its streams takes no slot
   * from others: its clients come back at random.
   */
  retryAfter(network: string, nowMs: number): string {
    if ((this.#byNetwork.get(network) ?? 0) >= this.#options.perNetwork) {
      return String(1 + Math.floor(Math.random() * streamNetworkRetrySecondsMax));
    }
    this.#nextSlotMs = Math.max(this.#nextSlotMs, nowMs + 1_000) + 1_000 / streamSlotsPerSecond;
    const latestMs = nowMs + 1_000 * streamSlotSecondsMax;
    if (this.#nextSlotMs > latestMs) this.#nextSlotMs = nowMs + 1_000 * (streamSlotSecondsMax / 2);
    return String(Math.ceil((this.#nextSlotMs - nowMs) / 1_000));
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const sum = (counts.get(name) ?? 0) + by;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}
