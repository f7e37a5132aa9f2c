/** Compression, caching and CORS: the headers that every answer carries, and the bytes that gzip must not change. */
import { Agent } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const gzip = { 'accept-encoding': 'gzip' };
const origin = { origin: 'https://game.example' };

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('small', '{"n":1}');
  await game.put('b1023', JSON.stringify('x'.repeat(1_021)));
  await game.put('b1024', JSON.stringify('x'.repeat(1_022)));
  const rows = Array.from({ length: 3_000 }, (_, i) => ({ id: i, name: `row ${i * 7919}` }));
  await game.put('big', JSON.stringify(rows), {
    mapping: [{ segment: 's', when: {}, patch: [{ op: 'remove', path: '/0' }] }],
  });
  for (let i = 0; i < 20; i++) await game.put(`item-${i}`, `${i}`);
});

describe('gzip', () => {
  type Ask = (more: Record<string, string>, agent: Agent) => Promise<Answer>;
  const big: readonly (readonly [string, Ask])[] = [
    ['plain', (more, agent) => game.ask('POST', '/api/v1/config/big', '{}', more, agent)],
    [
      'wrapped',
      (more, agent) => game.ask('POST', '/api/v1/config/big/dynamic', '{"u":"a"}', more, agent),
    ],
    [
      'serialized',
      (more, agent) => {
        const path = '/api/v1/config/big/dynamic?responseType=serialized';
        return game.ask('POST', path, '{"u":"b"}', more, agent);
      },
    ],
    [
      'combine',
      (more, agent) => {
        const path = '/api/v1/combine/?c=["big","small","none","b1024"]';
        return game.ask('POST', path, '{}', more, agent);
      },
    ],
    [
      'wrapped combine',
      (more, agent) => {
        const path = '/api/v1/combine/?c=["small","big"]&dynamic=true';
        return game.ask('POST', path, '{}', more, agent);
      },
    ],
    ['the catalog', (more) => game.ask('GET', '/api/v1/env/catalog', undefined, more)],
  ];
  for (const [name, ask] of big) {
    it(`of ${name} holds the same bytes, cold and warm`, async () => {
      // One connection, and so one delivery process: each has a first response of its own.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let i = 0; i < 3; i++) {
        const compressed = await ask(gzip, agent);
        const identity = await ask({}, agent);
        if (i === 0 && compressed.header('content-encoding') === '') {
          // The first response of a fresh variant is not compressed.
          expect(name).toContain('wrapped');
          expect(compressed.bytes.equals(identity.bytes)).toBe(true);
          expect(compressed.header('vary').toLowerCase()).toContain('accept-encoding');
          continue;
        }
        expect(compressed.header('content-encoding')).toBe('gzip');
        expect(identity.header('content-encoding')).toBe('');
        // In the first one that a process combines, large bodies may be stored beside a small one that it has compressed (D66).
        if (i > 0 || name !== 'wrapped combine') {
          expect(compressed.bytes.length).toBeLessThan(identity.bytes.length);
        }
        expect(gunzipSync(compressed.bytes).equals(identity.bytes)).toBe(true);
        expect(compressed.headers['content-type']).toBe('application/json; charset=utf-8');
        expect(compressed.header('vary').toLowerCase()).toContain('accept-encoding');
        expect(identity.header('vary').toLowerCase()).toContain('accept-encoding');
      }
      agent.destroy();
    });
  }

  it('begins at 1 KiB', async () => {
    const below = await game.ask('POST', '/api/v1/config/b1023', '{}', gzip);
    expect(below.bytes).toHaveLength(1_023);
    expect(below.header('content-encoding')).toBe('');
    const at = await game.ask('POST', '/api/v1/config/b1024', '{}', gzip);
    expect(at.header('content-encoding')).toBe('gzip');
    expect(gunzipSync(at.bytes)).toHaveLength(1_024);
  });

  const accepted = [
    'gzip',
    'GZIP',
    'deflate, gzip',
    'gzip, deflate, br, zstd',
    'br;q=0.9, gzip;q=0.9',
    '*',
  ];
  for (const value of accepted) {
    it(`is used for a caller that accepts ${value}`, async () => {
      const answer = await game.ask('POST', '/api/v1/config/big', '{}', {
        'accept-encoding': value,
      });
      expect(answer.header('content-encoding')).toBe('gzip');
    });
  }

  it.each(['br', 'br, gzip ;q=0.000', 'br;q=1.0, gzip;q=0.5'])(
    'gives way to brotli where the same bytes go to all, for a caller that prefers it: %j',
    async (value) => {
      const asked = { 'accept-encoding': value };
      const plain = await game.ask('POST', '/api/v1/config/big', '{}', asked);
      expect(plain.header('content-encoding')).toBe('br');
      const raw = await game.ask('POST', '/api/v1/config/big', '{}');
      expect(brotliDecompressSync(plain.bytes)).toEqual(raw.bytes);
      // On one connection, the second response: a delivery process does not compress the first one of a variant.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await game.ask('POST', '/api/v1/config/big/dynamic', '{}', asked, agent);
      const wrapped = await game.ask('POST', '/api/v1/config/big/dynamic', '{}', asked, agent);
      expect(wrapped.header('content-encoding')).toBe(value.includes('0.5') ? 'gzip' : '');
      agent.destroy();
    },
  );

  const notAccepted = ['', 'identity', 'deflate', 'gzip;q=0', 'gzip; q=0', 'gzip;q=0.0', 'gzipped'];
  for (const value of notAccepted) {
    it(`is not used for a caller that accepts "${value}"`, async () => {
      const answer = await game.ask('POST', '/api/v1/config/big', '{}', {
        'accept-encoding': value,
      });
      expect(answer.header('content-encoding')).toBe('');
      expect(answer.json[1].id).toBe(1);
    });
  }
});

