/** Builds the next state of a container: what is not named is kept as it is, in runs. */

import { nextOf, startOf } from '../json/document.js';
import { keyAt, type Place } from './child-cursor.js';
import { ELEMENT, type JsonValue, Member, Opened, type Piece, Run } from './json-value.js';

/** Places must be given in document order. What an edit costs depends on the pieces, not on the members in them. */
export class ContainerEdit {
  readonly #container: Opened;
  readonly #pieces: Piece[] = [];
  #piecesBytes = 0;
  /** What comes next of the old container: its piece, and the node in that if it is a run cut open, else -1. */
  #piece = 0;
  #node = -1;

  constructor(container: Opened) {
    this.#container = container;
  }

  drop(place: Place): this {
    this.#keepBefore(place);
    this.#skip(place);
    return this;
  }

  /** The child keeps its place and its key's bytes. */
  replace(place: Place, value: JsonValue): this {
    this.#keepBefore(place);
    this.#push(
      new Member(this.#container.isObject ? keyAt(this.#container, place) : ELEMENT, value),
    );
    this.#skip(place);
    return this;
  }

  insertElement(place: Place, value: JsonValue): this {
    this.#keepBefore(place);
    this.#push(new Member(ELEMENT, value));
    return this;
  }

  /** After all the rest; nothing but `append` and `finish` may follow. */
  append(member: Member): this {
    this.#keepRest();
    this.#push(member);
    return this;
  }

  finish(): Opened {
    this.#keepRest();
    return new Opened(this.#container.isObject, this.#pieces, this.#piecesBytes);
  }

  #keepBefore(place: Place): void {
    while (this.#piece < place.piece) this.#keepPiece();
    const piece = this.#container.pieces[place.piece];
    if (!(piece instanceof Run)) return;
    const first = this.#node < 0 ? piece.first : this.#node;
    if (first < place.node) {
      const { document } = piece;
      const stop = startOf(document, place.node) - 1;
      this.#push(new Run(document, first, place.node, startOf(document, first), stop));
    }
    this.#node = place.node;
  }

  /** The rest of the current piece. */
  #keepPiece(): void {
    const piece = this.#container.pieces[this.#piece] as Piece;
    if (piece instanceof Run && this.#node >= 0) {
      const start = startOf(piece.document, this.#node);
      const stop = piece.start + piece.byteLength;
      this.#push(new Run(piece.document, this.#node, piece.end, start, stop));
    } else {
      this.#push(piece);
    }
    this.#piece++;
    this.#node = -1;
  }

  #keepRest(): void {
    while (this.#piece < this.#container.pieces.length) this.#keepPiece();
  }

  #skip(place: Place): void {
    const piece = this.#container.pieces[place.piece];
    if (piece instanceof Run) this.#node = nextOf(piece.document, place.node);
    if (!(piece instanceof Run) || this.#node === piece.end) {
      this.#piece++;
      this.#node = -1;
    }
  }

  #push(piece: Piece): void {
    this.#pieces.push(piece);
    this.#piecesBytes += piece.byteLength;
  }
}
