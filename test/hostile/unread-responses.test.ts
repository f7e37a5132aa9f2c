/**
 * Clients that ask and do not read: the server holds no more than one response for each of them, whatever the kind of
 * response, and others are served. Memory is read from /proc: what the process holds is what is promised.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';
import { head } from '../support/wire/raw-connection.js';

const MiB = 1024 * 1024;
let server: LoadoutServer;
let game: Environment;
let listener: number;
let sockets: Socket[] = [];

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
  await game.put('shop', JSON.stringify({ items: 'x'.repeat(100_000) }));
  await game.put('large', JSON.stringify('x'.repeat(12 * MiB)));
  [listener = 0] = listenersOf(server.pid, server.deliveryPort);
  // Warm: a body that is made for the first time is another matter.
  await game.ask('POST', '/api/v1/config/shop', '{}');
  await game.ask('POST', '/api/v1/config/large', '{}');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(() => server.stop());

function rssMiB(): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${listener}/status`, 'latin1'))?.[1];
  return Number(kb) / 1024;
}

/** Bytes that clients have yet to read, and connections that were closed since a budget was passed. */
async function unread(): Promise<{ readonly bytes: number; readonly closed: number }> {
  const { text } = await send(server.adminUrl, '/metrics');
  return {
    bytes: Number(/loadout_unsent_bytes\{listener="0"\} (\d+)/.exec(text)?.[1]),
    closed: Number(/closed_total\{listener="0",reason="budget"\} (\d+)/.exec(text)?.[1]),
  };
}

/** Sends the bytes and reads nothing; resolves when the kernel has taken them or the server has closed the connection. */
function flood(bytes: Buffer, localAddress = '127.0.0.1'): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.deliveryPort, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.pause();
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.write(bytes, () => resolve());
  });
}

/**
 * Returns when the server has read all that was sent to it (/proc/net/tcp, proc(5)): what it reads in one piece with an
 * unfinished request ends the connection. Without a pause, since the server is to be busy with it still.
 */
