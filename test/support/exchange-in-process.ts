/** An exchange without a socket: what is written is noted. */
import type { HttpResponse } from 'uWebSockets.js';
import { BodyDeadlines } from '../../src/delivery/http/body-deadlines.js';
import { Cors } from '../../src/delivery/http/cors.js';
import { Exchange, makeExchangeContext } from '../../src/delivery/http/exchange.js';
import { UnsentResponses } from '../../src/delivery/http/unsent-responses.js';
import { Endpoint, Metrics } from '../../src/delivery/metrics.js';

/** A response that notes what is written, and whether that is done within a cork. */
export class NotedResponse {
  readonly statuses: string[] = [];
  readonly bodies: string[] = [];
  #aborted: () => void = () => undefined;
  #isCorked = false;

  onAborted(gone: () => void): void {
    this.#aborted = gone;
  }

  abort(): void {
    this.#aborted();
  }

  cork(write: () => void): void {
    this.#isCorked = true;
    write();
    this.#isCorked = false;
  }

  writeStatus(status: string): void {
    if (!this.#isCorked) throw new Error('A status is written within a cork.');
    this.statuses.push(status);
  }

  writeHeader(): void {}

  pause(): void {}

  resume(): void {}

  tryEnd(bytes: Uint8Array): [boolean, boolean] {
    this.bodies.push(Buffer.from(bytes).toString());
    return [true, true];
  }
}

/** @param logged receives what the exchange's work throws */
export function exchangeWith(logged: unknown[]): { exchange: Exchange; res: NotedResponse } {
  const res = new NotedResponse();
  const context = makeExchangeContext(new Cors(['*']), {
    metrics: new Metrics(),
    rejections: { note: () => undefined, requestsUnkeyed: 0 },
    unsent: new UnsentResponses(),
    bodies: new BodyDeadlines(),
    networks: { of: (peer) => peer },
    failed: (error) => logged.push(error),
  });
  const http = res as unknown as HttpResponse;
  return { exchange: new Exchange(context, http, Endpoint.OfrepBulk, '', 0, -1), res };
}
