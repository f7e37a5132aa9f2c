/** A bare TCP connection: for requests that no HTTP client sends (odd chunks, repeated headers, half a body). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Answer } from './exchange.js';

const answerMillisMax = 60_000;

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return new RawConnection(socket);
}

export class RawConnection {
  readonly localPort: number;
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.localPort = socket.localPort ?? 0;
    socket.setNoDelay(true);
    socket.on('data', (piece) => {
      this.#received = Buffer.concat([this.#received, piece]);
    });
    socket.on('close', () => {
      this.#ended = true;
    });
    // The other end may reset: `read` then says that the connection ended.
    socket.on('error', () => undefined);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when the bytes have been handed to the kernel. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
  }

  /** The next answer that has a Content-Length (or no body); throws when the connection ends before it is whole. */
  async read(): Promise<Answer> {
    const timeout = AbortSignal.timeout(answerMillisMax);
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== null) return answer;
      if (this.#ended) throw new Error(`connection ended after ${this.#received.length} bytes`);
      await Promise.race([
        once(this.#socket, 'data', { signal: timeout }),
        once(this.#socket, 'close', { signal: timeout }),
      ]);
    }
  }

  /** All that has arrived, as soon as it has `text` in it; throws when the connection ends before. */
  async until(text: string): Promise<string> {
    const timeout = AbortSignal.timeout(answerMillisMax);
    while (!this.#received.includes(text)) {
      if (this.#ended) throw new Error(`connection ended after ${this.#received.length} bytes`);
      const moved = new AbortController();
      const signal = AbortSignal.any([timeout, moved.signal]);
      await Promise.race([
        once(this.#socket, 'data', { signal }),
        once(this.#socket, 'close', { signal }),
      ]).finally(() => moved.abort());
    }
    return this.#received.toString();
  }

  /** Resolves when the other end has closed. */
  async closed(): Promise<void> {
    if (!this.#ended) {
      await once(this.#socket, 'close', { signal: AbortSignal.timeout(answerMillisMax) });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #takeAnswer(): Answer | null {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    const [statusLine = '', ...lines] = this.#received
      .subarray(0, headEnd)
      .toString('latin1')
      .split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const bodyBytes = Number(headers['content-length'] ?? 0);
    const end = headEnd + 4 + bodyBytes;
    if (this.#received.length < end) return null;
    const body = this.#received.subarray(headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    return new Answer(Number(statusLine.split(' ')[1]), headers, body);
  }
}

/** The head of a request, ending with the empty line; `headers` are written in order, so a name may repeat. */
export function head(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\nHost: loadout.test\r\n${lines}\r\n`;
}

/** `body` in chunked transfer coding, cut into pieces of `pieceBytes`. */
export function chunked(body: Uint8Array, pieceBytes: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), CRLF);
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

const CRLF = Buffer.from('\r\n');
