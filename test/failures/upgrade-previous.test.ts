/** A data folder that the version before this one wrote (test/fixtures), opened by this one. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import {
  expectEditable,
  expectUpgraded,
  factsOf,
  finished,
  keepsAll,
  unpackInto,
} from '../support/server/upgrade-fixture.js';

it('is upgraded while players are served: all is there, and mapped contents change their hash once', async () => {
  const data = makeDataFolder();
  const facts = factsOf('sqlite');
  unpackInto(data, 'sqlite');
  const server = await startServer({ data, flags: keepsAll });
  await finished(server, facts);
  await expectUpgraded(server, facts);

  const store = new BetterSqlite3(join(data, 'store.db'), { readonly: true });
  const recorded = store.prepare(
    'SELECT environment, id_lower, number FROM publications ORDER BY 1, 2',
  );
  const live = store.prepare('SELECT environment, id_lower, live FROM contents ORDER BY 1, 2');
  expect(recorded.raw().all()).toEqual(live.raw().all());
  store.close();
  await expectEditable(server, facts);
});
