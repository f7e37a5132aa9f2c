/** A request whose work throws, which is a bug: it gets a 500, and the process goes on. */
import type { HttpResponse } from 'uWebSockets.js';
import { describe, expect, it } from 'vitest';
import { BodyDeadlines } from '../../../src/delivery/http/body-deadlines.js';
import { Cors } from '../../../src/delivery/http/cors.js';
import { Exchange, makeExchangeContext } from '../../../src/delivery/http/exchange.js';
import { UnsentResponses } from '../../../src/delivery/http/unsent-responses.js';
import { Endpoint, Metrics } from '../../../src/delivery/metrics.js';
import { asOfrepError } from '../../../src/delivery/ofrep/ofrep-errors.js';

/** A response that notes what is written, and whether that is done within a cork. */
class NotedResponse {
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
    expect(this.#isCorked).toBe(true);
    this.statuses.push(status);
  }

  writeHeader(): void {}

  tryEnd(bytes: Uint8Array): [boolean, boolean] {
    this.bodies.push(Buffer.from(bytes).toString());
    return [true, true];
  }
}

function exchangeWith(logged: unknown[]): { exchange: Exchange; res: NotedResponse } {
  const res = new NotedResponse();
  const [unsent, bodies] = [new UnsentResponses(), new BodyDeadlines()];
  const failed = (error: unknown) => logged.push(error);
  const context = makeExchangeContext(new Cors(['*']), new Metrics(), unsent, bodies, failed);
  const http = res as unknown as HttpResponse;
  return { exchange: new Exchange(context, http, Endpoint.OfrepBulk, '', 0, -1), res };
}

const bug = new Error('a bug');
const fail = () => {
  throw bug;
};

describe('a bug in the work of a request', () => {
  it.each(['guard', 'goOn'] as const)('ends that request alone, and is logged once: %s', (how) => {
    const logged: unknown[] = [];
    const { exchange, res } = exchangeWith(logged);
    exchange.problemForm = asOfrepError;
    exchange[how](fail);
    expect(logged).toEqual([bug]);
    expect(res.statuses).toEqual(['500 Internal Server Error']);
    expect(JSON.parse(res.bodies.join(''))).toMatchObject({
      errorCode: 'GENERAL',
      metadata: { code: 'internal' },
    });
    expect(exchange.ended).toBe(true);
  });

  it('writes nothing behind a response that was written', () => {
    const logged: unknown[] = [];
    const { exchange, res } = exchangeWith(logged);
    exchange.goOn(() => {
      exchange.respond(Buffer.from('{}'), 0, '');
      fail();
    });
    expect([logged, res.statuses, res.bodies]).toEqual([[bug], [], ['{}']]);
  });

  it('cannot come about once the client is gone', () => {
    const logged: unknown[] = [];
    const { exchange, res } = exchangeWith(logged);
    res.abort();
    exchange.goOn(fail);
    expect([logged, res.statuses]).toEqual([[], []]);
  });
});
