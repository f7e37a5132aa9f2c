/** Walks the children of a container under edit, in order. Siblings are reached by `next`: what is below them costs nothing. */

import { keyStartOf, nextOf, valueStartOf } from '../json/document.js';
import {
  ELEMENT,
  type JsonValue,
  type Member,
  type Opened,
  type Piece,
  Run,
  Untouched,
} from './json-value.js';
import type { KeySpan } from './member-key.js';

/** Where a child is: in which piece, and there at which node (-1: the piece is the child). */
export interface Place {
  readonly piece: number;
  readonly node: number;
}

export class ChildCursor {
  readonly #pieces: readonly Piece[];
  #index = -1;
  /** The piece it is in: one of the two, or neither at the end. */
  #run: Run | null = null;
  #member: Member | null = null;
  #node = -1;
  #keyJson: Uint8Array = ELEMENT.json;
  #keyStart = 0;

  constructor(container: Opened) {
    this.#pieces = container.pieces;
    this.#nextPiece();
  }

  get atEnd(): boolean {
    return this.#index === this.#pieces.length;
  }

  get place(): Place {
    return { piece: this.#index, node: this.#node };
  }

  /** The bytes that `keyStart` is an offset in. */
  get keyJson(): Uint8Array {
    return this.#keyJson;
  }

  /** The offset of the key's opening quote; of an object's member only. */
  get keyStart(): number {
    return this.#keyStart;
  }

  get value(): JsonValue {
    return valueIn((this.#run ?? this.#member) as Piece, this.#node);
  }

  advance(): void {
    const run = this.#run;
    if (run !== null) {
      const node = nextOf(run.document, this.#node);
      if (node < run.end) {
        this.#node = node;
        this.#keyStart = keyStartOf(run.document, node);
        return;
      }
    }
    this.#nextPiece();
  }

  #nextPiece(): void {
    const piece = this.#pieces[++this.#index];
    if (piece instanceof Run) {
      this.#run = piece;
      this.#member = null;
      this.#node = piece.first;
      this.#keyJson = piece.document.bytes;
      this.#keyStart = keyStartOf(piece.document, piece.first);
    } else {
      this.#run = null;
      this.#member = piece ?? null;
      this.#node = -1;
      if (piece !== undefined) {
        this.#keyJson = piece.key.json;
        this.#keyStart = piece.key.start;
      }
    }
  }
}

export function valueAt(container: Opened, place: Place): JsonValue {
  return valueIn(container.pieces[place.piece] as Piece, place.node);
}

/** The key at a place, as it is written; of an object's member only. */
export function keyAt(container: Opened, place: Place): KeySpan {
  const piece = container.pieces[place.piece] as Piece;
  if (!(piece instanceof Run)) return piece.key;
  const { document } = piece;
  const start = keyStartOf(document, place.node);
  return { json: document.bytes, start, end: valueStartOf(document, place.node) };
}

function valueIn(piece: Piece, node: number): JsonValue {
  return piece instanceof Run ? new Untouched(piece.document, node) : piece.value;
}
