/** Users of an experiment, and `kill -9` of everything: what was counted ten seconds before is in the store. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sqliteStore } from '../../src/management/store/sqlite.js';
import { Store } from '../../src/management/store/store.js';
import { eventually } from '../support/eventually.js';
import { CountedGame, playersOf } from '../support/server/counted-game.js';
import { makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';

/** Two periods of four seconds, and what a busy machine adds. */
const writtenMsMax = 15_000;

it('kill -9 of the delivery processes, then of the server, loses no user who was counted before', async () => {
  const data = makeDataFolder();
  let server = await startServer({ data, listeners: 2 });
  const environment = await makeEnvironment(server);
  const game = await CountedGame.start(environment);
  const store = await Store.open(sqliteStore(join(data, 'store.db')), Date.now);
  const written = (): Promise<unknown> =>
    eventually('every user is in the store', writtenMsMax, async () => {
      const sketch = await game.stored(store);
      expect(sketch?.sampled ?? 0).toBeLessThanOrEqual(game.count);
      return sketch?.sampled === game.count;
    });
  try {
    await game.ask(environment, playersOf('first', 200));
    await written();
    const port = Number(new URL(server.deliveryUrl).port);
    const killed = listenersOf(server.pid, port);
    expect(killed).toHaveLength(2);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await eventually('other processes serve', 30_000, () => {
      const others = listenersOf(server.pid, port).filter((pid) => !killed.includes(pid));
      return others.length === 2;
    });
    // Those of before, and new ones.
    await game.ask(environment, playersOf('first', 300));
    await written();
    server.signal('SIGKILL');
    await server.exit;
    game.expectStored(await game.stored(store), store.streamKey);
    server = await startServer({ data, listeners: 2 });
    await game.ask(environment.on(server), playersOf('first', 350));
    await written();
    await game.ask(environment.on(server), playersOf('last', 50));
    await server.stop();
    game.expectStored(await game.stored(store), store.streamKey);
  } finally {
    await store.close();
  }
});
