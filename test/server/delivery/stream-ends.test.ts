/** How streams end: by their key, by the server, by their client. Servers of their own, since all their streams count. */
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer, startServer } from '../../support/server/server.js';
import type { RunningServer } from '../../support/server/server-process.js';
import { type OpenStream, OpenStreams } from '../../support/stream/open-stream.js';
import { send } from '../../support/wire/exchange.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';

const streams = new OpenStreams();
afterEach(() => streams.closeAll());

const revoke = async (game: Environment, id = game.keyId) =>
  expectDone(await game.server.admin('DELETE', `${game.path}/keys/${id}`)).json;

/** The sum of a metric over all delivery processes. */
async function metric(server: RunningServer, name: string): Promise<number> {
  const { text } = await send(server.adminUrl, '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

const noStreams = (server: RunningServer) =>
  eventually('no streams', 20_000, async () => (await metric(server, 'loadout_streams')) === 0);

describe('a key that is revoked', () => {
  it('ends its streams, and no others', async () => {
    const game = await makeEnvironment(sharedServer());
    await game.put('a', '1');
    const kept = await makeKey(game.server, game.id);
    const other = await streams.first(game, {}, { headers: { 'x-api-key': kept.key } });
    const own = await Promise.all(Array.from({ length: 20 }, () => streams.first(game)));
    await revoke(game);
    expect(await Promise.all(own.map((stream) => stream.ended()))).toEqual(own.map(() => 'whole'));
    expect((await streams.open(game)).status).toBe(401);
    const { sequence } = await game.put('a', '2');
    expect(await other.next()).toMatchObject({ sequence });
    expect(own.map((stream) => stream.rest())).toEqual(own.map(() => []));
  });

  it('gets nothing of what is published after the acknowledgement, however many streams are to be told', async () => {
    const server = await startServer({ listeners: 1, flags: ['--streams-per-address', '5000'] });
    const game = await makeEnvironment(server);
    await game.put('a', '0');
    for (let round = 1; round <= 3; round += 1) {
      const { id, key } = await makeKey(server, game.id);
      const options = { headers: { 'x-api-key': key } };
      const own: OpenStream[] = [];
      while (own.length < 1_500) {
        const more = Array.from({ length: 100 }, () => streams.first(game, {}, options));
        own.push(...(await Promise.all(more)));
      }
      await game.put('a', String(round));
      const { sequence } = await revoke(game, id);
      await game.put('a', `"after ${round}"`);
      await Promise.all(own.map((stream) => stream.ended()));
      const late = own.flatMap((stream) => stream.rest()).filter((one) => one.sequence >= sequence);
      expect(late).toEqual([]);
    }
    await noStreams(server);
    await server.stop();
  });

  it('ends them when it is so by its date, when its environment is removed, and while they open', async () => {
    const server = sharedServer();
    const game = await makeEnvironment(server);
    await game.put('a', '1');
    const brief = await makeKey(server, game.id);
    const open = await streams.first(game, {}, { headers: { 'x-api-key': brief.key } });
    const expiresAt = new Date(Date.now() + 500).toISOString();
    expectDone(await server.admin('PATCH', `${game.path}/keys/${brief.id}`, { expiresAt }));
    expect(await open.ended()).toBe('whole');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    const late = await makeKey(server, game.id);
    const headers = { 'x-api-key': late.key, 'x-min-sequence': '999999' };
    const opening = streams.open(game, {}, { headers });
    await game.refresh({ ids: [] });
    await revoke(game, late.id);
    expect([401, 503]).toContain((await opening).status);
    const last = await streams.first(game);
    const etag = (await server.admin('GET', game.path)).header('etag');
    const removed = await send(server.adminUrl, `${game.path}?confirm=${game.id}`, {
      method: 'DELETE',
      headers: {
        authorization: 'Bearer test-owner-token-0123456789abcdef',
        ...(etag ? { 'if-match': etag } : {}),
      },
    });
    expectDone(removed);
    expect(await last.ended()).toBe('whole');
  });
});

describe('a server that stops', () => {
  it('tells each client when to come back, ends its stream, and ends in time', async () => {
    const server = await startServer({ listeners: 2 });
    const game = await makeEnvironment(server);
    await game.put('a', '1');
    const own = await Promise.all(Array.from({ length: 60 }, () => streams.first(game)));
    const exit = server.stop();
    expect(await Promise.all(own.map((stream) => stream.ended()))).toEqual(own.map(() => 'whole'));
    for (const { retries } of own) {
      expect(retries.length).toBe(1);
      expect(retries[0]).toBeGreaterThan(0);
      expect(retries[0]).toBeLessThanOrEqual(10_000);
    }
    expect(new Set(own.flatMap(({ retries }) => retries)).size).toBeGreaterThan(30);
    const { code, stderr } = await exit;
    expect(code).toBe(0);
    expect(stderr).not.toContain('corked');
  });

  it('answers those whose first event is being made', async () => {
    const server = await startServer({ listeners: 1 });
    const game = await makeEnvironment(server);
    const copies = Array.from({ length: 60 }, (_, at) => ({
      op: 'copy',
      from: '/a',
      path: `/b${at}`,
    }));
    const mapping = [{ segment: 'all', when: {}, patch: copies }];
    for (let at = 0; at < 8; at += 1) {
      await game.put(`large-${at}`, `{"a":"${'x'.repeat(60_000)}"}`, { mapping });
    }
    const opening = [0, 1, 2].map((at) =>
      streams.open(game, { bytesMax: 32 * 1024 * 1024, u: `u${at}` }),
    );
    await game.refresh({ ids: [] });
    const exit = server.stop();
    for (const stream of await Promise.all(opening)) {
      // A stream whose client has not taken all of its event is cut.
      expect([200, 503]).toContain(stream.status);
      if (stream.status === 503) expect(await stream.ended()).toBe('whole');
    }
    expect((await exit).code).toBe(0);
  });
});

describe('a client', () => {
  it('that leaves gives its place back, whatever was under way', async () => {
    const flags = ['--streams-max', '8'];
    const server = await startServer({ listeners: 1, flags });
    const game = await makeEnvironment(server);
    const copies = Array.from({ length: 60 }, (_, at) => ({
      op: 'copy',
      from: '/a',
      path: `/b${at}`,
    }));
    await game.put('a', `{"a":"${'x'.repeat(60_000)}"}`, {
      mapping: [{ segment: 'all', when: {}, patch: copies }],
    });
    const port = server.deliveryPort;
    const body = (extra: string): string =>
      `${head('POST', '/api/v1/stream', [
        ['X-Api-Key', game.key],
        ['Content-Type', 'application/json'],
        ['Content-Length', '2'],
      ])}{}${extra}`;
    for (let round = 0; round < 6; round += 1) {
      await game.put('a', `{"a":"${String(round).repeat(60_000)}"}`);
      // At once, before the first event; in the middle of the body; with a second request behind; half-closed.
      const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(port)));
      await Promise.all(
        connections.map(async (connection, at) => {
          if (at % 4 === 0) await connection.write(body('').slice(0, -1));
          else if (at % 4 === 1) await connection.write(body(''));
          else if (at % 4 === 2) {
            await connection.write(body(''));
            await connection.until('\n\n');
            await connection.write(body(''));
            await connection.closed();
          } else {
            await connection.write(body(''));
            await connection.until('event:');
          }
          connection.close();
        }),
      );
      await noStreams(server);
    }
    const again = await Promise.all(Array.from({ length: 8 }, () => streams.first(game)));
    expect(again.every(({ status }) => status === 200)).toBe(true);
    expect((await streams.open(game)).status).toBe(429);
    await server.stop();
  });
});
