/** One request and its response: what was read of the request, and the one place that writes to the socket. */
import type { HttpResponse } from 'uWebSockets.js';
import { digestOf } from '../../content/hash.js';
import { largeBytes, notModifiedPerTurnMax, promptBytes } from '../limits.js';
import { Endpoint, type Metrics } from '../metrics.js';
import { type Problem, problems } from '../problems.js';
import type { ServedEnvironment } from '../published/published-index.js';
import type { Rejections } from '../rejections.js';
import { Coding } from '../render/render-task.js';
import type { BodyDeadlines } from './body-deadlines.js';
import type { ClientNetworks } from './client-network.js';
import type { Cors } from './cors.js';
import { copyFrom, type UnsentResponse, type UnsentResponses } from './unsent-responses.js';

/** What all exchanges of a process share. */
export interface ExchangeContext {
  readonly cors: Cors;
  readonly metrics: Metrics;
  readonly rejections: Pick<Rejections, 'note' | 'requestsUnkeyed'>;
  /** The headers of every 200 in each coding, as the value of the first: written in one call (see `headerBlock`). */
  readonly headers: Readonly<Record<Coding, Uint8Array>>;
  /** The same of a refresh, whose Date a client kit in a page of another origin corrects the device's clock by. */
  readonly refreshHeaders: Readonly<Record<Coding, Uint8Array>>;
  /** True while the process drains: every response then closes its connection. */
  draining: boolean;
  underWay: number;
  /** What clients have yet to read of their responses. */
  readonly unsent: UnsentResponses;
  readonly bodies: BodyDeadlines;
  readonly networks: Pick<ClientNetworks, 'of'>;
  /** 304s in this turn of the event loop. */
  notModified: number;
  /** Receives what a request's work threw: a bug of ours. */
  readonly failed: (error: unknown) => void;
}

const contentTypeName = Buffer.from('Content-Type');
const cacheControl = 'Cache-Control: private, no-cache';
/** nginx buffers a response unless it is told not to. */
const streamHeaders =
  'text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\nVary: ';
const codingNames: Readonly<Record<Coding, string>> = {
  [Coding.Identity]: '',
  [Coding.Gzip]: '\r\nContent-Encoding: gzip',
  [Coding.Brotli]: '\r\nContent-Encoding: br',
};

/*
 * uWebSockets.js writes a header's value as it is given, so one call can write several lines: each call into it costs
 * some 150 ns, and five of them were a seventh of what a small response cost (bench/http/one-content). As bytes, such a
 * block takes 0.2 us to write instead of 0.4: a string is copied first.
 */
function headerBlock(contentType: string, coding: Coding, cors: Cors): string {
  return `${contentType}\r\n${cacheControl}\r\nVary: ${cors.vary}${cors.anyOrigin}${codingNames[coding]}`;
}

export function makeExchangeContext(
  cors: Cors,
  parts: Pick<
    ExchangeContext,
    'metrics' | 'rejections' | 'unsent' | 'bodies' | 'networks' | 'failed'
  >,
): ExchangeContext {
  const blocks = (more: string) => {
    const block = (coding: Coding) =>
      Buffer.from(headerBlock('application/json; charset=utf-8', coding, cors) + more);
    return {
      [Coding.Identity]: block(Coding.Identity),
      [Coding.Gzip]: block(Coding.Gzip),
      [Coding.Brotli]: block(Coding.Brotli),
    };
  };
  return {
    cors,
    ...parts,
    headers: blocks(''),
    refreshHeaders: blocks(cors.exposing),
    draining: false,
    underWay: 0,
    notModified: 0,
  };
}

/** @param flagKey see `Exchange.flagKey` */
export type ProblemForm = (problem: Problem, flagKey: string | null) => Problem;

