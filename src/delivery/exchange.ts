/** One request and its answer: what was read of the request, and the one place that writes to the socket. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Cors } from './cors.js';
import type { Endpoint, Measures } from './measures.js';
import type { ServedEnvironment } from './published-index.js';
import type { Refusal } from './refusals.js';

const contentTypeJson = 'application/json; charset=utf-8';
const contentTypeProblem = 'application/problem+json';
const cacheControl = 'private, no-cache';

/** What all exchanges of a process share. */
export interface ExchangeContext {
  readonly cors: Cors;
  readonly measures: Measures;
  /** True while the process drains: every answer then closes its connection. */
  draining: boolean;
  underWay: number;
}

export class Exchange {
  readonly #context: ExchangeContext;
  readonly #res: HttpResponse;
  readonly #endpoint: Endpoint;
  readonly #startedAtMs: number;
  /** Origin header, '' without one. */
  readonly #origin: string;
  readonly gzip: boolean;
  /** The sequence that the caller has seen (X-Min-Sequence), or -1. */
  readonly sequenceMin: number;
  /** What the answer's X-Sequence says; -1: nothing. */
  sequence = -1;
  environment: ServedEnvironment | null = null;
  /** The caller sent HEAD: everything but the body. */
  headOnly = false;
  /** The connection is gone, or the answer is written: nothing may touch the response any more. */
  ended = false;

  constructor(
    context: ExchangeContext,
    res: HttpResponse,
    endpoint: Endpoint,
    origin: string,
    gzip: boolean,
    sequenceMin: number,
  ) {
    this.#context = context;
    this.#res = res;
    this.#endpoint = endpoint;
    this.#startedAtMs = performance.now();
    this.#origin = origin;
    this.gzip = gzip;
    this.sequenceMin = sequenceMin;
    context.underWay += 1;
  }

  /** The caller has gone. */
  abort(): void {
    if (this.ended) return;
    this.ended = true;
    this.#context.underWay -= 1;
  }

  /** Status 200. `encoded`: the bytes are a gzip member. */
  answer(bytes: Uint8Array, encoded: boolean): void {
    this.#write('200 OK', 200, contentTypeJson, bytes, encoded, null, null);
  }

  /** Status 200 with an ETag. */
  answerTagged(bytes: Uint8Array, encoded: boolean, etag: string): void {
    this.#write('200 OK', 200, contentTypeJson, bytes, encoded, 'ETag', etag);
  }

  notModified(etag: string): void {
    this.#write('304 Not Modified', 304, null, null, false, 'ETag', etag);
  }

  refuse(refusal: Refusal): void {
    const retryAfter = refusal.status === 503;
    this.#write(
      refusal.statusLine,
      refusal.status,
      contentTypeProblem,
      refusal.body,
      false,
      retryAfter ? 'Retry-After' : null,
      retryAfter ? retryAfterSeconds() : null,
    );
  }

  /** 405 (RFC 9110 15.5.6 wants Allow). */
  refuseMethod(refusal: Refusal, allow: string): void {
    this.#write(refusal.statusLine, 405, contentTypeProblem, refusal.body, false, 'Allow', allow);
  }

  /** The answer to a browser's preflight. */
  preflight(): void {
    this.#write('204 No Content', 204, null, null, false, 'Allow', 'GET, POST, OPTIONS');
  }

  #write(
    statusLine: string,
    status: number,
    contentType: string | null,
    body: Uint8Array | null,
    encoded: boolean,
    headerName: string | null,
    headerValue: string | null,
  ): void {
    if (this.ended) return;
    this.ended = true;
    const { cors, measures, draining } = this.#context;
    const res = this.#res;
    res.cork(() => {
      res.writeStatus(statusLine);
      if (contentType !== null) res.writeHeader('Content-Type', contentType);
      res.writeHeader('Cache-Control', cacheControl);
      res.writeHeader('Vary', cors.vary);
      if (encoded) res.writeHeader('Content-Encoding', 'gzip');
      if (headerName !== null && headerValue !== null) res.writeHeader(headerName, headerValue);
      if (this.sequence >= 0) res.writeHeader('X-Sequence', String(this.sequence));
      cors.write(res, this.#origin, status === 204);
      if (body !== null && !this.headOnly) {
        res.end(body, draining);
        return;
      }
      // This build of uWebSockets.js takes no arguments here (it throws, which ends the process).
      if (body !== null) res.writeHeader('Content-Length', String(body.byteLength));
      if (draining) res.writeHeader('Connection', 'close');
      res.endWithoutBody();
    });
    this.#context.underWay -= 1;
    measures.answered(this.#endpoint, status, this.#startedAtMs);
  }
}

/** Spreads the callers that come back: 1 to 4 seconds. */
function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * 4));
}
