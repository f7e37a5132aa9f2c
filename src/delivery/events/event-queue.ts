/** Lines that wait to be written, gathered in pieces and bounded in bytes. */
import { eventPieceBytes, eventQueueBytesMax } from '../limits.js';

/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const bytesPerUnitMax = 3;
/** Empty pieces that are kept for later: what is filled while one write is under way. */
const spareMax = 8;

export class EventQueue {
  readonly #bytesMax: number;
  /** Full pieces, the oldest first. */
  #full: Buffer[] = [];
  /** The one that is being filled, and how much of it is. */
  #piece: Buffer = Buffer.allocUnsafeSlow(eventPieceBytes);
  #used = 0;
  readonly #spare: Buffer[] = [];
  /** What waits, bytes. */
  bytes = 0;

  constructor(bytesMax: number = eventQueueBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** @returns false: there is no room for them, and none of them was added */
  add(lines: string): boolean {
    const most = lines.length * bytesPerUnitMax;
    if (
      this.bytes + most > this.#bytesMax &&
      this.bytes + Buffer.byteLength(lines) > this.#bytesMax
    )
      return false;
    if (most > this.#piece.byteLength - this.#used) this.#turnOver();
    if (most > this.#piece.byteLength) {
      const piece = Buffer.from(lines);
      this.#full.push(piece);
      this.bytes += piece.byteLength;
      return true;
    }
    const length = this.#piece.write(lines, this.#used);
    this.#used += length;
    this.bytes += length;
    return true;
  }

  /** All that waits, the oldest first, which goes on waiting until it is `written`. Ends with a line break. */
  pieces(): readonly Buffer[] {
    this.#turnOver();
    return [...this.#full];
  }

  /** @param length bytes that were written of `pieces`, from the first one on */
  written(length: number): void {
    this.bytes -= length;
    let left = length;
    while (left > 0) {
      const [first] = this.#full as [Buffer];
      if (left < first.byteLength) {
        this.#full[0] = first.subarray(left);
        return;
      }
      left -= first.byteLength;
      this.#full.shift();
      this.#keep(first);
    }
  }

  /** Lines that wait, of which the first may be written in part. */
  get count(): number {
    let count = 0;
    for (const piece of this.pieces()) {
      for (let at = piece.indexOf(lineBreak); at >= 0; at = piece.indexOf(lineBreak, at + 1)) {
        count += 1;
      }
    }
    return count;
  }

  #turnOver(): void {
    if (this.#used === 0) return;
    this.#full.push(this.#piece.subarray(0, this.#used));
    this.#piece = this.#spare.pop() ?? Buffer.allocUnsafeSlow(eventPieceBytes);
    this.#used = 0;
  }

  /** For later, where the piece is one of ours and whole. */
  #keep(piece: Buffer): void {
    if (piece.buffer.byteLength !== eventPieceBytes || this.#spare.length >= spareMax) return;
    this.#spare.push(Buffer.from(piece.buffer));
  }
}

const lineBreak = 0x0a;
