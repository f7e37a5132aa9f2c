/** Bodies on the wire: the size limit, chunked transfer, slow senders, connections that go on after a refusal. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { sharedServer } from '../support/server/server.js';
import { chunked, head, openConnection } from '../support/wire/raw-connection.js';
import { expectRefusal } from '../support/wire/refusal.js';
import { xxh32 } from '../support/xxhash.js';

const bodyBytesMax = 64 * 1024;
const path = '/api/v1/config/shop/dynamic';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});

/** A valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number): string {
  return `{"u":"a","pad":"${'x'.repeat(bytes - 18)}"}`;
}

function headers(more: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return [['X-Api-Key', game.key], ['Content-Type', 'application/json'], ...more];
}

describe('the body limit', () => {
  it('admits 64 KiB', async () => {
    expect(Buffer.byteLength(bodyOf(bodyBytesMax))).toBe(bodyBytesMax);
    const answer = await game.wrapped('shop', bodyOf(bodyBytesMax));
    expect(answer.json.meta.uid).toBe(xxh32('a'));
  });

  it('refuses one byte more with 413 body_too_large', async () => {
    expectRefusal(await game.wrapped('shop', bodyOf(bodyBytesMax + 1)), 413, 'body_too_large');
    expectRefusal(await game.plain('shop', bodyOf(bodyBytesMax + 1)), 413, 'body_too_large');
    const combined = await game.combine(['shop'], bodyOf(bodyBytesMax + 1));
    expectRefusal(combined, 413, 'body_too_large');
  });

  it('refuses 200 KB with 413 body_too_large, every time', async () => {
    for (let i = 0; i < 10; i++) {
      expectRefusal(await game.wrapped('shop', bodyOf(200_000)), 413, 'body_too_large');
    }
  });

  it('counts a chunked body as it comes', async () => {
    const connection = await openConnection(server.deliveryPort);
    await connection.write(head('POST', path, headers([['Transfer-Encoding', 'chunked']])));
    await connection.write(chunked(Buffer.from(bodyOf(bodyBytesMax + 1)), 8_000));
    expectRefusal(await connection.read(), 413, 'body_too_large');
    connection.close();
  });

  it('refuses 100,000 nested brackets as the oversized body they are', async () => {
    expectRefusal(await game.wrapped('shop', '['.repeat(100_000)), 413, 'body_too_large');
  });

  it('survives 30,000 nested brackets that fit', async () => {
    const nested = `{"p":{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`;
    expect((await game.wrapped('shop', nested)).status).toBe(200);
    expectRefusal(await game.wrapped('shop', '['.repeat(60_000)), 400, 'invalid_body');
  });
});

describe('a chunked body', () => {
  for (const pieceBytes of [1, 3, 7, 64]) {
    it(`in pieces of ${pieceBytes} bytes is one body`, async () => {
      const body = Buffer.from('{"u":"Żółć 日本","p":{"level":3}}');
      const connection = await openConnection(server.deliveryPort);
      await connection.write(head('POST', path, headers([['Transfer-Encoding', 'chunked']])));
      await connection.write(chunked(body, pieceBytes));
      const answer = await connection.read();
      expect(answer.status).toBe(200);
      expect(answer.json.meta.uid).toBe(xxh32('Żółć 日本'));
      connection.close();
    });
  }

  it('of nothing is an empty body', async () => {
    const connection = await openConnection(server.deliveryPort);
    await connection.write(head('POST', path, headers([['Transfer-Encoding', 'chunked']])));
    await connection.write('0\r\n\r\n');
    expectRefusal(await connection.read(), 400, 'invalid_body');
    connection.close();
  });
});

describe('a slow sender', () => {
  it('is answered when its body is whole', async () => {
    const body = Buffer.from('{"u":"slow"}');
    const connection = await openConnection(server.deliveryPort);
    const length = ['Content-Length', String(body.length)] as const;
    const start = head('POST', path, headers([length]));
    // The parser wants the request line in one piece; the headers may come in several.
    for (const piece of start.split(/(?<=\n)/)) {
      await connection.write(piece);
      await pause(5);
    }
    for (const byte of body) {
      await connection.write(Uint8Array.of(byte));
      await pause(5); // slowness itself is under test
    }
    expect((await connection.read()).json.meta.uid).toBe(xxh32('slow'));
    connection.close();
  });

  it('that goes away in the middle of its body disturbs nobody', async () => {
    for (let i = 0; i < 20; i++) {
      const connection = await openConnection(server.deliveryPort);
      await connection.write(head('POST', path, headers([['Content-Length', '1000']])));
      await connection.write('{"u":');
      connection.close();
    }
    for (let i = 0; i < 8; i++) expect((await game.wrapped('shop')).status).toBe(200);
  });
});

describe('a connection', () => {
  it('goes on after a refusal', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refusals = [
      await game.ask('POST', path, '{}', { 'x-api-key': 'nobody' }, agent),
      await game.ask('POST', path, '{}', { 'content-type': 'text/plain' }, agent),
      await game.ask('POST', path, '{"u":1}', {}, agent),
      await game.ask('POST', `${path}?responseType=x`, '{}', {}, agent),
      await game.ask('POST', '/api/v1/config/none', '{}', {}, agent),
      await game.ask('POST', '/nothing', '{}', {}, agent),
      await game.ask('PUT', path, '{}', {}, agent),
    ];
    expect(refusals.map((answer) => answer.status)).toEqual([401, 400, 400, 400, 404, 404, 405]);
    expect(refusals.map((answer) => answer.header('connection'))).not.toContain('close');
    expect((await game.ask('POST', path, '{}', {}, agent)).status).toBe(200);
    agent.destroy();
  });

  it('carries the next request after a refused one whose body comes late', async () => {
    const connection = await openConnection(server.deliveryPort);
    const late = [
      ['X-Api-Key', 'nobody'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '11'],
    ] as const;
    await connection.write(head('POST', path, late));
    await connection.write('{"u":');
    await connection.write('"aaa"}');
    expectRefusal(await connection.read(), 401, 'invalid_api_key');
    await connection.write(`${head('POST', path, headers([['Content-Length', '9']]))}{"u":"b"}`);
    expect((await connection.read()).json.meta.uid).toBe(xxh32('b'));
    connection.close();
  });

  it('may repeat headers without harm', async () => {
    const twice = headers([['Content-Type', 'application/json']]);
    const connection = await openConnection(server.deliveryPort);
    await connection.write(
      `${head('POST', path, [...twice, ['X-Api-Key', 'nobody'], ['Content-Length', '2']])}{}`,
    );
    expect((await connection.read()).status).toBeLessThan(500);
    connection.close();
    expect((await game.wrapped('shop')).status).toBe(200);
  });
});

describe('what the HTTP parser refuses', () => {
  const malformed: Record<string, string> = {
    'a malformed request line': 'POST\r\n\r\n',
    'HTTP/1.0': 'POST /api/v1/config/shop HTTP/1.0\r\nHost: x\r\n\r\n',
    'a malformed header': 'POST /api/v1/config/shop HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
    'an oversized header': `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(200_000)}\r\n\r\n`,
    'a negative Content-Length': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
  };
  for (const [name, bytes] of Object.entries(malformed)) {
    it(`${name} ends its own connection only`, async () => {
      const connection = await openConnection(server.deliveryPort);
      await connection.write(bytes);
      await connection.closed();
      connection.close();
      for (let i = 0; i < 4; i++) expect((await game.wrapped('shop')).status).toBe(200);
    });
  }
});
