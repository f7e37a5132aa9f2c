/** One request and its answer: what was read of the request, and the one place that writes to the socket. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Cors } from './cors.js';
import { largeBytes, promptBytes, unsentBytesMax } from './limits.js';
import type { Endpoint, Measures } from './measures.js';
import type { ServedEnvironment } from './published-index.js';
import { type Refusal, refusals } from './refusals.js';
import { Coding } from './render-task.js';

/** What all exchanges of a process share. */
export interface ExchangeContext {
  readonly cors: Cors;
  readonly measures: Measures;
  /** The headers of every 200 in each coding, as the value of the first: written in one call (see `headerBlock`). */
  readonly headers: Readonly<Record<Coding, Uint8Array>>;
  /** True while the process drains: every answer then closes its connection. */
  draining: boolean;
  underWay: number;
  /** When an answer was last handed over whole that may take its time to leave; performance.now(). */
  handedOverAtMs: number;
  /** What slow callers have yet to be sent of large answers. */
  unsentBytes: number;
}

const contentTypeName = Buffer.from('Content-Type');
const problemType = 'application/problem+json';
const cacheControl = 'Cache-Control: private, no-cache';
const codingNames: Readonly<Record<Coding, string>> = {
  [Coding.Identity]: '',
  [Coding.Gzip]: '\r\nContent-Encoding: gzip',
  [Coding.Brotli]: '\r\nContent-Encoding: br',
};

/*
 * uWebSockets.js writes a header's value as it is given, so one call can write several lines: each call into it costs
 * some 150 ns, and five of them were a seventh of what a small answer cost (bench/http/one-content). As bytes, such a
 * block takes 0.2 us to write instead of 0.4: a string is copied first.
 */
function headerBlock(contentType: string, coding: Coding, cors: Cors): string {
  return `${contentType}\r\n${cacheControl}\r\nVary: ${cors.vary}${cors.anyOrigin}${codingNames[coding]}`;
}

export function makeExchangeContext(cors: Cors, measures: Measures): ExchangeContext {
  const json = (coding: Coding) =>
    Buffer.from(headerBlock('application/json; charset=utf-8', coding, cors));
  return {
    cors,
    measures,
    headers: {
      [Coding.Identity]: json(Coding.Identity),
      [Coding.Gzip]: json(Coding.Gzip),
      [Coding.Brotli]: json(Coding.Brotli),
    },
    draining: false,
    underWay: 0,
    handedOverAtMs: Number.NEGATIVE_INFINITY,
    unsentBytes: 0,
  };
}