export class Exchange {
  readonly #context: ExchangeContext;
  readonly #res: HttpResponse;
  readonly #endpoint: Endpoint;
  /** When the head had been read; performance.now(). */
  readonly startedAtMs: number;
  /** When the body had been read; performance.now(). */
  receivedAtMs = 0;
  /** Nothing that takes time happened since the body arrived: the response needs no clock of its own. */
  prompt = false;
  /** Origin header; '' without one, and where it makes no difference. */
  readonly #origin: string;
  /** `Accepts` bits (accept-encoding.ts). */
  readonly accepts: number;
  /** The sequence that the caller has seen (X-Min-Sequence), or -1. */
  readonly sequenceMin: number;
  /** What the response's X-Sequence says; -1: nothing. */
  sequence = -1;
  environment: ServedEnvironment | null = null;
  /** The key's text, and the state of all keys when it was found good. */
  key = '';
  keysVersion = -1;
  /** The key that the request is rejected for; '' where there is none. */
  wrongKey = '';
  /** Id of the content that is requested, where it is one. */
  content = '';
  /** When a rejected client is to come back, whole seconds; '' for any time soon. */
  retryAfter = '';
  /** X-Forwarded-For; '' without one, and where no proxy is trusted. */
  forwarded = '';
  /** Gives problems another form than RFC 9457; null: none is needed. */
  problemForm: ProblemForm | null = null;
  /** OFREP: key of the flag that is asked for; null: none is. */
  flagKey: string | null = null;
  /** The caller sent HEAD: everything but the body. */
  headOnly = false;
  /** The connection is gone, or the response is written: nothing may touch it any more. */
  ended = false;
  /** The response is decided, and written in a later turn: what the client still sends does not matter. */
  closing = false;
  #unsent: UnsentResponse | null = null;
  /** Nothing more is read from the socket while this request waits. */
  #paused = false;
  /** uWebSockets.js holds back what is written while one of its callbacks runs; later it must be corked. */
  corked = true;

  constructor(
    context: ExchangeContext,
    res: HttpResponse,
    endpoint: Endpoint,
    origin: string,
    accepts: number,
    sequenceMin: number,
  ) {
    this.#context = context;
    this.#res = res;
    this.#endpoint = endpoint;
    this.startedAtMs = performance.now();
    this.#origin = origin;
    this.accepts = accepts;
    this.sequenceMin = sequenceMin;
    context.underWay += 1;
    // uWebSockets.js ends the process when a handler leaves a response open without this.
    res.onAborted(() => this.abort());
  }

  /** The moment that the response is chosen for; performance.now(). */
  get choosingAtMs(): number {
    return this.corked ? this.receivedAtMs : performance.now();
  }

  /** Does some of the request's work. What that throws is a bug of ours: the client gets a 500, and the process goes on. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#context.failed(error);
      this.reject(problems.internal);
    }
  }

  /** The same in a later turn of the event loop, or in a callback that may be; does nothing for a client that is gone. */
  goOn(work: () => void): void {
    if (this.ended) return;
    this.corked = false;
    this.guard(work);
  }

  /** The network of the client, by which its limits count; see `ClientNetworks`. Not after the end of the connection. */
  get network(): string {
    const peer = Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1');
    return this.#context.networks.of(peer, this.forwarded);
  }

