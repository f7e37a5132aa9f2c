/** A collector of OpenTelemetry traces: a real HTTP server that keeps what it is sent. Knows nothing of vitest. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from './exchange.js';
import { type OtlpSpan, readSpans } from './otlp-message.js';

export interface OtlpRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const waitMillisMax = 15_000;

/** An empty `ExportTraceServiceResponse`. */
export function takes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
}

export class OtlpCollector {
  readonly requests: OtlpRequest[] = [];
  readonly spans: OtlpSpan[] = [];
  /** Responses that the other side did not wait for. */
  cutOff = 0;
  /** Responds; nothing is kept of what it does not take. */
  respond: (response: ServerResponse) => void = takes;
  readonly #server = createServer((request, response) => this.#receive(request, response));
  readonly #waiting = new Set<() => void>();

  /** @param port left out: a free one */
  static async start(port = 0): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    collector.#server.listen(port, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All spans of a trace, once one of them is what `isLast` looks for. */
  async trace(traceId: string, isLast: (span: OtlpSpan) => boolean): Promise<OtlpSpan[]> {
    const find = (): OtlpSpan[] => this.spans.filter((span) => span.traceId === traceId);
    await this.until(`the trace ${traceId}`, () => find().some(isLast));
    return find();
  }

  /** Resolves when `isThere`, which each request is asked for. */
  async until(what: string, isThere: () => boolean): Promise<void> {
    if (isThere()) return;
    const { promise, resolve, reject } = deferred<void>();
    const look = (): void => {
      if (isThere()) resolve();
    };
    this.#waiting.add(look);
    const names = (): string => this.spans.map(({ name }) => name).join(', ');
    const timer = setTimeout(
      () => reject(new Error(`${what} did not come; ${names()}`)),
      waitMillisMax,
    );
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { url: path, headers } = request;
      const body = Buffer.concat(pieces);
      this.requests.push({ path, headers, body });
      if (this.respond === takes) this.spans.push(...readSpans(body));
      response.once('close', () => {
        if (!response.writableFinished) this.cutOff += 1;
      });
      this.respond(response);
      for (const look of this.#waiting) look();
    });
  }
}