interface Asked {
  readonly name: string;
  readonly status: number;
  readonly ask: (more: Record<string, string>) => Promise<Answer>;
}

const everyKind: readonly Asked[] = [
  {
    name: 'plain',
    status: 200,
    ask: (more) => game.ask('POST', '/api/v1/config/small', '{}', more),
  },
  {
    name: 'wrapped',
    status: 200,
    ask: (more) => game.ask('POST', '/api/v1/config/big/dynamic', '{}', more),
  },
  {
    name: 'combine',
    status: 200,
    ask: (more) => game.ask('POST', '/api/v1/combine/?c=["small"]', '{}', more),
  },
  {
    name: 'the catalog',
    status: 200,
    ask: (more) => game.ask('GET', '/api/v1/env/catalog', undefined, more),
  },
  { name: 'an unknown path', status: 404, ask: (more) => game.ask('POST', '/nothing', '{}', more) },
  {
    name: 'a wrong method',
    status: 405,
    ask: (more) => game.ask('GET', '/api/v1/config/small', undefined, more),
  },
  {
    name: 'a wrong key',
    status: 401,
    ask: (more) => game.ask('POST', '/api/v1/config/small', '{}', { ...more, 'x-api-key': 'x' }),
  },
  {
    name: 'a wrong type',
    status: 400,
    ask: (more) =>
      game.ask('POST', '/api/v1/config/small', '{}', { ...more, 'content-type': 'x/y' }),
  },
  {
    name: 'a wrong body',
    status: 400,
    ask: (more) => game.ask('POST', '/api/v1/config/small', '[]', more),
  },
  {
    name: 'a wrong query',
    status: 400,
    ask: (more) => game.ask('POST', '/api/v1/combine', '{}', more),
  },
  {
    name: 'an unknown content',
    status: 404,
    ask: (more) => game.ask('POST', '/api/v1/config/none', '{}', more),
  },
  {
    name: 'a large body',
    status: 413,
    ask: (more) => game.ask('POST', '/api/v1/config/small', 'x'.repeat(70_000), more),
  },
];

