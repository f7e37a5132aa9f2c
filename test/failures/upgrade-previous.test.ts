/** A data folder that the version before this one wrote (test/fixtures), opened by this one. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import {
  environmentOf,
  expectAsBefore,
  expectEditable,
  expectUpgraded,
  factsOf,
  finished,
  keepsAll,
  publishedState,
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

it('of schema step 6 is served as it was, and its published.db is made again with the key of streams', async () => {
  const data = makeDataFolder();
  const facts = factsOf('sqlite', 'schema-6');
  unpackInto(data, 'sqlite', 'schema-6');
  const server = await startServer({ data, flags: keepsAll });
  await expectAsBefore(server, facts);
  const dev = environmentOf(server, facts, 'dev');
  await server.admin('PUT', `${dev.path}/contents/plain`, { flags: ['/motd'] });
  await expectAsBefore(server, facts);
  await server.stop();

  const store = new BetterSqlite3(join(data, 'store.db'), { readonly: true });
  const streamKey = store.prepare('SELECT stream_key FROM store_state').pluck().get() as string;
  store.close();
  expect(Buffer.from(streamKey, 'base64url')).toHaveLength(32);
  const published = publishedState(data);
  expect(published).toMatchObject({ format: 6, streamKey });
  expect(published.flags['dev/plain']).toEqual(['/motd']);
  expect(server.stderr).not.toContain(streamKey);
});

it('of schema step 7 is served with its flags, and its published.db stays as it is but for its columns', async () => {
  const data = makeDataFolder();
  const facts = factsOf('sqlite', 'schema-7');
  unpackInto(data, 'sqlite', 'schema-7');
  const before = publishedState(data);
  expect(before.format).toBe(4);
  const server = await startServer({ data, flags: keepsAll });
  await expectAsBefore(server, facts);
  await server.stop();
  expect(publishedState(data)).toEqual({ ...before, format: 6 });
  expect(server.stderr).not.toContain('published_rebuilt');
});

it('of schema step 9 is served as it was, and holds experiments from then on', async () => {
  const data = makeDataFolder();
  const facts = factsOf('sqlite', 'schema-9');
  unpackInto(data, 'sqlite', 'schema-9');
  const before = publishedState(data);
  expect(before.format).toBe(5);
  const server = await startServer({ data, flags: keepsAll });
  await expectAsBefore(server, facts);
  expect(publishedState(data)).toEqual({ ...before, format: 6 });
  const { path } = environmentOf(server, facts, 'dev');
  const record = { id: 'bundle', content: 'bundle', segment: 'test', control: 'control' };
  expect((await server.admin('POST', `${path}/experiments`, record)).status).toBe(201);
  const started = await server.admin('POST', `${path}/experiments/bundle/start`, {});
  expect(started.json).toMatchObject({ state: 'running', phase: 1 });
  await expectAsBefore(server, facts);
  await server.stop();
  expect(server.stderr).not.toContain('published_rebuilt');
});

it('of schema step 13 is served as it was, and its webhook goes on with signed messages', async () => {
  const data = makeDataFolder();
  const facts = factsOf('sqlite', 'schema-13');
  unpackInto(data, 'sqlite', 'schema-13');
  const before = publishedState(data);
  const server = await startServer({ data, flags: keepsAll });
  await expectAsBefore(server, facts);
  expect(publishedState(data)).toEqual(before);
  const { json } = await server.admin('GET', '/admin/v1/webhooks');
  expect(json.webhooks).toMatchObject([{ format: 'loadout' }]);
  await server.stop();
  expect(server.stderr).not.toContain('published_rebuilt');
});
