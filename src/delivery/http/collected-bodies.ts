/**
 * Collects request bodies that arrive in several chunks, and bounds what the long ones hold together (D84). Those up to
 * the length of an ordinary body are bounded by their number.
 */
import { bodyBytesMaxDefault, collectedBytesMax } from '../limits.js';

const noBytes = new Uint8Array(0);

/** One body. */
export class CollectedBody {
  readonly #bodies: CollectedBodies;
  readonly #bytesMax: number;
  #buffer: Uint8Array = noBytes;
  /** Bytes that have arrived. */
  length = 0;
  /** Others needed the memory: what has arrived is gone, and the rest is not kept. */
  dropped = false;

  /** @param bytesMax the longest body that may be collected */
  constructor(bodies: CollectedBodies, bytesMax: number) {
    this.#bodies = bodies;
    this.#bytesMax = bytesMax;
  }

  /** What has arrived; nothing if it was dropped. */
  get bytes(): Uint8Array {
    return this.dropped ? noBytes : this.#buffer.subarray(0, this.length);
  }

  /** What it holds in memory, bytes. */
  get heldBytes(): number {
    return this.#buffer.byteLength;
  }

  /** Keeps a copy: the front end empties the chunk when its callback returns. */
  add(chunk: ArrayBuffer): void {
    const from = this.length;
    this.length += chunk.byteLength;
    if (this.dropped) return;
    const held = this.heldBytes;
    if (this.length > held) this.#buffer = grown(this.#buffer, from, this.length, this.#bytesMax);
    this.#buffer.set(new Uint8Array(chunk), from);
    if (this.heldBytes > held) this.#bodies.account(this, held);
  }

  drop(): void {
    this.dropped = true;
    this.#buffer = noBytes;
  }

  /** Its bytes belong to its request from now on, or the request is over. */
  release(): void {
    this.#bodies.release(this);
  }
}

/** The bodies of one delivery process. */
export class CollectedBodies {
  /** The long ones. The first has been arriving the longest. */
  readonly #long = new Set<CollectedBody>();
  /** What the long ones hold together. */
  heldBytes = 0;

  /** @param before what the body held until now, bytes */
  account(body: CollectedBody, before: number): void {
    if (body.heldBytes <= bodyBytesMaxDefault) return;
    this.heldBytes += this.#long.has(body) ? body.heldBytes - before : body.heldBytes;
    this.#long.add(body);
    for (const oldest of this.#long) {
      if (this.heldBytes <= collectedBytesMax) return;
      this.release(oldest);
      oldest.drop();
    }
  }

  release(body: CollectedBody): void {
    if (this.#long.delete(body)) this.heldBytes -= body.heldBytes;
  }
}

/** A larger buffer with the first `length` bytes of another: doubled, so that a body in many pieces is copied twice at most. */
function grown(buffer: Uint8Array, length: number, least: number, most: number): Uint8Array {
  const larger = new Uint8Array(Math.min(most, Math.max(4096, 2 * least)));
  larger.set(buffer.subarray(0, length));
  return larger;
}
