/** One direction of a wire: what it is given comes out later, no more of it a second than fits, or not at all for now. */
import { Duplex } from 'node:stream';

/** How fast a direction is. All connections over it share the bytes a second. */
export class Pace {
  #delayMs = 0;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  /** performance.now() */
  #freeAtMs = 0;
  #bytes = 0;

  /** How many have been sent so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get delayMs(): number {
    return this.#delayMs;
  }

  set(delayMs: number, bytesPerSecond: number): void {
    this.#delayMs = delayMs;
    this.#bytesPerSecond = bytesPerSecond;
    this.#freeAtMs = 0;
  }

  /** When the last byte of a piece has left, behind those of other connections: performance.now(). */
  leaveAtMs(bytes: number): number {
    this.#bytes += bytes;
    const tookMs = (bytes / this.#bytesPerSecond) * 1_000;
    this.#freeAtMs = Math.max(performance.now(), this.#freeAtMs) + tookMs;
    return this.#freeAtMs;
  }
}

interface UnderWay {
  readonly piece: Buffer;
  /** performance.now() */
  readonly arrivesAtMs: number;
}

interface Leaving {
  /** performance.now() */
  readonly atMs: number;
  readonly left: () => void;
}

/** Of one connection. It takes its next piece when the one before has left, so no more is under way than fits into the delay. */
export class SlowWay extends Duplex {
  readonly #pace: Pace;
  readonly #underWay: UnderWay[] = [];
  #leaving: Leaving | null = null;
  #isHeld = false;
  #isReaderFull = false;
  #isEndDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(pace: Pace) {
    super();
    this.#pace = pace;
  }

  /** Passes nothing on until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Passes on again, first what was held back. */
  release(): void {
    this.#isHeld = false;
    this.#goOn();
  }

  override _write(piece: Buffer, _: BufferEncoding, left: () => void): void {
    const atMs = this.#pace.leaveAtMs(piece.byteLength);
    // No piece overtakes another one, also where the way has become faster meanwhile.
    const beforeMs = this.#underWay.at(-1)?.arrivesAtMs ?? 0;
    this.#underWay.push({ piece, arrivesAtMs: Math.max(atMs + this.#pace.delayMs, beforeMs) });
    this.#leaving = { atMs, left };
    this.#goOn();
  }

  override _final(ended: () => void): void {
    this.#isEndDue = true;
    this.#goOn();
    ended();
  }

  override _read(): void {
    this.#isReaderFull = false;
    this.#goOn();
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    destroyed(error);
  }

  /** Does what is due, and comes back when the next thing is. */
  #goOn(): void {
    clearTimeout(this.#timer);
    const isStopped = (): boolean => this.#isHeld || this.#isReaderFull || this.destroyed;
    const nowMs = performance.now();
    while (!isStopped() && (this.#underWay[0]?.arrivesAtMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      this.#isReaderFull = !this.push(this.#underWay.shift()?.piece);
    }
    if (isStopped()) return;
    if (this.#isEndDue && this.#underWay.length === 0) {
      this.#isEndDue = false;
      this.push(null);
      return;
    }
    const { atMs, left } = this.#leaving ?? {
      atMs: Number.POSITIVE_INFINITY,
      left: () => undefined,
    };
    const dueMs = Math.min(this.#underWay[0]?.arrivesAtMs ?? Number.POSITIVE_INFINITY, atMs);
    if (dueMs < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#goOn(), Math.max(0, dueMs - nowMs));
    }
    if (atMs > nowMs) return;
    this.#leaving = null;
    left();
  }
}
