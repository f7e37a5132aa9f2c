/**
 * Who was given a value between two times, against what the delivery port responded then: edits of every kind are made on a
 * running server, players ask between them, and cohorts are asked for about each moment and about the whole time.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CohortPlayer } from '../../../src/contract/schemas/players/cohort-player.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';
import {
  asSupport,
  betweenWrites,
  clockPasses,
  editThenAsk,
  iso,
  playRamp,
  putLayers,
} from './played-edits.js';

interface Asked {
  readonly what: string;
  readonly atMs: number;
  /** By player: the price that was delivered; undefined: none. */
  readonly prices: readonly (number | undefined)[];
}

const server = sharedServer();
const players = Array.from({ length: 16 }, (_, at) => ({
  ...(at === 0 ? {} : { u: `player-${at}` }),
  p: { country: at % 2 === 0 ? 'DE' : 'CA', utcOffset: at * 15 },
  ...(at % 4 === 3 ? { v: '0.9.0' } : {}),
}));
const wrong = 99;

let game: Environment;
let fromMs = 0;
let toMs = 0;
const asked: Asked[] = [];

async function askAll(what: string): Promise<void> {
  const prices: (number | undefined)[] = [];
  const atMs = await betweenWrites(async () => {
    for (const player of players) {
      const { status, text } = await game.wrapped('shop', player);
      expect([200, 404]).toContain(status);
      prices.push(status === 404 ? undefined : JSON.parse(text).data.offers?.[0]?.price);
    }
  });
  asked.push({ what, atMs, prices });
}

const text = (price: number) => `{"offers":[/* the first */{"price":${price}}]}`;
const give = (price: number) => ({ merge: { offers: [{ price }] } });
const rules = (price: number) => [
  { segment: 'eu', ...give(price) },
  {
    ...{ segment: 'test', when: { country: 'CA' }, layer: 'shop', slice: [0, 599], holdout: true },
    ...{ salt: 'own', variants: [{ name: 'b', groups: [0, 499], ...give(price) }] },
  },
];

beforeAll(async () => {
  game = await makeEnvironment(server);
  fromMs = Date.now();
  const edit = editThenAsk(askAll);
  await askAll('nothing is there');
  await putLayers(game, 'first', null);
  await game.putSegment('eu', { country: 'DE' });
  await edit('a price', game.put('shop', text(5)));
  await edit('a mistake in rules', game.put('shop', text(5), { mapping: rules(wrong) }));
  await edit('a draft', game.put('shop', text(wrong), { publish: false }));
  await edit('a segment', game.putSegment('eu', { country: 'CA' }));
  await edit('a segment again', game.putSegment('eu', { country: 'FR' }));
  await edit('a holdout', putLayers(game, 'first', [0, 499]));
  await edit('another salt', putLayers(game, 'second', null));
  await edit('a line', game.put('shop', text(wrong), { appVersion: '0.5.0' }));
  await edit('a removal', server.admin('DELETE', `${game.path}/contents/shop`).then(expectDone));
  await edit('restored', game.put('shop', text(5), { mapping: [] }));

  await game.put('shop', text(wrong), { publish: false });
  await playRamp(game, edit);

  const opensMs = Date.now() + 1_500;
  const timed = {
    ...{ segment: 'sale', when: { country: 'DE' }, ...give(wrong) },
    ...{ from: iso(opensMs), until: iso(opensMs + 1_500) },
  };
  await edit('a window', game.put('shop', text(5), { mapping: [timed] }));
  await clockPasses(opensMs + 50);
  await askAll('the window is open');
  await clockPasses(opensMs + 1_600);
  await askAll('the window is closed');
  // Each player's own clock shows this wall time at another instant: some are in it now.
  const wall = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const local = { segment: 'noon', when: {}, ...give(wrong) };
  const localTimes = { from: wall(Date.now() + 3_600_000), until: wall(Date.now() + 7_200_000) };
  await edit('a window in local time', game.putMapping('shop', [{ ...local, ...localTimes }]));
  toMs = Date.now();
}, 120_000);

const question = { id: 'shop', path: '/offers/0/price', equals: wrong, players };
const find = async (body: object) => {
  const sent = { ...question, from: iso(fromMs), to: iso(toMs), ...body };
  return server.admin('POST', `${game.path}/players/cohort`, sent);
};
const found = async (body: object) => expectDone(await find(body)).json;
const givenAt = (prices: Asked['prices']) => prices.map((price) => price === wrong);

