/** Three levels of servers, of which the database serves one: what is acknowledged is served by all, and reports come back up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStore } from '../../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../../src/management/store/postgres/url.js';
import { Store } from '../../../src/management/store/store.js';
import { eventually } from '../../support/eventually.js';
import { contentPath, keptConnection } from '../../support/fleet/fleet.js';
import { FollowTree } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { CountedGame, playersOf } from '../../support/server/counted-game.js';
import { expectDone, makeKey } from '../../support/server/environment.js';

const reads = 10_000;
const readsPerEdit = 100;

describe.skipIf(!hasPostgres)('a tree of servers', () => {
  let url: string;
  let tree: FollowTree;
  beforeAll(async () => {
    url = await freshDatabase();
    tree = await FollowTree.start(url);
  });
  afterAll(() => tree?.stop());

  it('serves nothing older than X-Min-Sequence on its third level, in ten thousand reads', async () => {
    const leaf = tree.game.on(tree.leaf);
    const agents = Array.from({ length: 8 }, keptConnection);
    let [fresh, stale] = [0, 0];
    for (let left = reads; left > 0; left -= readsPerEdit) {
      const { sequence } = await tree.edit();
      const headers = { 'x-min-sequence': String(sequence) };
      const numbers = await Promise.all(
        agents.map(async (agent, at) => {
          const read: number[] = [];
          for (let n = at; n < readsPerEdit; n += agents.length) {
            const answer = await leaf.ask('POST', contentPath, {}, headers, agent);
            read.push(expectDone(answer).json.number);
          }
          return read;
        }),
      );
      for (const number of numbers.flat()) {
        if (number < tree.written) stale += 1;
        else fresh += 1;
      }
    }
    for (const agent of agents) agent.destroy();
    expect({ fresh, stale }).toEqual({ fresh: reads, stale: 0 });
  }, 600_000);

  it('has an edit on every level when it was waited for', async () => {
    for (let edits = 0; edits < 50; edits += 1) {
      const { fleet } = await tree.edit('?wait=fleet');
      const numbers = await Promise.all([tree.read(tree.middle), tree.read(tree.leaf)]);
      // The root, and the middle with all that follow it.
      expect({ fleet, numbers }).toEqual({
        fleet: { acknowledged: 2, missing: [] },
        numbers: [tree.written, tree.written],
      });
    }
  }, 120_000);

  it('lets nobody in with a key whose revocation was acknowledged', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await makeKey(tree.root, tree.game.id);
      await tree.edit('?wait=fleet');
      const ask = async (): Promise<number> => {
        const headers = { 'x-api-key': key };
        return (await tree.game.on(tree.leaf).ask('POST', contentPath, {}, headers)).status;
      };
      expect(await ask()).toBe(200);
      const revoked = await tree.root.admin('DELETE', `${tree.game.path}/keys/${id}?wait=fleet`);
      expect(revoked.json.fleet).toEqual({ acknowledged: 2, missing: [] });
      expect(await ask()).toBe(401);
    }
  });

  it('serves what the root serves: nothing that was deleted, and rules of segments', async () => {
    await tree.game.put('relic', '{"from":"before"}');
    expectDone(await tree.root.admin('DELETE', `${tree.game.path}/contents/relic?wait=fleet`));
    expect((await tree.game.on(tree.leaf).plain('relic')).status).toBe(404);
    await tree.game.putSegment('whales', { level: { $gte: 5 } });
    const mapping = [{ segment: 'whales', merge: { n: 1 } }];
    await tree.game.put('mapped', '{"n":0}', { mapping });
    await tree.edit('?wait=fleet');
    const context = { u: 'a', p: { level: 9 } };
    const [atRoot, atLeaf] = await Promise.all(
      [tree.root, tree.leaf].map((server) => tree.game.on(server).wrapped('mapped', context)),
    );
    expect(atLeaf?.text).toBe(atRoot?.text);
    expect(atLeaf?.json.data).toEqual({ n: 1 });
  });

  it('counts users of experiments whom its third level was asked by, each once', async () => {
    const store = await Store.open(
      postgresStore(parseDatabaseUrl(url), { clock: 'own' }),
      Date.now,
    );
    try {
      const game = await CountedGame.start(tree.game);
      await tree.edit('?wait=fleet');
      await game.ask(tree.game.on(tree.leaf), playersOf('player', 200));
      await game.ask(tree.game.on(tree.middle), playersOf('player', 100));
      await game.ask(tree.game.on(tree.root), playersOf('player', 50));
      await eventually('every user is in the store', 60_000, async () => {
        const sketch = await game.stored(store);
        expect(sketch?.sampled ?? 0).toBeLessThanOrEqual(game.count);
        return sketch?.sampled === game.count;
      });
      game.expectStored(await game.stored(store), store.streamKey);
    } finally {
      await store.close();
    }
  });

  it('has a row in the database for its root alone, and names its followers where they follow', async () => {
    const { nodes } = (await tree.root.admin('GET', '/admin/v1/nodes')).json;
    const shown = nodes.map(({ name, live, self }: Record<string, unknown>) => [name, live, self]);
    expect(shown).toEqual([
      ['root', true, true],
      ['middle', true, false],
    ]);
    expect(nodes[1].follows).toBe(nodes[0].id);
    const refused = await tree.leaf.admin('PUT', `${tree.game.path}/contents/x`, { text: '1' });
    expect(refused.json).toMatchObject({ status: 404, code: 'not_found' });
    expect(refused.json.detail).toContain(tree.middle.followUrl);
    expect((await tree.leaf.admin('GET', '/readyz')).json).toMatchObject({
      ...{ ready: true, store: 'available' },
    });
    expect((await tree.leaf.admin('GET', '/metrics')).text).toMatch(/^loadout_parent_up 1$/m);
    expect((await tree.middle.admin('GET', '/metrics')).text).toMatch(
      /^loadout_followers\{state="live"\} 1$/m,
    );
  });
});
