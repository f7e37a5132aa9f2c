/** A reverse proxy that tells what a provider requested and what the server responded, and can spoil a body on its way. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly status: number;
  readonly responseHeaders: IncomingHttpHeaders;
}

export class RecordingProxy {
  /** In the order in which heads of responses came. */
  readonly exchanges: Exchange[] = [];
  /** What the server gets instead of a request's body. */
  spoil: ((body: Buffer) => Buffer) | null = null;
  readonly #server: Server;
  readonly #target: string;

  /** Before `target`, an origin; end it with `close`. */
  static async start(target: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer(async (incoming, response) => {
      // The server's end of a connection is the client's, in both directions.
      const outgoing = request(new URL(incoming.url ?? '/', this.#target), {
        method: incoming.method ?? 'GET',
        agent: false,
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      outgoing.on('response', (answer) => {
        this.exchanges.push({
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          requestHeaders: incoming.headers,
          status: answer.statusCode ?? 0,
          responseHeaders: answer.headers,
        });
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        pipeline(answer, response, () => undefined);
      });
      const pieces: Buffer[] = [];
      try {
        for await (const piece of incoming) pieces.push(piece as Buffer);
      } catch {
        return;
      }
      const body = this.spoil?.(Buffer.concat(pieces)) ?? Buffer.concat(pieces);
      const { connection, upgrade, ...headers } = incoming.headers;
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined) outgoing.setHeader(name, value);
      }
      if (headers['content-length'] !== undefined) {
        outgoing.setHeader('content-length', body.length);
      }
      outgoing.end(body);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
