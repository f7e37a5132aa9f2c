/** Cuts a stream of NDJSON into batches of whole lines, holding no more than one batch and one line of it. */

export interface LineBatch {
  /** Number of each line in the stream, from 1; blank lines are counted but left out. */
  readonly numbers: readonly number[];
  /** The lines without their line feeds, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each line ends in `bytes`. */
  readonly ends: readonly number[];
  /** Gives back the room that a large line took; to be called when nothing of the batch is held any more. */
  readonly release: () => void;
}

export interface LineLimits {
  /** A batch is handed on when it has so many bytes. */
  readonly batchBytes: number;
  readonly lineBytesMax: number;
  readonly streamBytesMax: number;
  /** Left out: lines need no room. */
  readonly room?: {
    /** What a batch may hold without it. */
    readonly freeBytes: number;
    /** Resolves when there is room for the largest line. Rejects: there is none. */
    readonly take: () => Promise<LineRoom>;
  };
}

/** Memory for a large line, until it is released. */
export interface LineRoom {
  release(): void;
}

/** A line or the whole is too large. */
export class StreamTooLarge extends Error {
  readonly code = 'stream_too_large';

  constructor(message: string) {
    super(message);
    this.name = 'StreamTooLarge';
  }
}

const lineFeed = 0x0a;

/** @throws StreamTooLarge, and what taking room rejects with */
export async function* lineBatches(
  stream: AsyncIterable<Uint8Array>,
  limits: LineLimits,
): AsyncGenerator<LineBatch> {
  const batcher = new Batcher(limits);
  try {
    for await (const chunk of stream) {
      batcher.countBytes(chunk.byteLength);
      for (let at = 0; at < chunk.byteLength; ) {
        const feed = chunk.indexOf(lineFeed, at);
        batcher.append(chunk.subarray(at, feed < 0 ? chunk.byteLength : feed));
        if (batcher.needsRoom) batcher.room = (await limits.room?.take()) ?? null;
        if (feed < 0) break;
        batcher.endLine();
        if (batcher.isFull) yield batcher.take();
        at = feed + 1;
      }
    }
    batcher.endLine();
    if (batcher.hasLines) yield batcher.take();
  } finally {
    batcher.room?.release();
  }
}

class Batcher {
  /** Of the batch that is being read. */
  room: LineRoom | null = null;
  readonly #limits: LineLimits;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #lineStart = 0;
  #numbers: number[] = [];
  #ends: number[] = [];
  #lines = 0;
  #streamBytes = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#limits.batchBytes;
  }

  get needsRoom(): boolean {
    const { room } = this.#limits;
    return room !== undefined && this.room === null && this.#bytes > room.freeBytes;
  }

  get hasLines(): boolean {
    return this.#numbers.length > 0;
  }

  countBytes(count: number): void {
    this.#streamBytes += count;
    const { streamBytesMax } = this.#limits;
    if (this.#streamBytes > streamBytesMax) {
      throw new StreamTooLarge(`The file is larger than ${streamBytesMax} bytes.`);
    }
  }

  append(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.byteLength;
    const { lineBytesMax } = this.#limits;
    if (this.#bytes - this.#lineStart > lineBytesMax) {
      throw new StreamTooLarge(`Line ${this.#lines + 1} is larger than ${lineBytesMax} bytes.`);
    }
  }

  endLine(): void {
    this.#lines += 1;
    if (this.#bytes === this.#lineStart) return;
    this.#lineStart = this.#bytes;
    this.#numbers.push(this.#lines);
    this.#ends.push(this.#bytes);
  }

  /** Hands over the whole lines there are; called between lines only. */
  take(): LineBatch {
    // A buffer of its own: it is cloned to a worker, and a clone of a view takes all that is behind it.
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    const { room } = this;
    const release = (): void => room?.release();
    const batch = { numbers: this.#numbers, bytes, ends: this.#ends, release };
    this.room = null;
    this.#pieces = [];
    this.#bytes = 0;
    this.#lineStart = 0;
    this.#numbers = [];
    this.#ends = [];
    return batch;
  }
}