describe('a cohort', () => {
  it('says for each moment who was given the value by the delivery port', async () => {
    let given = 0;
    for (const { what, atMs, prices } of asked) {
      const { players: list, counts } = await found({ from: iso(atMs), to: iso(atMs + 1) });
      expect(
        list.map(({ outcome }: CohortPlayer) => outcome === 'given'),
        what,
      ).toEqual(givenAt(prices));
      expect(counts.given + counts.notGiven).toBe(players.length);
      given += counts.given;
    }
    expect(asked.map(({ what }) => what)).toContain('a window in local time');
    expect(given).toBeGreaterThan(40);
    expect(given).toBeLessThan(asked.length * players.length - 40);
  });

  it('says for the whole time when first, until when, and what gave it', async () => {
    const { players: list, states } = await found({});
    expect(states).toBeGreaterThan(12);
    for (const [index, player] of (list as CohortPlayer[]).entries()) {
      const had = asked.map(({ prices }) => prices[index] === wrong);
      const where = `player ${index}`;
      expect(player.u, where).toBe(players[index]?.u ?? '');
      expect(player.outcome === 'given', where).toBe(had.includes(true));
      if (player.firstAt === null || player.untilAt === null) continue;
      const firstMs = Date.parse(player.firstAt);
      const first = had.indexOf(true);
      expect(firstMs, where).toBeLessThanOrEqual(asked[first]?.atMs ?? 0);
      expect(firstMs, where).toBeGreaterThan(asked[first - 1]?.atMs ?? 0);
      const last = had.lastIndexOf(true);
      const untilMs = Date.parse(player.untilAt);
      expect(untilMs, where).toBeGreaterThan(asked[last]?.atMs ?? 0);
      expect(untilMs, where).toBeLessThanOrEqual(asked[last + 1]?.atMs ?? toMs);
      expect(player.givenMs, where).toBeGreaterThan(0);
      expect(player.givenMs, where).toBeLessThanOrEqual(untilMs - firstMs);
    }
    const ramp = asked.findIndex(({ what }) => what === 'a ramp starts');
    const end = asked.findIndex(({ what }) => what === 'it goes live');
    const slice = { from: iso(asked[ramp]?.atMs ?? 0), to: iso(asked[end - 1]?.atMs ?? 0) };
    const { players: ramped, counts } = await found(slice);
    expect(counts.given).toBeGreaterThan(0);
    expect(counts.notGiven).toBeGreaterThan(0);
    for (const { outcome, release, revision } of ramped as CohortPlayer[]) {
      expect([typeof release, typeof revision]).toEqual(
        outcome === 'given' ? ['number', 'number'] : ['object', 'object'],
      );
    }
  });

  it('in pages says the same', async () => {
    const whole = await found({});
    const joined: CohortPlayer[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const page: { players: CohortPlayer[]; next: number | null } = await found({
        players: players.slice(joined.length),
        limit: 3,
      });
      joined.push(...page.players);
      next = page.next;
    }
    expect(joined).toEqual(whole.players);
    expect(whole.next).toBe(null);
  });

  it('without a value takes any at the place', async () => {
    const { equals: _, ...any } = question;
    const body = { ...any, from: iso(fromMs), to: iso(toMs), path: '/offers/0' };
    const sent = await server.admin('POST', `${game.path}/players/cohort`, body);
    expect(expectDone(sent).json.counts.given).toBe(players.length);
    const none = { ...body, path: '/offers/1' };
    const other = await server.admin('POST', `${game.path}/players/cohort`, none);
    expect(expectDone(other).json.counts).toMatchObject({ given: 0, notGiven: players.length });
  });

  it('is refused with what is wrong', async () => {
    const refused = async (body: object) => {
      const { status, json } = await find(body);
      return [status, json.errors?.[0]?.path ?? json.code];
    };
    expect(await refused({ to: iso(Date.now() + 3_600_000) })).toEqual([400, 'to']);
    expect(await refused({ from: iso(toMs) })).toEqual([400, 'from']);
    expect(await refused({ from: iso(toMs - 93 * 86_400_000) })).toEqual([400, 'from']);
    expect(await refused({ path: 'offers' })).toEqual([400, 'path']);
    expect(await refused({ id: 'nothing' })).toEqual([404, 'content_not_found']);
    const [status] = await refused({ players: [{ u: 'x', v: 'one' }] });
    expect(status).toBe(400);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ u: `${at}` }));
    expect(await refused({ players: many })).toEqual([400, 'players']);
    const tooLarge = { players: [{ u: 'x', p: { long: 'x'.repeat(70_000) } }, { u: 'y' }] };
    const { players: two } = await found(tooLarge);
    expect(two[0]).toMatchObject({ outcome: 'rejected', detail: 'is larger than 65536 bytes' });
    expect(two[1].outcome).not.toBe('rejected');
  });

  it('is found by users with the role support, in their environments', async () => {
    const other = await makeEnvironment(server);
    const call = await asSupport(game, `desk of ${game.id}`);
    const body = { ...question, from: iso(fromMs), to: iso(toMs) };
    expect(await call('POST', `${game.path}/players/cohort`, body)).toBe(200);
    expect(await call('POST', `${other.path}/players/cohort`, body)).toBe(404);
  });
});

describe('`loadout player cohort`', () => {
  const run = async (input: string, ...args: string[]) => {
    const times = ['--from', iso(fromMs), '--to', iso(toMs), '--env', game.id];
    const cohort = ['player', 'cohort', 'shop', '--path', '/offers/0/price', ...times];
    return new CommandLine(server).try([...cohort, '--players', '-', ...args], { stdin: input });
  };

  it('lists who was given the value, of JSON Lines and of CSV alike', async () => {
    const lines = players.map((player) => JSON.stringify(player)).join('\n');
    const csv = players.map(({ u = '', p, v = '' }) => `${u},${p.country},${p.utcOffset},${v}`);
    const { players: list } = await found({});
    const given = (list as CohortPlayer[]).filter(({ outcome }) => outcome === 'given');
    for (const input of [lines, `u,country,utcOffset,v\n${csv.join('\n')}`]) {
      const { code, stdout, stderr } = await run(input, '--equals', '99.0');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.split('\n').filter((line) => / given +\d/.test(line))).toHaveLength(
        given.length,
      );
      expect(stdout).toContain(`${given.length} of ${players.length} players were given it`);
      for (const { u, firstAt } of given)
        expect(stdout).toMatch(new RegExp(`^${u} .*${firstAt}`, 'm'));
    }
    const { stdout } = await run(lines, '--equals', '99', '--json');
    expect(JSON.parse(stdout).players).toEqual(list);
  });

  it('says what is wrong with the list', async () => {
    const { code, stderr } = await run('a\n{"u":');
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 2: is not JSON')]);
  });
});
