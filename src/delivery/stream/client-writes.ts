/** Writes to streams, and bounds what clients that do not read leave unsent (D81). */
import type { HttpResponse } from 'uWebSockets.js';
import { copyFrom, type UnsentResponse, type UnsentResponses } from '../http/unsent-responses.js';
import { streamPieceBytes } from '../limits.js';
import type { Stream } from './stream.js';

/** Ignored by clients (WHATWG HTML, "Server-sent events"). */
export const comment: Uint8Array = Buffer.from(':\n\n');
const noBytes = new Uint8Array(0);

export interface ClientWritesEvents {
  /** The client has taken everything. */
  readonly caughtUp: (stream: Stream) => void;
  /** A bug of ours, while the client is given what it has not taken: it ends this stream, not the process. */
  readonly broke: (stream: Stream, error: unknown) => void;
}

export class ClientWrites {
  readonly #unsent: UnsentResponses;
  readonly #events: ClientWritesEvents;
  readonly #behind = new Map<Stream, Rest>();

  constructor(unsent: UnsentResponses, events: ClientWritesEvents) {
    this.#unsent = unsent;
    this.#events = events;
  }

  /** Whole events or comments, to a client that is not behind. The bytes are sent or copied before this returns. */
  write(stream: Stream, bytes: Uint8Array): void {
    stream.res?.cork(() => this.writeCorked(stream, bytes));
  }

  /** The same within a callback of uWebSockets.js, or the first write of a response. */
  writeCorked(stream: Stream, bytes: Uint8Array): void {
    const { res, key } = stream;
    if (res === null || key.isRevoked) return;
    const sent = writePieces(res, bytes, 0);
    if (sent >= 0) this.#fallBehind(stream, res, copyFrom(bytes, sent));
  }

  /** The stream has ended. */
  forget(stream: Stream): void {
    const rest = this.#behind.get(stream);
    if (rest === undefined) return;
    this.#behind.delete(stream);
    this.#unsent.remove(rest.unsent);
    rest.bytes = noBytes;
  }

  /** uWebSockets.js has buffered the last piece, and is given no more until the client takes it. */
  #fallBehind(stream: Stream, res: HttpResponse, bytes: Uint8Array): void {
    stream.isBehind = true;
    const unsent: UnsentResponse = {
      bytes: bytes.byteLength + streamPieceBytes,
      keyHash: stream.key.hash,
      network: stream.claim.network,
      sinceMs: performance.now(),
      sentBytes: 0,
      close: () => res.close(),
    };
    const rest: Rest = { bytes, unsent };
    this.#behind.set(stream, rest);
    this.#unsent.add(unsent);
    res.onWritable(() => {
      try {
        return this.#goOn(stream, res, rest);
      } catch (error) {
        this.#events.broke(stream, error);
        return true;
      }
    });
  }

  /**
   * With a handler uWebSockets.js sends what it has buffered only with the next write: behind the last piece, that is a
   * comment.
   */
  #goOn(stream: Stream, res: HttpResponse, rest: Rest): boolean {
    if (stream.ended || stream.key.isRevoked) return true;
    const bytes = rest.bytes.byteLength > 0 ? rest.bytes : comment;
    const sent = writePieces(res, bytes, 0);
    rest.unsent.sentBytes += sent >= 0 ? sent : bytes.byteLength;
    if (sent >= 0) {
      rest.bytes = rest.bytes.subarray(Math.min(sent, rest.bytes.byteLength));
      return false;
    }
    if (this.#behind.delete(stream)) {
      this.#unsent.remove(rest.unsent);
      rest.bytes = noBytes;
      stream.isBehind = false;
      this.#events.caughtUp(stream);
    }
    return true;
  }
}

interface Rest {
  /** What uWebSockets.js has not been given yet. */
  bytes: Uint8Array;
  readonly unsent: UnsentResponse;
}

/** @returns how many bytes were handed over when the socket took no more; -1: all of them, and it took them */
function writePieces(res: HttpResponse, bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.byteLength) {
    const end = Math.min(bytes.byteLength, at + streamPieceBytes);
    const isTaken = res.write(bytes.subarray(at, end));
    at = end;
    if (!isTaken) return at;
  }
  return -1;
}
