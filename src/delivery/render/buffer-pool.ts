/** Keeps the memory of evicted bodies for the next ones that the front end makes (D21). */
import { recycledBytesMin, spareBytesMax } from '../limits.js';

/** Bodies of one content differ by a few bytes: they share a size. */
const sizeStep = 4096;

/**
 * The engine counts memory beside its heap, and collects the whole heap for every 64 MB or so of it that was asked for:
 * with a new buffer for each of 4,000 bodies of 100 KB a second, collecting took a third of the process's time.
 */
export class BufferPool {
  readonly #spare = new Map<number, ArrayBuffer[]>();
  #given: ArrayBuffer[] = [];
  #bytes = 0;

  /** A buffer of that length, with whatever is in it. */
  take(length: number): Uint8Array {
    const size = Math.ceil(length / sizeStep) * sizeStep;
    const spare = length < recycledBytesMin ? undefined : this.#spare.get(size)?.pop();
    if (spare === undefined) {
      const whole = length < recycledBytesMin ? length : size;
      return new Uint8Array(Buffer.allocUnsafeSlow(whole).buffer, 0, length);
    }
    this.#bytes -= size;
    return new Uint8Array(spare, 0, length);
  }

  /** Takes back what `take` gave. It is used again from the next turn on: who was given the bytes in this one has them. */
  give(bytes: Uint8Array): void {
    const { buffer } = bytes;
    if (!(buffer instanceof ArrayBuffer) || bytes.byteLength < recycledBytesMin) return;
    if (this.#given.length === 0) setImmediate(() => this.#keep());
    this.#given.push(buffer);
  }

  #keep(): void {
    for (const buffer of this.#given) {
      const size = buffer.byteLength;
      if (this.#bytes + size > spareBytesMax) continue;
      this.#bytes += size;
      const spare = this.#spare.get(size);
      if (spare === undefined) this.#spare.set(size, [buffer]);
      else spare.push(buffer);
    }
    this.#given = [];
  }
}
