/** What a server keeps of the user contexts that requests carry: frequent values, and a sample where owners switched it on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

let server: LoadoutServer;
const data = makeDataFolder();

beforeAll(async () => {
  server = await startServer({ data, listeners: 1, flags: ['--last-used-seconds', '1'] });
});
afterAll(() => server.stop());

interface Value {
  readonly value: string | number | boolean;
  readonly share: number;
}

async function values(game: Environment): Promise<Record<string, readonly Value[]>> {
  const { json } = expectDone(await game.server.admin('GET', `${game.path}/attributes`));
  const attributes: { name: string; values: Value[] }[] = json.attributes;
  return Object.fromEntries(
    attributes.filter(({ values }) => values.length > 0).map(({ name, values }) => [name, values]),
  );
}

const secret = 'zq7secretzq7';

/** Requests of different users, of three countries. */
async function play(game: Environment, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const p = {
      country: at % 4 === 0 ? 'FR' : 'DE',
      accountId: `${secret}-${at}`,
      contact: `${secret}${at}@example.com`,
      vip: at % 2 === 0,
    };
    expectDone(await game.wrapped('shop', { u: `${secret}-${at}`, p, v: '1.4.0' }));
  }
}

const keep = (game: Environment, traffic: string) =>
  game.server.admin('PATCH', game.path, { traffic });

const preview = (game: Environment, head: object) =>
  send(server.adminUrl, `${game.path}/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${ownerToken}` },
    body: JSON.stringify(head),
  });

/** Files of the data folder that have a text in them. */
function filesWith(text: string): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

it('knows frequent values of attributes, and none that could say who a player is', async () => {
  const game = await makeEnvironment(server);
  await game.put('shop', '{"n":0}');
  await play(game, 200);
  await eventually('the values are known', 20_000, async () => {
    return Object.keys(await values(game)).length === 2;
  });
  const known = await values(game);
  expect(known['country']?.map(({ value }) => value)).toEqual(['DE', 'FR']);
  expect(known['country']?.[0]?.share).toBeCloseTo(0.75, 1);
  expect(known['vip']?.map(({ value }) => value)).toEqual(expect.arrayContaining([true, false]));
  const { text } = await server.admin('GET', `${game.path}/attributes`);
  expect(text).not.toContain(secret);
  expect(filesWith(secret)).toEqual([]);

  // Names alone: the values are deleted at once, and no longer counted.
  expectDone(await keep(game, 'names'));
  expect(await values(game)).toEqual({});
});

it('tries edits on contexts of requests, where owners switched it on', async () => {
  const game = await makeEnvironment(server);
  await game.put('shop', '{"price":4.99}');
  const edit = {
    id: 'shop',
    mapping: [{ segment: 'french', when: { country: 'FR' }, merge: { price: 3.99 } }],
  };
  await play(game, 8);
  const none = { contexts: 0, sampled: { requests: 0, since: null, reduced: 0 } };
  expect((await preview(game, { ...edit, sampled: true })).json).toMatchObject(none);

  const run = await new CommandLine(server).try(['env', 'edit', game.id, '--traffic', 'contexts']);
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(expectDone(await server.admin('GET', game.path)).json.traffic).toBe('contexts');
  await play(game, 40);
  await eventually('the contexts are known', 20_000, async () => {
    return (await preview(game, { ...edit, sampled: true })).json.contexts === 40;
  });
  const done = expectDone(await preview(game, { ...edit, sampled: true }));
  expect(done.json).toMatchObject({
    contexts: 40,
    faulty: 0,
    changed: { contexts: 10, share: 0.25 },
    madeUp: null,
    given: null,
    // Each lacks an id and an address.
    sampled: { requests: 40, reduced: 40 },
  });
  expect(done.text).not.toContain(secret);
  const { examples } = done.json.changes[0];
  expect(examples[0].u).toMatch(/^[0-9a-f]{16}$/);
  expect(filesWith(secret)).toEqual([]);

  const both = await preview(game, { ...edit, sampled: true, madeUp: 10 });
  expect([both.status, both.json.code]).toEqual([400, 'invalid_body']);
  const command = await new CommandLine(server).try([
    ...['preview', 'shop', '--env', game.id, '--sampled'],
  ]);
  expect([command.code, command.stderr]).toEqual([0, '']);
  expect(command.stdout).toContain('40');

  expectDone(await keep(game, 'values'));
  expect((await preview(game, { ...edit, sampled: true })).json).toMatchObject(none);
});

it('counts ten thousand users while other requests are served', async () => {
  const game = await makeEnvironment(server);
  const mapping = [
    {
      segment: 'eu',
      when: { country: { $in: ['DE', 'FR'] }, level: { $gte: 10 } },
      merge: { n: 2 },
    },
    {
      segment: 'test',
      when: {},
      salt: 'a',
      variants: [
        { name: 'x', groups: [0, 499], merge: { n: 3 } },
        { name: 'y', groups: [500, 999], merge: { n: 4 } },
      ],
    },
  ];
  await game.put('shop', '{"n":0}', { mapping });
  const salted = mapping.map((rule) => ('salt' in rule ? { ...rule, salt: 'b' } : rule));
  const counting = preview(game, { id: 'shop', mapping: salted, madeUp: 10_000 });
  let served = 0;
  let isDone = false;
  void counting.then(() => {
    isDone = true;
  });
  while (!isDone) {
    expectDone(await server.admin('GET', `${game.path}/contents`));
    served += 1;
  }
  const { json } = expectDone(await counting);
  expect(json.contexts).toBe(10_000);
  expect(served).toBeGreaterThan(2);
  const moved = json.ruleChanges.find(({ segment }: { segment: string }) => segment === 'test');
  expect(moved.otherVariant.share).toBeGreaterThan(0.45);
  expect(moved.otherVariant.share).toBeLessThan(0.55);
});

it('lets owners alone decide what is kept', async () => {
  const game = await makeEnvironment(server);
  for (const role of ['viewer', 'editor'] as const) {
    const made = await server.admin('POST', '/admin/v1/users', { name: role, role });
    const response = await send(server.adminUrl, game.path, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${expectDone(made).json.token}`,
      },
      body: JSON.stringify({ traffic: 'contexts' }),
    });
    expect([response.status, response.json.code]).toEqual([403, 'forbidden']);
  }
  expect(expectDone(await server.admin('GET', game.path)).json.traffic).toBe('values');
});
