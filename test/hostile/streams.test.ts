/** Clients of streams that read slowly or not at all, come and go by the thousand, or say nothing for long. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { OpenStreams } from '../support/stream/open-stream.js';
import { send } from '../support/wire/exchange.js';
import { head } from '../support/wire/raw-connection.js';

const MiB = 1024 * 1024;
const streams = new OpenStreams();
let server: LoadoutServer;
let game: Environment;
let listener: number;
let sockets: Socket[] = [];

beforeAll(async () => {
  const flags = ['--streams-per-address', '20000', '--stream-wakes-per-second', '0'];
  server = await startServer({ listeners: 1, flags });
  game = await makeEnvironment(server);
  await game.put('small', '0');
  [listener = 0] = listenersOf(server.pid, server.deliveryPort);
});
afterEach(() => {
  streams.closeAll();
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  const { code, stderr } = await server.stop();
  expect(code).toBe(0);
  // uWebSockets.js says so once when something is written outside of its callbacks.
  expect(stderr).not.toContain('corked');
});

function rssMiB(): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${listener}/status`, 'latin1'))?.[1];
  return Number(kb) / 1024;
}

async function metric(name: string): Promise<number> {
  const { text } = await send(server.adminUrl, '/metrics');
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'm').exec(text)?.[1]);
}

const openStreams = (count: number) =>
  eventually(`${count} streams`, 60_000, async () => (await metric('loadout_streams')) === count);

function request(body = '{}'): string {
  return `${head('POST', '/api/v1/stream', [
    ['X-Api-Key', game.key],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
  ])}${body}`;
}

/** A client that sends its request and reads nothing. */
function unread(body?: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.deliveryPort, '127.0.0.1');
    sockets.push(socket);
    socket.pause();
    socket.on('error', reject);
    socket.write(request(body), () => resolve(socket));
  });
}

describe('clients that do not read', () => {
  it('are closed, hold a bounded share of memory, and keep no other client waiting', async () => {
    // In a network of its own: those that do not read use up what their address may leave unsent.
    const reader = await streams.first(game, { ids: ['large'] }, { localAddress: '127.0.1.1' });
    const before = rssMiB();
    await Promise.all(Array.from({ length: 40 }, () => unread()));
    await openStreams(41);
    for (let round = 1; round <= 12; round += 1) {
      const { sequence } = await game.put('large', `"${String(round % 10).repeat(2 * MiB)}"`);
      await reader.until('the edit', () => Number(reader.events.at(-1)?.lastEventId) >= sequence);
      expect(await metric('loadout_unsent_bytes')).toBeLessThanOrEqual(64 * MiB + 5 * MiB);
    }
    // 40 clients times 24 MiB would be 960 MiB.
    expect(rssMiB() - before).toBeLessThan(400);
    await openStreams(1);
    expect(await metric('loadout_unsent_bytes')).toBe(0);
    reader.close();
    await openStreams(0);
    await server.admin('DELETE', `${game.path}/contents/large`);
  });

  it('but read slowly get all of a large event', async () => {
    const text = `"${'x'.repeat(5 * MiB)}"`;
    const socket = await unread('{"ids":["slow"]}');
    await game.put('slow', text);
    let received = '';
    // 64 KiB every 5 ms are less than the server writes.
    while (!received.endsWith('"more":false}\n\n') || !received.includes('"slow":{')) {
      received += (socket.read(64 * 1024) ?? socket.read())?.toString('latin1') ?? '';
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(socket.destroyed).toBe(false);
    }
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    const plain = body.replace(/(?:^|\r\n)[0-9a-fA-F]+\r\n/g, '');
    expect(plain).toContain(`"data":${text},"hash"`);
    await game.put('slow', '1');
    await eventually('the next event', 10_000, () => {
      received += socket.read()?.toString('latin1') ?? '';
      return received.includes('"data":1,"hash"');
    });
  });
});

describe('many clients', () => {
  it('10,000 streams that are opened and dropped leave nothing behind', async () => {
    const batch = async (): Promise<void> => {
      const opened = await Promise.all(
        Array.from({ length: 500 }, (_, at) => unread(JSON.stringify({ u: `u${at}` }))),
      );
      // Half of them before their first event, the others after it.
      for (const socket of opened.slice(0, 250)) socket.destroy();
      await send(server.deliveryUrl, '/healthz');
      for (const socket of opened) socket.destroy();
      sockets = [];
    };
    for (let round = 0; round < 20; round += 1) {
      await batch();
      await game.put('small', String(round));
    }
    await openStreams(0);
    expect(await metric('loadout_unsent_bytes')).toBe(0);
    expect((await streams.first(game)).status).toBe(200);
  });
});

describe('a stream of which nothing is to be told', () => {
  it('has a comment every 20 to 30 s, each stream at its own time', async () => {
    const idle = await Promise.all(
      Array.from({ length: 20 }, (_, at) => streams.first(game, { ids: [], u: `u${at}` })),
    );
    const startedMs = performance.now();
    const delays = await Promise.all(
      idle.map(async (stream) => {
        await stream.until('a comment', () => stream.comments.length > 0);
        return performance.now() - startedMs;
      }),
    );
    expect(Math.min(...delays)).toBeGreaterThan(15_000);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(1_000);
    expect(idle.map(({ events }) => events.length)).toEqual(idle.map(() => 1));
  });
});
