/**
 * A proxy between one kit and the server, on a port of its own: it records what the kit requests, and spoils what comes
 * back. Bodies pass in the pieces in which they come, in the coding that the server chose.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, FaultList, type Injection, type Target, targets } from './fault.js';
import { injected, reset, sendSpoiled } from './spoiled-body.js';
import { asRequested, respond, spoiledHeaders } from './spoiled-head.js';

/** A request of a kit, whole. */
export interface Seen {
  readonly on: Target;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed, or the text where it is not JSON. */
  readonly body: unknown;
  /** Of the body. */
  readonly bytes: number;
  /** What was done to it, or null. */
  readonly fault: Fault['kind'] | null;
}

/** What became of events. */
export interface Reported {
  /** How many the server has taken. */
  taken: number;
  /** Why it has refused the others. */
  readonly rejected: string[];
}

interface ServerResult {
  readonly taken?: number;
  readonly rejected?: readonly { readonly reason: string }[];
}

/** What browsers may send. */
const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'content-type, x-api-key, x-min-sequence',
};

export class FaultProxy {
  /** In the order in which their bodies were complete. */
  readonly seen: Seen[] = [];
  readonly faults = new FaultList();
  readonly #injections: Injection[] = [];
  #reported = nothingReported();
  /** Open streams, each with the path that it was requested by. */
  readonly #streams = new Map<ServerResponse, string>();
  readonly #target: string;
  readonly #server: Server;
  #held: (() => void)[] = [];

  /** Before `target`, an origin; end it with `close`. */
  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => {
      // A kit that goes away is no failure of the proxy.
      this.#pass(incoming, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Another host, as far as a kit can tell; what it is asked for is seen as `elsewhere`. */
  get elsewhere(): string {
    return `http://localhost:${this.#port}/elsewhere`;
  }

  inject(injection: Injection): void {
    this.#injections.push(injection);
  }

  /** Ends all faults and injections, and lets go what is held. */
  clear(): void {
    this.faults.clear();
    this.#injections.length = 0;
    this.release();
  }

  /** Ends the faults that hold responses back, and lets go what they hold. */
  release(): void {
    this.faults.clear('hold');
    for (const go of this.#held.splice(0)) go();
  }

  /** What the server has said to events since this was asked last. */
  takeReported(): Reported {
    const reported = this.#reported;
    this.#reported = nothingReported();
    return reported;
  }

  /** How many streams of the server have an open connection to the kit. */
  get openStreams(): number {
    return this.#streams.size;
  }

  /** Resets the connection of each open stream. */
  cutStreams(): void {
    for (const response of this.#streams.keys()) reset(response);
  }

  /** Puts a text between the bytes that the server sends to each open stream. */
  sendToStreams(text: string): void {
    for (const [response, path] of this.#streams) response.write(asRequested(text, path));
  }

  close(): void {
    this.release();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const on = targetOf(incoming.url ?? '');
    // A connection for each request: none is repeated by the HTTP library because its connection was an old one.
    response.setHeader('connection', 'close');
    if (incoming.method === 'OPTIONS') {
      response.writeHead(204, preflight).end();
      return;
    }
    const fault = this.faults.next(on);
    this.seen.push({
      on,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: parsed(body.toString()),
      bytes: body.length,
      fault: fault?.kind ?? null,
    });
    if (fault?.kind === 'refuse') return reset(response);
    if (fault?.kind === 'raw') return void response.socket?.end(fault.text);
    if (fault?.kind === 'status') return respond(response, fault, incoming.url ?? '');
    await this.#passOn(incoming, body, response, on, fault);
  }

  async #passOn(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    on: Target,
    fault: Fault | null,
  ): Promise<void> {
    const isStream = on === 'stream';
    const injections = (): readonly Injection[] =>
      this.#injections.filter((each) => each.on === 'any' || each.on === on);
    const isRead = injections().length > 0;
    const held =
      fault?.kind === 'hold' ? new Promise<void>((go) => this.#held.push(go)) : undefined;
    const answer = await this.#ask(incoming, body, response, isRead || fault?.kind === 'corrupt');
    await held;
    response.writeHead(answer.statusCode ?? 502, spoiledHeaders(answer, fault, isRead));
    response.flushHeaders();
    if (isStream) {
      this.#streams.set(response, incoming.url ?? '');
      response.on('close', () => this.#streams.delete(response));
    }
    const isJson = answer.statusCode === 200;
    const pieces = isRead && isJson ? injected(answer, isStream, injections) : answer;
    await sendSpoiled(response, on === 'events' ? this.#noted(pieces) : pieces, fault);
  }

  /** Passes on what the server says to events, and notes it. */
  async *#noted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const all: Buffer[] = [];
    for await (const piece of pieces) {
      all.push(piece);
      yield piece;
    }
    const { taken, rejected } = parsed(Buffer.concat(all).toString()) as ServerResult;
    this.#reported.taken += taken ?? 0;
    for (const { reason } of rejected ?? []) this.#reported.rejected.push(reason);
  }

  /** @returns the server's response, of which the head has come */
  async #ask(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    isIdentity: boolean,
  ): Promise<IncomingMessage> {
    const { connection, 'accept-encoding': coding, ...headers } = incoming.headers;
    const sent: OutgoingHttpHeaders = { ...headers, 'content-length': body.length };
    if (coding !== undefined && !isIdentity) sent['accept-encoding'] = coding;
    const outgoing = request(new URL(incoming.url ?? '/', this.#target), {
      method: incoming.method ?? 'GET',
      headers: sent,
      agent: false,
    });
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return answer;
  }
}

function nothingReported(): Reported {
  return { taken: 0, rejected: [] };
}

function targetOf(path: string): Target {
  const [name = ''] = path.replace('/api/v1/', '').split('?', 1);
  return targets.find((each) => each === name) ?? 'elsewhere';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
