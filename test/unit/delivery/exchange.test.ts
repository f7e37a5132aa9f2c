/** A request whose work throws, which is a bug: it gets a 500, and the process goes on. */
import { describe, expect, it } from 'vitest';
import { asOfrepError } from '../../../src/delivery/ofrep/ofrep-errors.js';
import { exchangeWith } from '../../support/exchange-in-process.js';

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
