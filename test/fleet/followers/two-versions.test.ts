/** Trees of servers of two versions: a fleet is upgraded one by one, and its middle may be of the older version for weeks. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { postgresStore } from '../../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../../src/management/store/postgres/url.js';
import { Store } from '../../../src/management/store/store.js';
import { eventually } from '../../support/eventually.js';
import { contentPath, keptConnection } from '../../support/fleet/fleet.js';
import { FollowTree, startFollower } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { CountedGame, playersOf } from '../../support/server/counted-game.js';
import { expectDone } from '../../support/server/environment.js';
import { previousProgram, protocol1Commit } from '../../support/server/previous-build.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

// A build of the earlier version, where there is none yet.
vi.setConfig({ hookTimeout: 300_000 });

const edits = 20;
const readsPerEdit = 25;

describe.skipIf(!hasPostgres)('a tree of servers of two versions', () => {
  let tree: FollowTree | undefined;
  afterEach(async () => {
    await tree?.stop();
    tree = undefined;
  });

  /** Edits that were waited for, and reads of each on the third level, of which none may be stale. */
  async function expectHeld(of: FollowTree): Promise<void> {
    const agent = keptConnection();
    const leaf = of.game.on(of.leaf);
    for (let n = 0; n < edits; n += 1) {
      const { sequence, fleet } = await of.edit(n % 2 === 0 ? '?wait=fleet' : '');
      if (n % 2 === 0) expect(fleet).toEqual({ acknowledged: 2, missing: [] });
      const headers = { 'x-min-sequence': String(sequence) };
      for (let reads = 0; reads < readsPerEdit; reads += 1) {
        const answer = await leaf.ask('POST', contentPath, {}, headers, agent);
        expect(expectDone(answer).json.number).toBe(of.written);
      }
    }
    agent.destroy();
  }

  /** By the same folder and port, as an operator upgrades it. */
  async function upgraded(of: FollowTree, old: LoadoutServer): Promise<LoadoutServer> {
    const followPort = Number(new URL(old.followUrl).port);
    expect((await old.stop()).code).toBe(0);
    return startFollower({
      ...{ name: 'middle', token: of.token, data: old.data, followPort },
      parents: [of.root.followUrl],
    });
  }

  it('whose middle is older holds what it promises, and while that one is upgraded', async () => {
    const program = previousProgram(protocol1Commit);
    tree = await FollowTree.start(await freshDatabase(), undefined, {
      programs: { middle: program },
    });
    await expectHeld(tree);
    tree.middle = await upgraded(tree, tree.middle);
    await tree.served();
    await tree.waited();
    await expectHeld(tree);
    expect(tree.leaf.stderr).not.toContain('everything was read again');
  }, 300_000);

  it('whose third level is older holds it as well, and reports what players ask it', async () => {
    const url = await freshDatabase();
    const program = previousProgram(protocol1Commit);
    tree = await FollowTree.start(url, undefined, { programs: { leaf: program } });
    await expectHeld(tree);
    const store = await Store.open(
      postgresStore(parseDatabaseUrl(url), { clock: 'own' }),
      Date.now,
    );
    try {
      const counted = await CountedGame.start(tree.game);
      await tree.edit('?wait=fleet');
      await counted.ask(tree.game.on(tree.leaf), playersOf('player', 100));
      await eventually('every user is in the store', 60_000, async () => {
        return (await counted.stored(store))?.sampled === counted.count;
      });
    } finally {
      await store.close();
    }
  }, 300_000);
});
