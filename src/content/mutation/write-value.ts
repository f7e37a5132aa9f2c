/** Writes a value under edit: one allocation of its exact size, one pass, untouched runs copied whole. */

import assert from 'node:assert/strict';
import { BRACE_CLOSE, BRACE_OPEN, BRACKET_CLOSE, BRACKET_OPEN, COMMA } from '../json/ascii.js';
import { valueEndOf, valueStartOf } from '../json/document.js';
import { allocateBytes, type Room } from '../json/room.js';
import { type JsonValue, Member, Opened, type Piece } from './json-value.js';

/** The value's JSON with the room around it; the room's bytes are not written. */
export function writeValue(
  value: JsonValue,
  { before, after, allocate = allocateBytes }: Room,
): Uint8Array {
  const end = before + value.byteLength;
  const bytes = allocate(end + after);
  const writer = new Writer(bytes, before);
  writer.write(value);
  assert.equal(writer.at, end, 'a value measures what its parts say');
  return bytes;
}

class Writer {
  readonly #bytes: Uint8Array;
  #at: number;
  /** The containers being written, outermost first, and the next piece of each. No recursion: depth is data. */
  readonly #containers: Opened[] = [];
  readonly #pieces: number[] = [];

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Where the next byte goes. */
  get at(): number {
    return this.#at;
  }

  write(root: JsonValue): void {
    this.#value(root);
    for (;;) {
      const top = this.#containers.length - 1;
      const container = this.#containers[top];
      if (container === undefined) return;
      const next = this.#pieces[top] as number;
      this.#pieces[top] = next + 1;
      const piece = container.pieces[next];
      if (piece === undefined) {
        this.#byte(container.isObject ? BRACE_CLOSE : BRACKET_CLOSE);
        this.#containers.pop();
        this.#pieces.pop();
      } else {
        if (next > 0) this.#byte(COMMA);
        this.#piece(piece);
      }
    }
  }

  #piece(piece: Piece): void {
    if (piece instanceof Member) {
      this.#copy(piece.key.json, piece.key.start, piece.key.end);
      this.#value(piece.value);
    } else {
      this.#copy(piece.document.bytes, piece.start, piece.start + piece.byteLength);
    }
  }

  #value(value: JsonValue): void {
    if (value instanceof Opened) {
      this.#byte(value.isObject ? BRACE_OPEN : BRACKET_OPEN);
      this.#containers.push(value);
      this.#pieces.push(0);
    } else {
      const { document, node } = value;
      this.#copy(document.bytes, valueStartOf(document, node), valueEndOf(document, node));
    }
  }

  #byte(byte: number): void {
    this.#bytes[this.#at++] = byte;
  }

  #copy(source: Uint8Array, start: number, end: number): void {
    if (end - start > LONG_RUN) {
      this.#bytes.set(source.subarray(start, end), this.#at);
      this.#at += end - start;
    } else {
      for (let from = start; from < end; from++) this.#bytes[this.#at++] = source[from] as number;
    }
  }
}

/** From here on a call of `set` costs less than the loop, its view included. */
const LONG_RUN = 64;
