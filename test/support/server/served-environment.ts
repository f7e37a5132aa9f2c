/** A server with one environment for the tests of a file, or of a `describe`: started before them and ended after. */
import { afterAll, beforeAll } from 'vitest';
import { type Environment, makeEnvironment } from './environment.js';
import { startServer } from './server.js';
import type { LoadoutServer } from './server-process.js';

/** There when the tests run. */
export interface Served {
  readonly server: LoadoutServer;
  readonly game: Environment;
}

/** One delivery process; the server is that of these tests alone. */
export function serveEnvironment(make: (server: LoadoutServer) => Promise<Environment>): Served {
  const served: { server?: LoadoutServer; game?: Environment } = {};
  beforeAll(async () => {
    served.server = await startServer({ listeners: 1 });
    served.game = await make(served.server);
  });
  afterAll(async () => await served.server?.stop());
  return served as Served;
}

/** An environment with the content `shop`. */
export async function makeShop(server: LoadoutServer): Promise<Environment> {
  const game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
  return game;
}
