/**
 * Accounts for what clients have yet to read of their responses, and closes the connections that hold too much of it,
 * or read too slowly (D59). uWebSockets.js buffers without a bound whatever it is handed, so responses are handed to it only as
 * far as the kernel takes them (`Exchange`), and the rest waits here.
 */
import {
  readBytesPerSecondMin,
  readGraceMs,
  unsentBytesMax,
  unsentBytesPerKeyMax,
  unsentBytesPerNetworkMax,
} from '../limits.js';

/** One response that the socket has not taken whole. */
export interface UnsentResponse {
  /** Bytes of memory that it holds until the last of them is sent. */
  readonly bytes: number;
  /** SHA-256 of the API key's text, lower-case hex; '' for a response without one. */
  readonly keyHash: string;
  /** See `ClientNetworks`. */
  readonly network: string;
  /** When it was handed over; performance.now(). */
  readonly sinceMs: number;
  /** Bytes that the socket has taken since then. */
  sentBytes: number;
  /** Closes the connection, which removes the response from the account. */
  readonly close: () => void;
}

/** A copy of what is left to send: `slice` of a Buffer is a view, which would keep the whole response in memory. */
export function copyFrom(bytes: Uint8Array, from: number): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, from);
}

export class UnsentResponses {
  readonly #responses = new Set<UnsentResponse>();
  readonly #byKey = new Share('keyHash', unsentBytesPerKeyMax);
  readonly #byNetwork = new Share('network', unsentBytesPerNetworkMax);
  #enforcing = false;
  /** The sum of all, bytes. */
  bytes = 0;
  /** Connections closed because a budget was passed, and because the client read too slowly. */
  closedOverBudget = 0;
  closedSlow = 0;

  /** Whether another large response must be rejected. */
  get isFull(): boolean {
    return this.bytes > unsentBytesMax;
  }

  add(response: UnsentResponse): void {
    this.#responses.add(response);
    this.bytes += response.bytes;
    this.#byKey.add(response);
    this.#byNetwork.add(response);
    if (this.#enforcing || !this.#isOver(response)) return;
    this.#enforcing = true;
    // Later: the response that passes the budget is still being written.
    setImmediate(() => this.#enforce());
  }

  remove(response: UnsentResponse): void {
    if (!this.#responses.delete(response)) return;
    this.bytes -= response.bytes;
    this.#byKey.remove(response);
    this.#byNetwork.remove(response);
  }

  /** Closes the connections of clients that read more slowly than they must. */
  sweep(nowMs: number): void {
    for (const response of [...this.#responses]) {
      const seconds = (nowMs - response.sinceMs - readGraceMs) / 1000;
      if (response.sentBytes >= seconds * readBytesPerSecondMin) continue;
      this.closedSlow += 1;
      response.close();
    }
  }

  #isOver(response: UnsentResponse): boolean {
    return this.isFull || this.#byKey.isOver(response) || this.#byNetwork.isOver(response);
  }

  /** The largest go first. A response that is alone in its share stays, however large: one must always fit. */
  #enforce(): void {
    this.#enforcing = false;
    const largestFirst = [...this.#responses].sort((a, b) => b.bytes - a.bytes);
    for (const response of largestFirst) {
      const over =
        (this.isFull && this.#responses.size > 1) ||
        this.#byKey.isShared(response) ||
        this.#byNetwork.isShared(response);
      if (!over) continue;
      this.closedOverBudget += 1;
      response.close();
    }
  }
}

interface Held {
  count: number;
  bytes: number;
}

/** What the responses of one key, or to one network, may hold together. */
class Share {
  readonly #by: 'keyHash' | 'network';
  readonly #bytesMax: number;
  readonly #held = new Map<string, Held>();

  constructor(by: 'keyHash' | 'network', bytesMax: number) {
    this.#by = by;
    this.#bytesMax = bytesMax;
  }

  add(response: UnsentResponse): void {
    const name = response[this.#by];
    const held = this.#held.get(name) ?? { count: 0, bytes: 0 };
    held.count += 1;
    held.bytes += response.bytes;
    this.#held.set(name, held);
  }

  remove(response: UnsentResponse): void {
    const name = response[this.#by];
    const held = this.#held.get(name);
    if (held === undefined) return;
    held.count -= 1;
    held.bytes -= response.bytes;
    if (held.count === 0) this.#held.delete(name);
  }

  isOver(response: UnsentResponse): boolean {
    return (this.#held.get(response[this.#by])?.bytes ?? 0) > this.#bytesMax;
  }

  /** Over, and not by this response alone. */
  isShared(response: UnsentResponse): boolean {
    const held = this.#held.get(response[this.#by]);
    return held !== undefined && held.count > 1 && held.bytes > this.#bytesMax;
  }
}
