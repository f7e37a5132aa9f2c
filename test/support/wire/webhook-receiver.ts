/** A receiver of webhooks: a real HTTP server that notes what arrives, and answers as a test wants. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  readonly body: any;
  readonly method: string | undefined;
  readonly path: string | undefined;
}

/** PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** @param count how many messages arrived, this one included */
export type Reaction = (response: ServerResponse, received: Received, count: number) => void;

export function status(code: number, headers: Record<string, string> = {}): Reaction {
  return (response) => void response.writeHead(code, headers).end();
}

const waitMillisMax = 15_000;

export class WebhookReceiver {
  readonly received: Received[] = [];
  react: Reaction = status(204);
  readonly #server: Server;
  readonly #scheme: string;
  readonly #heard = new Set<() => void>();

  private constructor(tls: Certificate | null) {
    this.#scheme = tls === null ? 'http' : 'https';
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const { headers, method, url: path } = request;
        const received = { headers, text, body: JSON.parse(text), method, path };
        this.received.push(received);
        this.react(response, received, this.received.length);
        for (const heard of this.#heard) heard();
      });
    };
    this.#server = tls === null ? createServer(serve) : createTlsServer(tls, serve);
  }

  /** Ends with the test. */
  static async start(tls: Certificate | null = null): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(tls);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/hook`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  /** Resolves when that many messages have arrived. */
  async have(count: number): Promise<void> {
    const { promise, resolve, reject } = deferred();
    const check = (): void => {
      if (this.received.length >= count) resolve();
    };
    const late = setTimeout(
      () => reject(new Error(`${this.received.length} of ${count} messages: ${this.types}`)),
      waitMillisMax,
    );
    this.#heard.add(check);
    check();
    await promise.finally(() => {
      clearTimeout(late);
      this.#heard.delete(check);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** What the reference implementation of Standard Webhooks makes of a message; throws when it is not genuine. */
export function verified(secret: string, { headers, text }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

function deferred(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
} {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