  /** The connection is gone. */
  abort(): void {
    this.#context.bodies.settle(this);
    if (this.#unsent !== null) this.#sent();
    if (this.ended) return;
    this.ended = true;
    this.#context.underWay -= 1;
  }

  /**
   * The response comes in a later turn of the event loop. Until then nothing is read from the socket: uWebSockets.js
   * closes a connection that sends its next request meanwhile. A stream is read from all the time: its end is seen by that,
   * and with `resume` uWebSockets.js would begin to count how long the connection is idle.
   */
  pause(): void {
    if (this.ended || this.closing || this.#paused || this.#endpoint === Endpoint.Stream) return;
    this.#paused = true;
    this.#res.pause();
  }

  /** Status 200. The bytes are sent or copied before this returns. `etag`: '' for none. */
  respond(bytes: Uint8Array, coding: Coding, etag: string): void {
    if (this.ended || this.closing) return;
    if (bytes.byteLength > largeBytes && this.#context.unsent.isFull) {
      this.reject(problems.overloaded);
      return;
    }
    if (!this.corked) {
      this.#res.cork(() => this.#respond(bytes, coding, etag));
    } else {
      this.#respond(bytes, coding, etag);
    }
    this.#done(200);
  }

  /** Status 202. The bytes are sent or copied before this returns. */
  accept(bytes: Uint8Array): void {
    if (this.ended || this.closing) return;
    const write = (): void => {
      this.#res.writeStatus('202 Accepted');
      this.#respond(bytes, Coding.Identity, '');
    };
    if (this.corked) write();
    else this.#res.cork(write);
    this.#done(202);
  }

  /** False: too many of them in this turn, so that the body must be sent after all. */
  notModified(etag: string): boolean {
    const context = this.#context;
    if (context.notModified >= notModifiedPerTurnMax) return false;
    if (context.notModified === 0) {
      setImmediate(() => {
        context.notModified = 0;
      });
    }
    context.notModified += 1;
    this.#write('304 Not Modified', 304, null, 'ETag', etag);
    return true;
  }

  reject(reason: Problem): void {
    const problem = this.#formed(reason);
    const retryAfter = this.retryAfter === '' ? retryAfterSeconds() : this.retryAfter;
    this.#reject(problem, problem.retry ? 'Retry-After' : '', retryAfter);
  }

  /**
   * Status 200, and a body of server-sent events that has no end (WHATWG HTML, "Server-sent events"). The exchange ends here.
   * @param begin writes the first event, and listens to the connection from now on
   */
  beginStream(begin: (res: HttpResponse) => void): void {
    if (this.ended || this.closing) return;
    const res = this.#res;
    const write = (): void => {
      const { cors } = this.#context;
      res.writeHeader(contentTypeName, `${streamHeaders}${cors.vary}${cors.anyOrigin}`);
      this.#writeSequence();
      if (this.#origin !== '') cors.writeOrigin(res, this.#origin);
      begin(res);
    };
    if (this.corked) write();
    else res.cork(write);
    this.#done(200);
  }

  /** Calls `gone` when the connection is gone before the response is decided. */
  whenAborted(gone: () => void): void {
    this.#res.onAborted(() => {
      this.abort();
      gone();
    });
  }

  /** 405 (RFC 9110 15.5.6 wants Allow). */
  rejectMethod(problem: Problem, allow: string): void {
    this.#reject(this.#formed(problem), 'Allow', allow);
  }

  /**
   * Rejects the request and closes its connection. The response is written in a turn of its own: a request that the
   * client has sent behind this one is then never run.
   */
  rejectAndClose(reason: Problem): void {
    const problem = this.#formed(reason);
    this.#later(() => this.#write(problem.statusLine, problem.status, problem, '', '', true));
  }

  #formed(problem: Problem): Problem {
    return this.problemForm === null ? problem : this.problemForm(problem, this.flagKey);
  }

