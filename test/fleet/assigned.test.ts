/** Users of an experiment on three nodes: each counts what it delivers, and the shared store has their union. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStore } from '../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../src/management/store/postgres/url.js';
import { Store } from '../../src/management/store/store.js';
import { eventually } from '../support/eventually.js';
import { TestFleet } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { CountedGame, playersOf } from '../support/server/counted-game.js';
import { listenersOf } from '../support/server/process-tree.js';

describe.skipIf(!hasPostgres)('users of an experiment', () => {
  let fleet: TestFleet;
  let game: CountedGame;
  let store: Store;
  beforeAll(async () => {
    const url = await freshDatabase();
    fleet = await TestFleet.start({ url });
    game = await CountedGame.start(fleet.game);
    await fleet.converged();
    store = await Store.open(postgresStore(parseDatabaseUrl(url), { clock: 'own' }), Date.now);
  });
  afterAll(() => store?.close());

  /** Resolves when the store has as many users as were given a variant; there must never be more. */
  async function stored(): Promise<void> {
    await eventually('every user is in the store', 60_000, async () => {
      const sketch = await game.stored(store);
      expect(sketch?.sampled ?? 0).toBeLessThanOrEqual(game.count);
      return sketch?.sampled === game.count;
    });
    game.expectStored(await game.stored(store), store.streamKey);
  }

  it('count once, whichever nodes they ask', async () => {
    const players = playersOf('player', 300);
    await game.ask(fleet.at(0), players.slice(0, 200));
    await game.ask(fleet.at(1), players.slice(100, 300));
    await game.ask(
      fleet.at(2),
      players.filter((_, at) => at % 3 === 0),
    );
    await stored();
    await eventually('every node has written what it has counted', 30_000, async () => {
      const rows = await store.read((db) =>
        db.selectFrom('assignedCounts').select('node').distinct().orderBy('node').execute(),
      );
      return rows.map(({ node }) => node).join() === 'a,b,c';
    });
  });

  it('are all kept by a node that stops, and counted once when it has started again', async () => {
    await game.ask(fleet.at(2), playersOf('before-stop', 50));
    await fleet.node(2).stop();
    // The node has written what it had: nothing is waited for.
    expect((await game.stored(store))?.sampled).toBe(game.count);
    await fleet.startAgain(2);
    await game.ask(fleet.at(2), playersOf('before-stop', 60));
    await stored();
  });

  it('are counted by the next process when kill -9 has ended one', async () => {
    const node = fleet.node(1);
    const port = Number(new URL(node.deliveryUrl).port);
    const [pid] = listenersOf(node.pid, port);
    await game.ask(fleet.at(1), playersOf('before-kill', 50));
    await stored();
    process.kill(pid as number, 'SIGKILL');
    await eventually('another process serves', 30_000, () =>
      listenersOf(node.pid, port).some((other) => other !== pid),
    );
    await game.ask(fleet.at(1), playersOf('before-kill', 70));
    await stored();
  });

  it('are counted after kill -9 of a node, which had lost at most what it had not reported', async () => {
    const players = playersOf('lost', 40);
    const before = game.count;
    await game.ask(fleet.at(0), players);
    await fleet.kill(0);
    const kept = (await game.stored(store))?.sampled ?? 0;
    expect(kept).toBeGreaterThanOrEqual(before);
    expect(kept).toBeLessThanOrEqual(game.count);
    await fleet.startAgain(0);
    await game.ask(fleet.at(0), players);
    await stored();
  });
});
