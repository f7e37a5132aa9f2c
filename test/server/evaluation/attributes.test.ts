/** What a server learns of the attributes that requests carry, and what editors are warned of by it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;

beforeAll(async () => {
  server = await startServer({ flags: ['--last-used-seconds', '1'] });
});
afterAll(() => server.stop());

async function attributes(game: Environment): Promise<Record<string, string | null>> {
  const { json } = expectDone(await game.server.admin('GET', `${game.path}/attributes`));
  return Object.fromEntries(
    json.attributes.map(({ name, lastSeen }: { name: string; lastSeen: string | null }) => [
      name,
      lastSeen,
    ]),
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);

it('knows the names that requests carry, and warns of a condition on another one', async () => {
  const game = await makeEnvironment(server);
  await game.put('shop', '{"n":0}');
  await game.put('hats', '{"n":0}');
  const when = { country: 'DE', plaform: 'ios' };
  const first = await server.admin('PUT', `${game.path}/segments/eu`, { when, dryRun: true });
  expect(first.json.warnings).toMatchObject([{ path: 'when' }]);
  expect(first.json.warnings[0].message).toContain('"country", "plaform"');

  await game.wrapped('shop', { u: 'player-7421', p: { country: 'DE', level: 7421 } });
  await game.combine(['shop', 'hats'], { p: { vip: ['player-7421'] } });
  await game.plain('missing', { p: { season: 1 } });
  // Rejected, so nothing of it is known.
  expect((await game.plain('shop', { p: { wrong: 1 }, v: 'x' })).status).toBe(400);
  await eventually('the names are known', 20_000, async () => {
    return Object.keys(await attributes(game)).length === 4;
  });
  const day = today();
  const known = await attributes(game);
  expect(Object.keys(known)).toEqual(['country', 'level', 'season', 'vip']);
  for (const lastSeen of Object.values(known)) expect([day, today()]).toContain(lastSeen);
  const { text } = await server.admin('GET', `${game.path}/attributes`);
  expect(text).not.toContain('7421');

  const message =
    'no other condition and no sample user has the attribute "plaform", and no request of the last 90 days has carried it: does the game send it?';
  const saved = await server.admin('PUT', `${game.path}/segments/eu`, { when });
  expect(saved.json.warnings).toEqual([{ path: 'when.plaform', message }]);
});

it('prints the warnings of a command on standard error, and does what it was asked', async () => {
  const game = await makeEnvironment(server);
  await game.wrapped('shop', { p: { country: 'DE' } });
  await eventually('the name is known', 20_000, async () => {
    return Object.keys(await attributes(game)).length === 1;
  });
  const run = (...args: string[]) => {
    return new CommandLine(server).try([...args, '--env', game.id]);
  };
  const blank = 'the value " FR" of "country" begins or ends with a blank: "FR" does not match it';
  const nowhere =
    'no other condition and no sample user has the attribute "plaform", and no request of the last 90 days has carried it: does the game send it?';
  const when = JSON.stringify({ country: { $in: ['DE', ' FR'] }, plaform: 'ios' });
  const inSegment = `warning: when.country.$in[1]: ${blank}\nwarning: when.plaform: ${nowhere}\n`;
  const dry = await run('segment', 'put', 'eu', '--when', when, '--dry-run');
  expect([dry.code, dry.stderr]).toEqual([0, inSegment]);
  const saved = await run('segment', 'put', 'eu', '--when', when);
  expect([saved.code, saved.stderr]).toEqual([0, inSegment]);
  expect(await run('segment', 'put', 'eu', '--when', '{}', '--yes')).toMatchObject({ code: 0 });
  const back = await run('segment', 'rollback', 'eu', '1');
  expect([back.code, back.stderr]).toEqual([0, inSegment]);

  await game.put('shop', '{"n":1}');
  const mapping = [{ segment: 'own', when: { plaforn: 1 }, merge: { n: 2 } }];
  const draft = await game.tryPut('shop', { mapping, publish: false });
  expect(draft.json.warnings).toHaveLength(1);
  const live = await run('content', 'publish', 'shop');
  const inContent = nowhere.replace('plaform', 'plaforn');
  expect([live.code, live.stderr]).toEqual([0, `warning: mapping[0].when.plaforn: ${inContent}\n`]);
});

it('does not lose the names when it ends before they are written', async () => {
  const data = makeDataFolder();
  const first = await startServer({ data, flags: ['--last-used-seconds', '3600'] });
  const here = await makeEnvironment(first);
  await here.put('shop', '1');
  await here.plain('shop', { p: { country: 'DE' } });
  expect(await attributes(here)).toEqual({});
  expect((await first.stop()).code).toBe(0);
  const second = await startServer({ data, listeners: 1 });
  expect(Object.keys(await attributes(here.on(second)))).toEqual(['country']);
  await second.stop();
});
