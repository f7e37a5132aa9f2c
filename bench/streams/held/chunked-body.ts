/** Takes the data out of a body in chunked transfer coding, in whatever pieces it comes. */

const LF = 0x0a;
const sizeLine = /^([0-9a-f]+)(?:;.*)?$/i;

export class ChunkedBody {
  /** Of the chunk under way; -1 while a line is read. */
  #left = -1;
  #line = '';
  /** The line end behind a chunk is still to come. */
  #isBehindChunk = false;
  /** The last chunk was read. */
  ended = false;

  /** @param onData is called with parts of `piece`, which hold until it returns */
  write(piece: Uint8Array, onData: (data: Uint8Array) => void): void {
    let at = 0;
    while (at < piece.length && !this.ended) {
      if (this.#left > 0) {
        const end = Math.min(piece.length, at + this.#left);
        onData(piece.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#endChunk();
        continue;
      }
      const byte = piece[at] as number;
      at += 1;
      if (byte !== LF) this.#line += String.fromCharCode(byte);
      else this.#endLine();
    }
  }

  #endChunk(): void {
    this.#left = -1;
    this.#isBehindChunk = true;
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, '');
    this.#line = '';
    if (this.#isBehindChunk && line === '') {
      this.#isBehindChunk = false;
      return;
    }
    const [, size] = sizeLine.exec(line) ?? [];
    if (size === undefined || this.#isBehindChunk) throw new Error(`no chunk begins with ${line}`);
    this.#left = Number.parseInt(size, 16);
    if (this.#left === 0) this.ended = true;
  }
}
