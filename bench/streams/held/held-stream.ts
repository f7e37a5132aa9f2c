/**
 * One stream on a bare socket, for processes that hold many: the sockets of a process share one buffer to read into, and
 * between two events a stream keeps a few numbers and the tags of what it holds, which equal ones share.
 */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import {
  EventStreamReader,
  type ServerSentEvent,
} from '../../../test/support/stream/event-stream.js';
import { ChunkedBody } from './chunked-body.js';
import type { HeldPlan } from './held-plan.js';
import { contextOf } from './held-players.js';

export interface HeldStreamEvents {
  /** The first answer of a connection is complete, or the connection has ended. */
  readonly isUp: (stream: HeldStream, isUp: boolean) => void;
  /** A complete answer after the first of a connection. */
  readonly woken: (stream: HeldStream, sequence: number, ids: readonly string[]) => void;
  /** @param delayMs until it is to be opened again */
  readonly closed: (stream: HeldStream, delayMs: number, wasRefused: boolean) => void;
  readonly fault: (text: string) => void;
}

const headEnd = '\r\n\r\n';
const backoffMsMin = 250;
const backoffMsMax = 5_000;
const shared = Buffer.alloc(64 * 1024);
/** `have` of equal streams is one text. */
const haves = new Map<string, string>();

export class HeldStream {
  readonly number: number;
  readonly #plan: HeldPlan;
  readonly #events: HeldStreamEvents;
  #socket: Socket | null = null;
  #head = '';
  #body: ChunkedBody | null = null;
  #reader: EventStreamReader | null = null;
  #have = '{}';
  #retryMs = -1;
  #failures = 0;
  /** Ids of the pages of an answer that is not complete; null: none is. */
  #ids: string[] | null = null;
  isUp = false;

  constructor(number: number, plan: HeldPlan, events: HeldStreamEvents) {
    this.number = number;
    this.#plan = plan;
    this.#events = events;
  }

  open(): void {
    const { port, secure, addresses } = this.#plan;
    const localAddress = addresses[this.number % addresses.length] as string;
    const where = { port, host: '127.0.0.1', localAddress };
    this.#head = '';
    this.#body = null;
    this.#retryMs = -1;
    const socket = secure
      ? connectSecure({ ...where, rejectUnauthorized: false })
      : connectPlain({
          ...where,
          onread: { buffer: shared, callback: (count) => this.#took(shared.subarray(0, count)) },
        });
    this.#socket = socket;
    if (secure) socket.on('data', (piece) => this.#took(piece));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#ended(socket, -1));
    socket.write(this.#request());
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#setUp(false);
    socket?.destroy();
  }

  #request(): string {
    const { key, ids } = this.#plan;
    const context = JSON.stringify(contextOf(this.number));
    const wanted = ids === null ? '' : `,"ids":${JSON.stringify(ids)}`;
    const body = `${context.slice(0, -1)},"have":${this.#have}${wanted}}`;
    return `POST /api/v1/stream HTTP/1.1\r\nHost: bench\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  /** @returns true: more may be read */
  #took(piece: Uint8Array): boolean {
    try {
      if (this.#body !== null) this.#body.write(piece, this.#onData);
      else this.#takeHead(piece);
    } catch (fault) {
      this.#events.fault(String(fault));
      this.#socket?.destroy();
    }
    if (this.#body?.ended) this.#socket?.destroy();
    return true;
  }

  #takeHead(piece: Uint8Array): void {
    const before = this.#head.length;
    this.#head += Buffer.from(piece).toString('latin1');
    const end = this.#head.indexOf(headEnd);
    if (end < 0) return;
    const head = this.#head.slice(0, end).toLowerCase();
    this.#head = '';
    const status = Number(head.slice(9, 12));
    if (status !== 200) {
      if (status !== 429 && status !== 503) this.#events.fault(`refused with ${status}`);
      const socket = this.#socket;
      socket?.destroy();
      if (socket !== null)
        this.#ended(socket, Number(/\r\nretry-after: *(\d+)/.exec(head)?.[1] ?? 1));
      return;
    }
    if (!head.includes('\r\ntransfer-encoding: chunked')) throw new Error(`head ${head}`);
    this.#body = new ChunkedBody();
    this.#reader = new EventStreamReader({
      event: (event) => this.#take(event),
      retry: (ms) => {
        this.#retryMs = ms;
      },
    });
    this.#body.write(piece.subarray(end + headEnd.length - before), this.#onData);
  }

  readonly #onData = (data: Uint8Array): void => this.#reader?.write(data);

  #take({ data, lastEventId }: ServerSentEvent): void {
    const page = JSON.parse(data) as {
      readonly sequence: number;
      readonly contents: Readonly<Record<string, { readonly tag: string }>>;
      readonly gone: readonly string[];
      readonly more: boolean;
    };
    const { sequence, contents, gone, more } = page;
    if (lastEventId !== String(sequence)) this.#events.fault(`${sequence} has id ${lastEventId}`);
    const changed = Object.entries(contents);
    if (changed.length + gone.length > 0) this.#keep(changed, gone);
    this.#ids ??= [];
    this.#ids.push(...Object.keys(contents), ...gone);
    if (more) return;
    const ids = this.#ids;
    this.#ids = null;
    if (this.isUp) this.#events.woken(this, sequence, ids);
    this.#failures = 0;
    this.#setUp(true);
  }

  #keep(
    changed: readonly (readonly [id: string, { readonly tag: string }])[],
    gone: readonly string[],
  ): void {
    const have = new Map(Object.entries(JSON.parse(this.#have) as Record<string, string>));
    for (const [id, { tag }] of changed) have.set(id, tag);
    for (const id of gone) have.delete(id);
    const text = JSON.stringify(Object.fromEntries(have));
    const known = haves.get(text);
    if (known === undefined) haves.set(text, text);
    this.#have = known ?? text;
  }

  #setUp(isUp: boolean): void {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    this.#events.isUp(this, isUp);
  }

  /** @param retryAfter seconds that a refusal names; -1: it was none */
  #ended(socket: Socket, retryAfter: number): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#ids = null;
    this.#setUp(false);
    this.#failures += 1;
    const backoffMs = Math.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** this.#failures);
    const askedMs = this.#retryMs >= 0 ? this.#retryMs : backoffMs;
    const delayMs = retryAfter >= 0 ? 1_000 * (retryAfter + Math.random()) : askedMs;
    this.#events.closed(this, delayMs, retryAfter >= 0);
  }
}