  #reject(problem: Problem, headerName: string, headerValue: string): void {
    if (this.closing) return;
    const { statusLine, status } = problem;
    const write = () => this.#write(statusLine, status, problem, headerName, headerValue);
    if (this.headOnly) this.#later(write);
    else write();
  }

  /**
   * For a response without a body. Whether a client reads such responses cannot be seen, and a client that sends its
   * next request before it has read this one is disconnected, so none can pile up.
   */
  #later(write: () => void): void {
    if (this.ended || this.closing) return;
    this.closing = true;
    setImmediate(() => {
      this.closing = false;
      this.corked = false;
      write();
    });
  }

  /** The response to a browser's preflight. */
  preflight(): void {
    this.#later(() => this.#write('204 No Content', 204, null, 'Allow', 'GET, POST, OPTIONS'));
  }

  #respond(bytes: Uint8Array, coding: Coding, etag: string): void {
    const { cors, headers, refreshHeaders, draining } = this.#context;
    const res = this.#res;
    if (this.#endpoint === Endpoint.Refresh) {
      res.writeHeader(contentTypeName, refreshHeaders[coding]);
      if (this.sequence >= 0) res.writeHeader('X-Sequence', String(this.sequence));
    } else {
      res.writeHeader(contentTypeName, headers[coding]);
      if (etag !== '') res.writeHeader('ETag', etag);
      if (etag !== '' || this.sequence >= 0) this.#writeSequence();
    }
    if (this.#origin !== '') cors.writeOrigin(res, this.#origin);
    this.#send(bytes, draining);
  }

  /**
   * A body that the socket may not take at once. What it leaves is copied, since the bytes are somebody else's after
   * this; the request is under way until the last of it is taken, so that draining waits for it. uWebSockets.js closes
   * a connection that sends its next request before that, so one connection never holds more than one response.
   */
  #send(bytes: Uint8Array, close: boolean): void {
    const res = this.#res;
    const total = bytes.byteLength;
    if (this.#paused) {
      this.#paused = false;
      res.resume();
    }
    if (close && total <= promptBytes) {
      res.end(bytes, true);
      return;
    }
    if (close) res.writeHeader('Connection', 'close');
    if (!res.tryEnd(bytes, total)[1]) this.#sendRest(bytes);
  }

  /**
   * Apart from `#send`, whose every call would otherwise pay 0.2 us for these closures. They must not capture `bytes`:
   * a slow client would keep the whole body in memory beside the copy of the rest that its budget counts.
   */
  #sendRest(bytes: Uint8Array): void {
    const res = this.#res;
    const total = bytes.byteLength;
    const from = res.getWriteOffset();
    const rest = copyFrom(bytes, from);
    const unsent: UnsentResponse = {
      bytes: rest.byteLength,
      keyHash: this.key === '' ? '' : digestOf(this.key),
      network: this.network,
      sinceMs: performance.now(),
      sentBytes: 0,
      close: () => res.close(),
    };
    this.#unsent = unsent;
    this.#context.underWay += 1;
    this.#context.unsent.add(unsent);
    res.onWritable((offset) => {
      unsent.sentBytes = offset - from;
      const [ok, done] = res.tryEnd(rest.subarray(unsent.sentBytes), total);
      if (done) this.#sent();
      return ok;
    });
  }

  #sent(): void {
    if (this.#unsent === null) return;
    this.#context.underWay -= 1;
    this.#context.unsent.remove(this.#unsent);
    this.#unsent = null;
  }

  #writeSequence(): void {
    if (this.sequence >= 0) this.#res.writeHeader('X-Sequence', String(this.sequence));
    this.#context.cors.writeExposed(this.#res);
  }

  /** Everything but a 200; `headerName` '' for no header of its own. */
  #write(
    statusLine: string,
    status: number,
    problem: Problem | null,
    headerName: string,
    headerValue: string,
    close = false,
  ): void {
    if (this.ended) return;
    const { cors, draining } = this.#context;
    const res = this.#res;
    this.#context.bodies.settle(this);
    res.cork(() => {
      res.writeStatus(statusLine);
      if (problem !== null) {
        res.writeHeader('Content-Type', headerBlock(problem.contentType, Coding.Identity, cors));
      } else {
        res.writeHeader(
          'Cache-Control',
          `private, no-cache\r\nVary: ${cors.vary}${cors.anyOrigin}`,
        );
      }
      if (headerName !== '') res.writeHeader(headerName, headerValue);
      if (status !== 204) this.#writeSequence();
      if (this.#origin !== '') cors.writeOrigin(res, this.#origin);
      if (status === 204) cors.writePreflight(res, this.#origin);
      if (problem !== null && !this.headOnly) {
        this.#send(problem.body, draining || close);
        return;
      }
      if (this.#paused) res.resume();
      // This build of uWebSockets.js takes no arguments here (it throws, which ends the process).
      if (problem !== null) {
        res.writeHeader('Content-Length', String(problem.body.byteLength));
      }
      if (draining) res.writeHeader('Connection', 'close');
      res.endWithoutBody();
    });
    this.#done(status);
    if (problem === null) return;
    this.#context.metrics.rejected(problem.code);
    this.#context.rejections.note(problem, this);
  }

  #done(status: number): void {
    this.ended = true;
    this.#context.underWay -= 1;
    if (this.environment === null) this.#context.rejections.requestsUnkeyed += 1;
    else this.environment.requests += 1;
    const endedAtMs = this.prompt ? this.receivedAtMs : performance.now();
    this.#context.metrics.responded(this.#endpoint, status, endedAtMs - this.startedAtMs);
  }
}

/** Spreads the callers that come back: 1 to 4 seconds. */
function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * 4));
}
