/** One connection of a load that autocannon cannot make: writes a request, reads its answer, compares it. */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { LoadPlan } from './load-plan.js';
import type { RequestSource } from './request-source.js';
import { AnswerCheck } from './response-check.js';

/** Status 0: the connection failed before the answer was whole. */
export type OnAnswer = (status: number, matched: boolean) => void;

const headEnd = Buffer.from('\r\n\r\n');
const timeoutMs = 10_000;

export class RawConnection {
  readonly #plan: LoadPlan;
  readonly #source: RequestSource;
  readonly #check: AnswerCheck;
  #socket: Socket | null = null;
  #onAnswer: OnAnswer | null = null;
  #head = '';
  /** Bytes of the body still to come; -1 while the head is read. */
  #left = -1;
  #status = 0;

  constructor(plan: LoadPlan, source: RequestSource) {
    this.#plan = plan;
    this.#source = source;
    this.#check = new AnswerCheck(source.answers(), plan.compare);
  }

  get busy(): boolean {
    return this.#onAnswer !== null;
  }

  /** Sends one request, on the open connection or on a new one. */
  send(request: number, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#left = -1;
    this.#head = '';
    this.#check.begin(request);
    this.#socket ??= this.#open();
    this.#socket.write(requestBytes(this.#plan, this.#source, request));
  }

  close(): void {
    this.#socket?.removeAllListeners('close');
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const { port, secure } = this.#plan;
    const host = '127.0.0.1';
    const socket = secure
      ? connectSecure({ port, host, rejectUnauthorized: false })
      : connectPlain({ port, host });
    socket.setNoDelay(true);
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
      this.#finish(0);
    });
    return socket;
  }

  #take(chunk: Buffer): void {
    if (this.#onAnswer === null) return;
    let body = chunk;
    if (this.#left < 0) {
      const at = this.#head === '' ? chunk.indexOf(headEnd) : -1;
      // Heads come whole but for rare splits: those are put together as text.
      if (at < 0) {
        this.#head += chunk.toString('latin1');
        const end = this.#head.indexOf('\r\n\r\n');
        if (end < 0) return;
        body = Buffer.from(this.#head.slice(end + 4), 'latin1');
        this.#head = this.#head.slice(0, end);
      } else {
        this.#head = chunk.toString('latin1', 0, at);
        body = chunk.subarray(at + 4);
      }
      this.#status = Number(this.#head.slice(9, 12));
      this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0);
    }
    this.#left -= body.byteLength;
    this.#check.take(body);
    if (this.#left <= 0) this.#finish(this.#status);
  }

  #finish(status: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.(status, this.#check.matched());
  }
}

function requestBytes(plan: LoadPlan, source: RequestSource, request: number): string {
  const body = source.body(request);
  let head = `POST ${source.path(request)} HTTP/1.1\r\nHost: 127.0.0.1:${plan.port}\r\n`;
  for (const [name, value] of Object.entries(plan.headers)) head += `${name}: ${value}\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
