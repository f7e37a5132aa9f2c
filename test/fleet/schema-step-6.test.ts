/**
 * That a server whose schema is step 5 goes on reading and writing beside one that knows which attributes requests carry,
 * and goes on reading beside flags, which it would lose.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startNode } from '../support/fleet/fleet.js';
import { queryAsSuperuser } from '../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { previousProgram, step5Commit } from '../support/server/previous-build.js';
import type { LoadoutServer } from '../support/server/server-process.js';

// A build of that version, where there is none yet.
vi.setConfig({ hookTimeout: 300_000 });

describe.skipIf(!hasPostgres)('a fleet of schema step 5 and of this version', () => {
  let url: string;
  let old: LoadoutServer;
  let newer: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    url = await freshDatabase();
    old = await startNode({ name: 'old-1', url, program: previousProgram(step5Commit) });
    game = await makeEnvironment(old);
    await game.putSegment('eu', { country: { $in: ['DE'] } });
    await game.put('shop', '{"n":0}', { mapping: [{ segment: 'eu', merge: { n: 1 } }] });
    newer = await startNode({ name: 'new-1', url, flags: ['--last-used-seconds', '1'] });
  });
  afterAll(async () => {
    await newer?.stop();
    await old?.stop();
  });

  const query = <Row extends Record<string, unknown>>(sql: string): Promise<Row[]> => {
    const { port, pathname } = new URL(url);
    return queryAsSuperuser<Row>(Number(port), sql, [], pathname.slice(1));
  };
  const carried = async (): Promise<unknown[]> =>
    (await query('SELECT name FROM seen_attributes ORDER BY name')).map(({ name }) => name);

  it('reads and writes through both, without an upgrade that refuses the older one', async () => {
    expect(await query('SELECT writers_min FROM store_state')).toEqual([{ writers_min: 5 }]);
    for (let n = 1; n <= 4; n += 1) {
      for (const server of [old, newer]) {
        const saved = await server.admin('PUT', `${game.path}/contents/shop?wait=fleet`, {
          text: `{"n":${n}}`,
          note: server === old ? 'old' : 'new',
        });
        expect(expectDone(saved).json.fleet).toEqual({ acknowledged: 2, missing: [] });
        const segment = { when: { country: { $in: ['DE', `${n}`] } } };
        expectDone(await server.admin('PUT', `${game.path}/segments/eu?wait=fleet`, segment));
      }
      const caller = { p: { country: 'DE' } };
      const [byOld, byNew] = [game.on(old), game.on(newer)];
      expect((await byOld.wrapped('shop', caller)).text).toBe(
        (await byNew.wrapped('shop', caller)).text,
      );
    }
  });

  it('knows what requests to the newer one carry, also while the older one writes', async () => {
    await game.on(newer).plain('shop', { p: { country: 'DE', level: 1 } });
    await game.on(old).plain('shop', { p: { unheard: 1 } });
    await eventually('the names are written', 20_000, async () => (await carried()).length === 2);
    expectDone(await old.admin('PUT', `${game.path}/contents/shop`, { text: '{"n":9}' }));
    expect(await carried()).toEqual(['country', 'level']);
  });

  it('rejects edits through the older one once a content has flags, and not before', async () => {
    const path = `${game.path}/contents/shop`;
    expectDone(await old.admin('PUT', path, { text: '{"n":10}' }));
    const saved = await newer.admin('PUT', `${path}?wait=fleet`, { flags: ['/n'] });
    expect(expectDone(saved).json.fleet).toEqual({ acknowledged: 2, missing: [] });
    const rejected = await old.admin('PUT', path, { text: '{"n":11}' });
    expect(rejected.json).toMatchObject({ status: 503, code: 'upgrade_in_progress' });
    expectDone(await newer.admin('PUT', `${path}?wait=fleet`, { text: '{"n":12}' }));
    expect((await newer.admin('GET', path)).json.flags).toEqual(['/n']);
    expect((await game.on(old).plain('shop')).text).toBe('{"n":12}');
    await query('UPDATE store_state SET writers_min = 5');
  });

  it('forgets them with an environment that the older one deletes', async () => {
    expectDone(await old.admin('DELETE', `${game.path}`));
    expect(await carried()).toEqual([]);
  });
});
