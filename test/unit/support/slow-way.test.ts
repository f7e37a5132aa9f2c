import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

let server: Server;
let proxy: TcpProxy;
/** When the server has the first of each request: performance.now(). */
let heardAtMs: number[];

/** Sends back all of a request when it has ended, as it was. */
beforeEach(async () => {
  heardAtMs = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => heardAtMs.push(performance.now()));
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('end', () => socket.end(Buffer.concat(pieces)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await TcpProxy.start((server.address() as AddressInfo).port);
});

afterEach(async () => {
  await proxy.close();
  server.close();
});

function echo(bytes: Uint8Array): Promise<Buffer> {
  const socket = connect({ port: proxy.port, allowHalfOpen: true });
  socket.end(bytes);
  return buffer(socket);
}

it('passes everything on, later by its delay in each direction', async () => {
  const sent = randomBytes(1_000_000);
  proxy.slow({ delayMs: 300 });
  const fromMs = performance.now();
  expect((await echo(sent)).equals(sent)).toBe(true);
  expect((heardAtMs[0] as number) - fromMs).toBeGreaterThanOrEqual(299);
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(599);
});

it('passes no more on a second than said, of all connections together', async () => {
  const sent = [randomBytes(200_000), randomBytes(200_000)];
  proxy.slow({ delayMs: 0, bytesPerSecond: 1_000_000 });
  const fromMs = performance.now();
  const heard = await Promise.all(sent.map(echo));
  expect(heard.map((bytes, at) => bytes.equals(sent[at] as Buffer))).toEqual([true, true]);
  // The first that are sent back go while the last are on their way.
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(400);
});

it('lets nothing overtake what is under way when it becomes fast again', async () => {
  const sent = randomBytes(500_000);
  proxy.slow({ delayMs: 500, bytesPerSecond: 1_000_000 });
  const heard = echo(sent);
  await once(server, 'connection');
  await proxy.mend();
  expect((await heard).equals(sent)).toBe(true);
});

it('holds back what is under way while it is frozen, and then passes it on', async () => {
  const sent = randomBytes(500_000);
  proxy.slow({ delayMs: 1_000 });
  const heard = echo(sent);
  await once(server, 'connection');
  await proxy.freeze();
  await pause(1_500);
  expect(heardAtMs).toEqual([]);
  await proxy.mend();
  expect((await heard).equals(sent)).toBe(true);
});