function untilRead(socket: Socket): void {
  const [server, client] = [socket.remotePort, socket.localPort].map(
    (port) => `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const deadline = performance.now() + 5_000;
  for (;;) {
    const rows = readFileSync('/proc/net/tcp', 'latin1').split('\n');
    const row = rows.find((line) => line.includes(`${server} ${client} `));
    if (row !== undefined && /^\s*\d+: \S+ \S+ \S+ \S+:0{8} /.test(row)) return;
    if (performance.now() > deadline) throw new Error('The server does not read.');
  }
}

function post(path: string, headers: readonly (readonly [string, string])[] = []): string {
  return `${head('POST', path, [
    ...headers,
    ['X-Api-Key', game.key],
    ['Content-Type', 'application/json'],
    ['Content-Length', '2'],
  ])}{}`;
}

describe('pipelined requests whose responses are not read', () => {
  it.each([
    ['contents of 100 KB', () => post('/api/v1/config/shop'), 2_000],
    ['wrapped contents', () => post('/api/v1/config/shop/dynamic'), 2_000],
    ['combined contents', () => post('/api/v1/combine/?c=["shop"]&dynamic=true'), 2_000],
    ['rejections', () => head('GET', '/nothing', []), 100_000],
    ['health', () => head('GET', '/healthz', []), 100_000],
    ['responses to HEAD', () => head('HEAD', '/api/v1/env/catalog', []), 100_000],
    ['preflights', () => head('OPTIONS', '/api/v1/config/shop', []), 100_000],
  ] as const)('%s cost one response for each connection', async (_name, request, count) => {
    const before = rssMiB();
    const bytes = Buffer.from(request().repeat(count));
    await Promise.all(Array.from({ length: 8 }, () => flood(bytes)));
    // What is answered after them shows that what they sent was worked off.
    expect((await send(server.deliveryUrl, '/healthz')).status).toBe(200);
    // 8 responses of 100 KB, buffers of uWebSockets.js, and what the engine has yet to collect.
    expect(rssMiB() - before).toBeLessThan(96);
  });

  it('304s cost no more than the requests for them', async () => {
    const catalog = await game.ask('GET', '/api/v1/env/catalog', '');
    const request = head('GET', '/api/v1/env/catalog', [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['If-None-Match', String(catalog.headers['etag'])],
    ]);
    const before = rssMiB();
    const bytes = Buffer.from(request.repeat(100_000));
    await Promise.all(Array.from({ length: 8 }, () => flood(bytes)));
    expect((await send(server.deliveryUrl, '/healthz')).status).toBe(200);
    expect(rssMiB() - before).toBeLessThan(96);
  });
});

describe('large responses that are not read', () => {
  it('are held up to a share for each network; the largest are closed first, and others are served', async () => {
    const request = Buffer.from(post('/api/v1/config/large'));
    await Promise.all(Array.from({ length: 30 }, () => flood(request)));
    await eventually('the share holds', 5_000, async () => {
      const { bytes, closed } = await unread();
      return closed > 0 && bytes > 0 && bytes <= 64 * MiB;
    });
    const answer = await game.ask('POST', '/api/v1/config/large', '{}');
    expect(answer.status).toBe(200);
    expect(answer.bytes.byteLength).toBe(12 * MiB + 2);
  });

  it.each([
    ['network', ['127.0.0.1'], ['127.0.0.9'], 64],
    ['key', ['127.0.0.1', '127.0.1.1'], ['127.0.2.1', '127.0.3.1'], 128],
  ])(
    'and events of streams that are not read share the budget of their %s',
    async (_name, ordinary, streaming, mib) => {
      await eventually('nothing is unread', 5_000, async () => (await unread()).bytes === 0);
      const before = await unread();
      // The kernel takes some 4 MiB of each: five leave 30 to 60 MiB unread.
      const fives = (addresses: readonly string[], path: string) =>
        addresses.flatMap((address) =>
          Array.from({ length: 5 }, () => flood(Buffer.from(post(path)), address)),
        );
      await Promise.all(fives(ordinary, '/api/v1/config/large'));
      const bytesMin = ordinary.length * 30 * MiB;
      await eventually('responses', 5_000, async () => (await unread()).bytes > bytesMin);
      expect((await unread()).closed).toBe(before.closed);
      await Promise.all(fives(streaming, '/api/v1/stream'));
      await eventually('the budget holds', 10_000, async () => {
        const { bytes, closed } = await unread();
        return closed > before.closed && bytes > 0 && bytes <= mib * MiB;
      });
    },
  );
});

describe('pipelined requests whose responses are read', () => {
  it('are answered in order', async () => {
    const paths = [
      '/api/v1/config/shop',
      '/healthz',
      '/api/v1/config/gone',
      '/api/v1/combine/?c=[]',
    ];
    const socket = connect(server.deliveryPort, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.write(
      paths.map((path) => (path === '/healthz' ? head('GET', path, []) : post(path))).join(''),
    );
    await eventually('four responses', 5_000, () => text.split('HTTP/1.1 ').length === 5);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
    ]);
  });

  it('wait for a body that is made for the first time, when they come one by one', async () => {
    const socket = connect(server.deliveryPort, '127.0.0.1');
    sockets.push(socket);
    socket.setNoDelay(true);
    const closed = once(socket, 'close');
    let text = '';
    const responses = new Promise<void>((resolve) => {
      socket.on('data', (piece) => {
        text += piece.toString('latin1');
        if (text.split('HTTP/1.1 ').length === 22) resolve();
      });
    });
    await once(socket, 'connect');
    // Nothing has asked for it compressed, which takes the server longer than the others take to arrive.
    socket.write(post('/api/v1/config/large', [['Accept-Encoding', 'gzip']]));
    untilRead(socket);
    for (let sent = 0; sent < 20; sent += 1) socket.write(post('/api/v1/config/gone'));
    await Promise.race([responses, closed]);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual([
      'HTTP/1.1 200',
      ...Array.from({ length: 20 }, () => 'HTTP/1.1 404'),
    ]);
  });
});
