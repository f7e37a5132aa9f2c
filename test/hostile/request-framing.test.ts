/** How a request says where its body ends: what is ambiguous is rejected, what does not come is not waited for. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { makeShop, serveEnvironment } from '../support/server/served-environment.js';
import {
  chunked,
  head,
  openConnection,
  type RawConnection,
} from '../support/wire/raw-connection.js';
import { expectRefusal } from '../support/wire/refusal.js';

const served = serveEnvironment(makeShop);

type Headers = readonly (readonly [string, string])[];

function open(): Promise<RawConnection> {
  return openConnection(served.server.deliveryPort);
}

function post(headers: Headers, path = '/api/v1/config/shop'): string {
  const json = ['Content-Type', 'application/json'] as const;
  return head('POST', path, [['X-Api-Key', served.game.key], json, ...headers]);
}

/** Sends `piece` again and again until the server closes the connection. @returns the bytes sent until then */
async function sendUntilClosed(
  connection: RawConnection,
  piece: Buffer,
  bytesMax: number,
): Promise<number> {
  let sent = 0;
  while (!connection.ended && sent < bytesMax) {
    await connection.write(piece);
    sent += piece.byteLength;
    // So that the end of the connection is noticed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

describe('a body that is empty', () => {
  it('is rejected at once, also when the head comes in two segments', async () => {
    const request = post([['Content-Length', '0']]);
    for (const cut of [1, 20, request.length - 8, request.length - 1]) {
      const connection = await open();
      await connection.write(request.slice(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 5));
      await connection.write(request.slice(cut));
      expectRefusal(await connection.read(), 400, 'invalid_body');
      connection.close();
    }
  });
});

describe('a head that says in two ways where the body ends, or in an unknown one', () => {
  it.each([
    ['an unknown Transfer-Encoding', [['Transfer-Encoding', 'xchunked']]],
    ['two codings', [['Transfer-Encoding', 'gzip, chunked']]],
    [
      'both headers',
      [
        ['Content-Length', '2'],
        ['Transfer-Encoding', 'chunked'],
      ],
    ],
    [
      'both headers, the other way round',
      [
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '2'],
      ],
    ],
  ] as [string, Headers][])('%s: 400, and the connection is closed', async (_name, headers) => {
    const connection = await open();
    await connection.write(post(headers));
    const answer = await connection.read();
    expect(answer.status).toBe(400);
    await connection.closed();
  });

  it('runs no request that stands behind it', async () => {
    const connection = await open();
    await connection.write(
      `${post([['Transfer-Encoding', 'xchunked']])}0\r\n\r\n${head('GET', '/healthz', [])}`,
    );
    await connection.closed();
    await expect(connection.read()).rejects.toThrow(/ended|400/);
  });
});

describe('a body that does not come', () => {
  it.each([
    ['of a known length', [['Content-Length', '20']], '{'],
    ['in chunks', [['Transfer-Encoding', 'chunked']], '1\r\n{\r\n'],
    ['in chunks, none of them', [['Transfer-Encoding', 'chunked']], ''],
  ] as [string, Headers, string][])(
    '%s: 408, and the connection is closed',
    async (_name, headers, body) => {
      const connection = await open();
      await connection.write(post(headers) + body);
      expectRefusal(await connection.read(), 408, 'request_timeout');
      await connection.closed();
    },
  );
});

describe('a body without an end', () => {
  const piece = chunked(Buffer.alloc(1024 * 1024, 0x20), 64 * 1024).subarray(0, -5);
  const bytesMax = 200 * 1024 * 1024;
  it.each([
    [
      'of a rejected key',
      () => head('POST', '/api/v1/config/shop', [['Transfer-Encoding', 'chunked']]),
    ],
    ['that is too long', () => post([['Transfer-Encoding', 'chunked']])],
    ['at an unknown path', () => head('POST', '/nothing', [['Transfer-Encoding', 'chunked']])],
    ['of a GET', () => head('GET', '/api/v1/env/catalog', [['Transfer-Encoding', 'chunked']])],
    ['of a declared terabyte', () => post([['Content-Length', '1099511627776']])],
    [
      'of a declared terabyte and a rejected key',
      () => head('POST', '/api/v1/combine/', [['Content-Length', '1099511627776']]),
    ],
  ] as const)('%s is cut off', async (_name, request) => {
    const connection = await open();
    await connection.write(request());
    expect(await sendUntilClosed(connection, piece, bytesMax)).toBeLessThan(bytesMax);
  });

  it('that is short after all is read, and the connection goes on', async () => {
    const connection = await open();
    const body = chunked(Buffer.alloc(300_000, 0x20), 10_000);
    await connection.write(
      Buffer.concat([
        Buffer.from(head('POST', '/api/v1/config/shop', [['Transfer-Encoding', 'chunked']])),
        body,
      ]),
    );
    expectRefusal(await connection.read(), 401, 'invalid_api_key');
    await connection.write(
      Buffer.concat([Buffer.from(post([['Transfer-Encoding', 'chunked']])), body]),
    );
    expectRefusal(await connection.read(), 413, 'body_too_large');
    await connection.write(`${post([['Content-Length', '2']])}{}`);
    expect((await connection.read()).status).toBe(200);
    connection.close();
  });
});

describe('X-Min-Sequence', () => {
  it.each(['x', '-1', '1.5', '1e3', '12345678901234567890', '1 2', '0x10'])(
    '%s is 400 invalid_sequence',
    async (value) => {
      const headers = { 'x-min-sequence': value };
      expectRefusal(
        await served.game.ask('POST', '/api/v1/config/shop', '{}', headers),
        400,
        'invalid_sequence',
      );
      expectRefusal(
        await served.game.ask('POST', '/api/v1/combine/?c=[]', '{}', headers),
        400,
        'invalid_sequence',
      );
      expectRefusal(
        await served.game.ask('GET', '/api/v1/env/catalog', '', headers),
        400,
        'invalid_sequence',
      );
    },
  );

  it('is looked at after body and query', async () => {
    const headers = { 'x-min-sequence': 'x' };
    expectRefusal(
      await served.game.ask('POST', '/api/v1/config/shop', '[]', headers),
      400,
      'invalid_body',
    );
    expectRefusal(
      await served.game.ask('POST', '/api/v1/combine/', '{}', headers),
      400,
      'invalid_query',
    );
  });
});

describe('a client that sends its head slowly', () => {
  it('is disconnected', async () => {
    const connection = await open();
    const text = head('GET', '/healthz', [['X-Long', 'x'.repeat(100)]]);
    let at = 0;
    await eventually('the connection is closed', 20_000, async () => {
      await connection.write(text.slice(at, at + 1));
      at = Math.min(at + 1, text.length - 3);
      return connection.ended;
    });
  });
});