describe('Cache-Control is private, no-cache, and Vary names the key, on', () => {
  for (const { name, status, ask } of everyKind) {
    it(`${status}: ${name}`, async () => {
      const answer = await ask({});
      expect(answer.status).toBe(status);
      expect(answer.header('cache-control')).toBe('private, no-cache');
      // A path or method is refused whatever the key is; there the header need not name it.
      if (![404, 405].includes(status)) {
        expect(answer.header('vary').toLowerCase()).toContain('x-api-key');
      }
    });
  }
});

describe('CORS', () => {
  for (const { name, status, ask } of everyKind) {
    it(`lets a browser read ${status}: ${name}`, async () => {
      const answer = await ask(origin);
      expect(answer.status).toBe(status);
      const allowed = answer.header('access-control-allow-origin');
      expect(['*', origin.origin]).toContain(allowed);
      // What depends on the Origin header must say so to caches.
      if (allowed !== '*') expect(answer.header('vary').toLowerCase()).toContain('origin');
    });
  }

  const paths = [
    ['/api/v1/config/small', 'POST'],
    ['/api/v1/config/small/dynamic', 'POST'],
    ['/api/v1/combine?c=["small"]', 'POST'],
    ['/api/v1/combine/?c=["small"]', 'POST'],
    ['/api/v1/env/catalog', 'GET'],
  ] as const;
  for (const [path, method] of paths) {
    it(`answers the preflight of ${method} ${path}, which carries no key`, async () => {
      const answer = await send(server.deliveryUrl, path, {
        method: 'OPTIONS',
        headers: {
          ...origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,x-api-key',
        },
      });
      expect([200, 204]).toContain(answer.status);
      expect(['*', origin.origin]).toContain(answer.header('access-control-allow-origin'));
      expect(answer.header('access-control-allow-methods')).toContain(method);
      const headers = answer.header('access-control-allow-headers').toLowerCase();
      expect(headers).toContain('content-type');
      expect(headers).toContain('x-api-key');
    });
  }

  it('leaves the connection of a preflight to the request that follows', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { ...origin, 'access-control-request-method': 'POST' };
    const path = '/api/v1/config/small';
    const preflight = await game.ask('OPTIONS', path, undefined, headers, agent);
    expect([200, 204]).toContain(preflight.status);
    expect((await game.ask('POST', path, '{}', origin, agent)).text).toBe('{"n":1}');
    agent.destroy();
  });

  it('lets a browser send If-None-Match and read the ETag of the catalog', async () => {
    const preflight = await send(server.deliveryUrl, '/api/v1/env/catalog', {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match,x-api-key,content-type',
      },
    });
    expect(preflight.header('access-control-allow-headers').toLowerCase()).toContain(
      'if-none-match',
    );
    const etag = (await game.catalog(origin)).header('etag');
    const unchanged = await game.catalog({ ...origin, 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    expect(['*', origin.origin]).toContain(unchanged.header('access-control-allow-origin'));
  });
});

describe('X-Min-Sequence', () => {
  it('that is reached does not change the answer', async () => {
    const { sequence } = await game.put('sequenced', '1');
    const answer = await game.ask('POST', '/api/v1/config/sequenced', '{}', {
      'x-min-sequence': String(sequence),
    });
    expect(answer.text).toBe('1');
  });

  it('that is not reached in time is 503 sequence_not_reached with Retry-After', async () => {
    const { sequence } = await game.put('sequenced', '2');
    const answer = await game.ask('POST', '/api/v1/config/sequenced', '{}', {
      'x-min-sequence': String(sequence + 1_000_000),
    });
    expectRefusal(answer, 503, 'sequence_not_reached');
    expect(answer.header('retry-after')).toMatch(/^\d+$/);
  });
});
