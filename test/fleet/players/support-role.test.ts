/**
 * That a user with the role `support` is not made while a server lives that does not know the role, and that such a server, when it
 * comes back from a partition, gives them nothing rather than more.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startNode } from '../../support/fleet/fleet.js';
import { databaseUrl } from '../../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { previousProgram, step9Commit } from '../../support/server/previous-build.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

// A build of that version, where there is none yet.
vi.setConfig({ hookTimeout: 300_000 });

const users = '/admin/v1/users';

describe.skipIf(!hasPostgres)('a fleet of schema step 9 and of this version', () => {
  let proxy: TcpProxy;
  let old: LoadoutServer;
  let newer: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    const url = await freshDatabase();
    const { port, pathname } = new URL(url);
    proxy = await TcpProxy.start(Number(port));
    const program = previousProgram(step9Commit);
    const throughProxy = databaseUrl(pathname.slice(1), proxy.port);
    old = await startNode({ name: 'old-1', url: throughProxy, program });
    game = await makeEnvironment(old);
    await game.put('shop', '{"n":0}');
    newer = await startNode({ name: 'new-1', url });
  });
  afterAll(async () => {
    await newer?.stop();
    await old?.stop();
    await proxy?.close();
  });

  const names = async (server: LoadoutServer): Promise<string[]> => {
    const { json } = expectDone(await server.admin('GET', users));
    return json.users.map(({ name }: { readonly name: string }) => name);
  };
  const makeUser = (name: string, role: string): Promise<Answer> =>
    newer.admin('POST', users, { name, role });

  it('makes no support user, nor one of a viewer, while the older one lives', async () => {
    const viewer = expectDone(await makeUser('vera', 'viewer')).json;
    const refused = [
      await makeUser('sue', 'support'),
      await newer.admin('PATCH', `${users}/${viewer.id}`, { role: 'support' }),
    ];
    for (const { json } of refused) {
      expect(json).toMatchObject({ status: 503, code: 'upgrade_in_progress' });
      expect(json.detail).toBe(
        'Servers of an older version share the database, and do not know what this would save: upgrade or stop old-1 first.',
      );
    }
    expect((await newer.admin('GET', `${users}/${viewer.id}`)).json.role).toBe('viewer');
    for (const server of [old, newer]) {
      expect(await names(server)).not.toContain('sue');
      const saved = await server.admin('PUT', `${game.path}/contents/shop?wait=fleet`, {
        text: `{"by":"${server === old ? 'old' : 'new'}"}`,
      });
      expect(expectDone(saved).json.fleet).toEqual({ acknowledged: 2, missing: [] });
    }
  });

  it('makes one once the older one is cut off, which denies them everything when it is back', async () => {
    await proxy.cut();
    const sue = await eventually('the older server counts as gone', 30_000, async () => {
      const made = await makeUser('sue', 'support');
      if (made.status !== 201) expect(made.json).toMatchObject({ code: 'upgrade_in_progress' });
      return made.status === 201 && made.json;
    });
    expect(sue.role).toBe('support');
    await proxy.mend();
    await eventually('the older server reads the database', 30_000, async () => {
      return (await old.admin('GET', `${game.path}/contents/shop`)).status === 200;
    });

    const as = (server: LoadoutServer, method: string, path: string, body?: unknown) =>
      send(server.adminUrl, path, {
        method,
        headers: { authorization: `Bearer ${sue.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const lookup = { u: 'ada', at: new Date().toISOString() };
    const found = await as(newer, 'POST', `${game.path}/players/lookup`, lookup);
    expect(expectDone(found).json.items).toMatchObject([{ id: 'shop', outcome: 'delivered' }]);
    for (const [method, path, body] of [
      ['GET', '/admin/v1/me'],
      ['GET', '/admin/v1/environments'],
      ['GET', `${game.path}/contents`],
      ['GET', `${game.path}/contents/shop`],
      ['GET', `${game.path}/segments`],
      ['POST', `${game.path}/preview`, { content: 'shop' }],
      ['PUT', `${game.path}/contents/shop`, { text: '{}' }],
      ['DELETE', game.path],
      ['GET', users],
    ] as const) {
      const denied = await as(old, method, path, body);
      expect([path, denied.status, denied.json.code]).toEqual([path, 403, 'forbidden']);
    }
    // Served as before; what the older one would save lacks something by now.
    expect((await game.on(old).plain('shop')).text).toBe((await game.on(newer).plain('shop')).text);
    const edit = await old.admin('PUT', `${game.path}/contents/shop`, { text: '{"n":-1}' });
    expect(edit.json).toMatchObject({ status: 503, code: 'upgrade_in_progress' });
  });

  it('makes them of viewers, too, when the older one has stopped', async () => {
    expect((await old.stop()).code).toBe(0);
    const vera = expectDone(await newer.admin('GET', users)).json.users.find(
      ({ name }: { readonly name: string }) => name === 'vera',
    );
    const changed = await newer.admin('PATCH', `${users}/${vera.id}`, { role: 'support' });
    expect(expectDone(changed).json.role).toBe('support');
  });
});
