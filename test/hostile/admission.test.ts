/** What a server does with more than it can take: callers who hold on, keys over their rate, work beyond the queue. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { head, openConnection } from '../support/wire/raw-connection.js';
import { expectRefusal } from '../support/wire/refusal.js';

let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  // One listener, so that what is counted is counted in one place.
  server = await startServer({ listeners: 1, flags: ['--key-rate-max', '50'] });
  game = await makeEnvironment(server);
  await game.put('shop', '{"n":1}');
});

afterAll(async () => {
  await server.stop();
});

describe('a caller who holds on to a connection', () => {
  // uWebSockets.js gives ten seconds; the clock it counts them with ticks every four.
  const closedMillisMax = 20_000;

  it('is cut off: half a head, half a body, a body that trickles, an answer that is not read', async () => {
    const key = (await makeEnvironment(server)).key;
    const headers = (length: number) =>
      [
        ['X-Api-Key', key],
        ['Content-Type', 'application/json'],
        ['Content-Length', String(length)],
      ] as const;
    const path = '/api/v1/config/shop';
    const connections = await Promise.all([1, 2, 3].map(() => openConnection(server.deliveryPort)));
    const [halfHead, halfBody, trickle] = connections;
    await halfHead?.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api`);
    await halfBody?.write(`${head('POST', path, headers(20))}{"u":`);
    await trickle?.write(`${head('POST', path, headers(2_000))}{"u":"`);
    const timer = setInterval(() => void trickle?.write('x'), 500);
    try {
      await eventually('all are closed', closedMillisMax, () =>
        connections.every((connection) => connection.ended),
      );
    } finally {
      clearInterval(timer);
    }
  });

  it('is cut off when it does not read its answers', async () => {
    const other = await makeEnvironment(server);
    await other.put('large', JSON.stringify('x'.repeat(8_000_000)));
    const before = await connections();
    const socket = connect(server.deliveryPort, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    const headers = [
      ['X-Api-Key', other.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    socket.write(`${head('POST', '/api/v1/config/large', headers)}{}`);
    await eventually('it is counted', 5_000, async () => (await connections()) > before);
    await eventually('it is closed', closedMillisMax, async () => (await connections()) <= before);
    socket.destroy();
  });

  async function connections(): Promise<number> {
    const metrics = (await server.admin('GET', '/metrics')).text;
    return Number(/^loadout_connections\{[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
  }
});

describe('--key-rate-max', () => {
  it('refuses what is over a key’s rate with 429 and Retry-After, and other keys go on', async () => {
    const other = await makeEnvironment(server);
    await other.put('shop', '{"n":2}');
    const answers = await Promise.all(Array.from({ length: 200 }, () => game.plain('shop')));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(50);
    expectRefusal(refused[0] as (typeof refused)[number], 429, 'rate_limited');
    expect(Number(refused[0]?.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await other.plain('shop')).status).toBe(200);
    await eventually('the key may ask again', 5_000, async () => {
      return (await game.plain('shop')).status === 200;
    });
  });
});

describe('work beyond what the pool may have waiting', () => {
  it('is refused at once with 503 and Retry-After; what is under way is answered', async () => {
    const many = await makeEnvironment(server);
    const text = (n: number) => JSON.stringify([n, 'x'.repeat(25_000_000)]);
    for (let n = 0; n < 4; n++) await many.put(`large-${n}`, text(n));
    const gzip = { 'accept-encoding': 'gzip' };
    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) => many.ask('POST', `/api/v1/config/large-${n}`, '{}', gzip)),
    );
    const refused = answers.filter((answer) => answer.status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0);
    expectRefusal(refused[0] as (typeof refused)[number], 503, 'overloaded');
    expect(Number(refused[0]?.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await many.ask('POST', '/api/v1/config/large-3', '{}')).status).toBe(200);
  });
});
