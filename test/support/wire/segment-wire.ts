/**
 * Connections that send a request in segments and keep what comes back, byte by byte: over TCP without Nagle's delay, and
 * over TLS with one record for each segment.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

export interface WireOptions {
  readonly port: number;
  /** The certificate to trust, PEM. Left out: plain TCP. */
  readonly ca?: string;
}

/** What came back, and whether the server closed the connection after it. */
export interface Reply {
  readonly bytes: Buffer;
  readonly closed: boolean;
}

const replyMillisMax = 20_000;
/** Between two segments: the server has most likely read the first one by then. If not, the test is weaker, not wrong. */
const betweenMillis = 1;

export class SegmentWire {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #length = 0;
  #closed = false;
  #changed: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (piece: Buffer) => {
      this.#received.push(piece);
      this.#length += piece.byteLength;
      this.#changed();
    });
    socket.on('close', () => {
      this.#closed = true;
      this.#changed();
    });
    // The other end may reset; the reply then says that it closed.
    socket.on('error', () => undefined);
  }

  static async open({ port, ca }: WireOptions): Promise<SegmentWire> {
    const to = { port, host: '127.0.0.1' };
    const socket = ca === undefined ? connect(to) : connectTls({ ...to, ca });
    await once(socket, ca === undefined ? 'connect' : 'secureConnect');
    return new SegmentWire(socket);
  }

  get usable(): boolean {
    return !this.#closed;
  }

  /** Sends the segments apart from each other; the bytes that come back, up to `bytesWanted` or the end. */
  async exchange(
    segments: readonly Uint8Array[],
    bytesWanted: number,
    closes: boolean,
  ): Promise<Reply> {
    this.#received = [];
    this.#length = 0;
    for (const [index, segment] of segments.entries()) {
      if (index > 0) await pause(betweenMillis);
      if (!this.#closed) this.#socket.write(segment);
    }
    await this.#until(() => this.#closed || (this.#length >= bytesWanted && !closes));
    return this.#take();
  }

  /** Sends all at once; what comes back until nothing more has come for a while, or the connection has ended. */
  async exchangeUntilQuiet(bytes: Uint8Array, quietMillis: number): Promise<Reply> {
    this.#received = [];
    this.#length = 0;
    this.#socket.write(bytes);
    let before = -1;
    while (!this.#closed && (this.#length === 0 || this.#length !== before)) {
      before = this.#length;
      await pause(quietMillis);
    }
    return this.#take();
  }

  /** Sends all at once; what comes back until the other end closes, or the time is up. */
  async exchangeUntilClosed(
    bytes: Uint8Array,
    millisMax: number,
  ): Promise<{ readonly received: Buffer; readonly closed: boolean }> {
    this.#socket.write(bytes);
    await this.#until(() => this.#closed, millisMax);
    return { received: Buffer.concat(this.#received), closed: this.#closed };
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(): Reply {
    return { bytes: Buffer.concat(this.#received), closed: this.#closed };
  }

  async #until(holds: () => boolean, millisMax = replyMillisMax): Promise<void> {
    const deadline = performance.now() + millisMax;
    while (!holds() && performance.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - performance.now());
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

const dateHeader = /^date: .*\r\n/gim;

/** What must be the same however the request was cut. */
export function comparable({ bytes, closed }: Reply): string {
  return `${bytes.toString('latin1').replace(dateHeader, '')}${closed ? '<closed>' : ''}`;
}
