/** A collector that does what a test says: takes rows, refuses them, is slow, breaks off. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  readonly rows: readonly any[];
}

/** @returns what it responds with; null: nothing, the connection ends */
type Behaviour = (received: Received, response: ServerResponse) => number | null;

export class TestCollector {
  readonly url: string;
  /** Of requests that it responded to with 200. */
  readonly taken: Received[] = [];
  /** Of all. */
  readonly received: Received[] = [];
  behave: Behaviour = () => 200;

  private constructor(url: string) {
    this.url = url;
  }

  get rows() {
    return this.taken.flatMap(({ rows }) => rows);
  }

  static async start(): Promise<TestCollector> {
    const server = createServer((request, response) => {
      void collector.#handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const collector = new TestCollector(`http://collector:secret@127.0.0.1:${port}/events`);
    return collector;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    const received = { headers: request.headers, rows: lines.map((line) => JSON.parse(line)) };
    this.received.push(received);
    const status = this.behave(received, response);
    if (status === null) return;
    if (status === 200) this.taken.push(received);
    response.statusCode = status;
    response.end(status === 200 ? '' : 'not now');
  }
}