export class Exchange {
  readonly #context: ExchangeContext;
  readonly #res: HttpResponse;
  readonly #endpoint: Endpoint;
  /** When the head had been read; performance.now(). */
  readonly startedAtMs: number;
  /** When the body had been read; performance.now(). */
  receivedAtMs = 0;
  /** Nothing that takes time was done since the body came: the answer needs no clock of its own. */
  prompt = false;
  /** Origin header; '' without one, and where it makes no difference. */
  readonly #origin: string;
  /** `Accepts` bits (accept-encoding.ts). */
  readonly accepts: number;
  /** The sequence that the caller has seen (X-Min-Sequence), or -1. */
  readonly sequenceMin: number;
  /** What the answer's X-Sequence says; -1: nothing. */
  sequence = -1;
  environment: ServedEnvironment | null = null;
  /** The key's text, and the state of all keys when it was found good. */
  key = '';
  keysVersion = -1;
  /** The caller sent HEAD: everything but the body. */
  headOnly = false;
  /** The connection is gone, or the answer is written: nothing may touch the response any more. */
  ended = false;
  #unsent: Uint8Array | null = null;
  /** uWebSockets.js holds back what is written while one of its callbacks runs; later it must be told to. */
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
  }

  /** The moment that the answer is chosen for; performance.now(). */
  get choosingAtMs(): number {
    return this.corked ? this.receivedAtMs : performance.now();
  }

  /** The caller has gone. */
  abort(): void {
    if (this.#unsent !== null) this.#sent();
    if (this.ended) return;
    this.ended = true;
    this.#context.underWay -= 1;
  }

  /** Status 200. The bytes are sent or copied before this returns. `etag`: '' for none. */
  answer(bytes: Uint8Array, coding: Coding, etag: string): void {
    if (this.ended) return;
    if (bytes.byteLength > largeBytes && this.#context.unsentBytes > unsentBytesMax) {
      this.refuse(refusals.overloaded);
      return;
    }
    if (!this.corked) {
      this.#res.cork(() => this.#answer(bytes, coding, etag));
    } else {
      this.#answer(bytes, coding, etag);
    }
    this.#done(200);
  }

  notModified(etag: string): void {
    this.#write('304 Not Modified', 304, null, 'ETag', etag);
  }

  refuse(refusal: Refusal): void {
    const name = refusal.retry ? 'Retry-After' : '';
    this.#write(refusal.statusLine, refusal.status, refusal.body, name, retryAfterSeconds());
  }

  /** 405 (RFC 9110 15.5.6 wants Allow). */
  refuseMethod(refusal: Refusal, allow: string): void {
    this.#write(refusal.statusLine, refusal.status, refusal.body, 'Allow', allow);
  }

  /** The answer to a browser's preflight. */
  preflight(): void {
    this.#write('204 No Content', 204, null, 'Allow', 'GET, POST, OPTIONS');
  }

  #answer(bytes: Uint8Array, coding: Coding, etag: string): void {
    const { cors, headers, draining } = this.#context;
    const res = this.#res;
    res.writeHeader(contentTypeName, headers[coding]);
    if (etag !== '') res.writeHeader('ETag', etag);
    if (etag !== '' || this.sequence >= 0) this.#writeSequence();
    if (this.#origin !== '') cors.writeOrigin(res, this.#origin);
    if (bytes.byteLength > largeBytes) {
      this.#send(bytes, draining);
      return;
    }
    if (bytes.byteLength > promptBytes) this.#context.handedOverAtMs = this.startedAtMs;
    res.end(bytes, draining);
  }

  /**
   * A body that the socket may not take at once. What it leaves is copied, since the bytes are somebody else's after
   * this; the request is under way until the last of it is taken, so that draining waits for it.
   */
  #send(bytes: Uint8Array, draining: boolean): void {
    const res = this.#res;
    const total = bytes.byteLength;
    if (draining) res.writeHeader('Connection', 'close');
    if (res.tryEnd(bytes, total)[1]) return;
    const from = res.getWriteOffset();
    const unsent = bytes.slice(from);
    this.#unsent = unsent;
    this.#context.underWay += 1;
    this.#context.unsentBytes += unsent.byteLength;
    res.onWritable((offset) => {
      const [ok, done] = res.tryEnd(unsent.subarray(offset - from), total);
      if (done) this.#sent();
      return ok;
    });
  }

  #sent(): void {
    this.#context.underWay -= 1;
    this.#context.unsentBytes -= this.#unsent?.byteLength ?? 0;
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
    problem: Uint8Array | null,
    headerName: string,
    headerValue: string,
  ): void {
    if (this.ended) return;
    const { cors, draining } = this.#context;
    const res = this.#res;
    res.cork(() => {
      res.writeStatus(statusLine);
      if (problem !== null) {
        res.writeHeader('Content-Type', headerBlock(problemType, Coding.Identity, cors));
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
        res.end(problem, draining);
        return;
      }
      // This build of uWebSockets.js takes no arguments here (it throws, which ends the process).
      if (problem !== null) res.writeHeader('Content-Length', String(problem.byteLength));
      if (draining) res.writeHeader('Connection', 'close');
      res.endWithoutBody();
    });
    this.#done(status);
  }

  #done(status: number): void {
    this.ended = true;
    this.#context.underWay -= 1;
    const endedAtMs = this.prompt ? this.receivedAtMs : performance.now();
    this.#context.measures.answered(this.#endpoint, status, endedAtMs - this.startedAtMs);
  }
}

/** Spreads the callers that come back: 1 to 4 seconds. */
function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * 4));
}
