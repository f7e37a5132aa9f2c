/** The life of API keys and of what is known about their use, on a real server with several listeners. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { OpenStreams } from '../../support/stream/open-stream.js';
import type { Answer } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const hour = 3_600_000;
const reportMillisMax = 10_000;

let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  server = await startServer({ flags: ['--last-used-seconds', '1'] });
  game = await makeEnvironment(server);
  await game.put('shop', '1');
});
afterAll(() => server.stop());

function ask(key: string): Promise<Answer> {
  return game.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': key });
}

async function lastUsed(of: Environment, id: string): Promise<string | null> {
  const { keys } = expectDone(await of.server.admin('GET', `${of.path}/keys`)).json;
  return keys.find((key: { id: string }) => key.id === id).lastUsedAt;
}

describe('the expiry of a key', () => {
  it('counts on every listener as soon as it is edited, both ways', async () => {
    const { id, key } = await makeKey(server, game.id);
    const edit = async (expiresAt: string | null): Promise<void> => {
      expectDone(await server.admin('PATCH', `${game.path}/keys/${id}`, { expiresAt }));
    };
    for (let round = 0; round < 2; round += 1) {
      await edit(new Date(Date.now() - 1).toISOString());
      for (let i = 0; i < 6; i += 1) expectRefusal(await ask(key), 401, 'invalid_api_key');
      await edit(round === 0 ? new Date(Date.now() + hour).toISOString() : null);
      for (let i = 0; i < 6; i += 1) expect((await ask(key)).status).toBe(200);
    }
  });

  it('of a revoked key cannot be edited: it stays refused', async () => {
    const { id, key } = await makeKey(server, game.id);
    expectDone(await server.admin('DELETE', `${game.path}/keys/${id}`));
    const late = await server.admin('PATCH', `${game.path}/keys/${id}`, { expiresAt: null });
    expect([late.status, late.json.code]).toEqual([409, 'key_revoked']);
    expectRefusal(await ask(key), 401, 'invalid_api_key');
  });
});

describe('when a key was used last', () => {
  it('is shown within a report of the listeners, and not for a key that was refused', async () => {
    const used = await makeKey(server, game.id);
    const unused = await makeKey(server, game.id);
    const expired = await makeKey(server, game.id, { expiresAt: '2020-01-01T00:00:00Z' });
    const beforeMs = Date.now();
    expect((await ask(used.key)).status).toBe(200);
    expect((await ask(expired.key)).status).toBe(401);
    const at = await eventually('the use is shown', reportMillisMax, () => lastUsed(game, used.id));
    expect(Date.parse(at)).toBeGreaterThanOrEqual(beforeMs - 1_000);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    expect(await lastUsed(game, unused.id)).toBeNull();
    expect(await lastUsed(game, expired.id)).toBeNull();
    const again = await server.admin('GET', '/admin/v1/audit?limit=1000');
    expect(again.text).not.toContain('lastUsed');
  });

  it('counts streams that are opened with a token', async () => {
    const { id, key } = await makeKey(server, game.id);
    const evaluated = await game.flags({}, { 'x-api-key': key });
    const path = evaluated.json.eventStreams[0].endpoint.requestUri;
    const before = await eventually('the evaluation is shown', reportMillisMax, () =>
      lastUsed(game, id),
    );
    const streams = new OpenStreams();
    const stream = await streams.open(game, '', { method: 'GET', path });
    expect(stream.status).toBe(200);
    await eventually('the stream is shown', reportMillisMax, async () => {
      return Date.parse((await lastUsed(game, id)) as string) > Date.parse(before);
    });
    streams.closeAll();
  });

  it('is not lost when the server ends before the next report', async () => {
    const data = makeDataFolder();
    const first = await startServer({ data, flags: ['--last-used-seconds', '3600'] });
    const here = await makeEnvironment(first);
    await here.put('shop', '1');
    expect((await here.plain('shop')).status).toBe(200);
    expect(await lastUsed(here, here.keyId)).toBeNull();
    expect((await first.stop()).code).toBe(0);
    const second = await startServer({ data, listeners: 1 });
    expect(await lastUsed(here.on(second), here.keyId)).not.toBeNull();
    const me = expectDone(await second.admin('GET', '/admin/v1/me')).json;
    expect(me.token.lastUsedAt).not.toBeNull();
    await second.stop();
  });
});
