/**
 * What a player was given at a moment, against what the delivery port responded then: edits of every kind are made on a running
 * server, players ask between them, and each (player, moment) is looked up afterwards.
 */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
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
  /** By player and content item: the bytes of the response; null: 404. */
  readonly responses: readonly (readonly (string | null)[])[];
}

const server = sharedServer();
const ids = ['added', 'gone', 'news', 'shop', 'timed'];
const players = Array.from({ length: 12 }, (_, at) => ({
  ...(at === 0 ? {} : { u: `player-${at}` }),
  p: { country: at % 2 === 0 ? 'DE' : 'CA', level: at, utcOffset: at * 60 },
  ...(at % 4 === 3 ? { v: '0.9.0' } : at % 4 === 2 ? { v: '2.1.0' } : {}),
}));

const rules = (price: number) => [
  { segment: 'eu', merge: { eu: true } },
  {
    ...{ segment: 'test', when: {}, layer: 'shop', slice: [0, 599], holdout: true, salt: 'own' },
    variants: [
      { name: 'a', groups: [0, 499] },
      { name: 'b', groups: [500, 999], merge: { price } },
    ],
  },
];

let game: Environment;
const asked: Asked[] = [];

async function askAll(what: string): Promise<void> {
  const responses: (string | null)[][] = [];
  const atMs = await betweenWrites(async () => {
    for (const player of players) {
      const ofPlayer: (string | null)[] = [];
      for (const id of ids) {
        const { status, text } = await game.wrapped(id, player);
        expect([200, 404]).toContain(status);
        ofPlayer.push(status === 404 ? null : text);
      }
      responses.push(ofPlayer);
    }
  });
  asked.push({ what, atMs, responses });
}

beforeAll(async () => {
  game = await makeEnvironment(server);
  const edit = editThenAsk(askAll);
  await askAll('nothing is there');
  await putLayers(game, 'first', null);
  await game.putSegment('eu', { country: 'DE' });
  await edit('shop', game.put('shop', '{"price":1,/* c */"n":1.10}', { mapping: rules(2) }));
  await edit('news', game.put('news', '"one"', { appVersion: '1.0.0' }));
  await edit('gone', game.put('gone', '{"there":true}'));
  await edit('a draft', game.put('shop', '{"price":7}', { publish: false }));
  await edit('a segment', game.putSegment('eu', { country: 'CA' }));
  await edit('a holdout', putLayers(game, 'first', [0, 499]));
  await edit('another salt', putLayers(game, 'second', [0, 499]));
  await edit('a mapping', game.put('shop', '{"price":3,"n":2.0}', { mapping: rules(4) }));
  await edit('a line', game.put('news', '"two"', { appVersion: '2.0.0' }));
  await edit('a removal', server.admin('DELETE', `${game.path}/contents/gone`).then(expectDone));

  await game.put('gone', '{"there":"again"}', { publish: false });
  await game.put('shop', '{"price":50}', { mapping: rules(60), publish: false });
  await playRamp(game, edit);

  const fromMs = Date.now() + 1_500;
  const timed = {
    segment: 'sale',
    when: {},
    from: iso(fromMs),
    merge: { s: 1 },
  };
  await edit('a window', game.put('timed', '{}', { mapping: [timed] }));
  await clockPasses(fromMs + 50);
  await askAll('the window is open');
  await edit('a content item', game.put('added', '[1]'));
}, 120_000);

const lookUp = async (body: object) =>
  expectDone(await server.admin('POST', `${game.path}/players/lookup`, body));

describe('a player at a moment', () => {
  it('is shown what the delivery port responded then, byte for byte', async () => {
    let pairs = 0;
    for (const { what, atMs, responses } of asked) {
      for (const [index, player] of players.entries()) {
        const body = { ...player, at: iso(atMs), ids };
        const { json, text } = await lookUp(body);
        const expected = responses[index] ?? [];
        for (const [place, id] of ids.entries()) {
          const where = `${what}, player ${index}, ${id}`;
          const response = expected[place] ?? null;
          const item = json.items[place];
          expect(item.id, where).toBe(id);
          expect([item.outcome, item.detail !== null], where).toEqual(
            response === null ? ['not_delivered', true] : ['delivered', false],
          );
          if (response === null) continue;
          expect(item.digest, where).toBe(createHash('sha256').update(response).digest('hex'));
          expect(text.includes(`"answer":${response}`), where).toBe(true);
        }
        pairs++;
      }
    }
    expect(pairs).toBe(asked.length * players.length);
    expect(pairs).toBeGreaterThan(200);
    const shown = new Set(asked.flatMap(({ responses }) => responses.flat()));
    expect(shown.size).toBeGreaterThan(60);
  }, 120_000);

  it('is shown page by page without responses, and one content item by `evaluate`', async () => {
    const { atMs, responses } = asked[13] ?? expect.fail();
    const at = iso(atMs);
    const found: Record<string, string | null> = {};
    let after: string | null = null;
    do {
      const body = { ...players[1], at, limit: 2, ...(after === null ? {} : { after }) };
      const { json }: { readonly json: { items: never[]; next: string | null } } =
        await lookUp(body);
      for (const { id, digest, answer, rules: why } of json.items) {
        found[id] = digest;
        expect([answer, why]).toEqual([null, null]);
      }
      after = json.next;
    } while (after !== null);
    expect(Object.keys(found)).toEqual(ids);
    const expected = responses[1] ?? [];
    for (const [place, id] of ids.entries()) {
      const body = { ...players[1], at, id };
      const { status, text } = await server.admin('POST', `${game.path}/evaluate`, body);
      const response = expected[place] ?? null;
      expect(found[id] === null).toBe(response === null);
      expect(status).toBe(response === null ? 404 : 200);
      if (response !== null) expect(text).toContain(`"answer":${response}`);
    }
  });

  it('is not shown in the future', async () => {
    const at = iso(Date.now() + 3_600_000);
    const { status, json } = await server.admin('POST', `${game.path}/players/lookup`, { at });
    expect([status, json.errors]).toMatchObject([400, [{ path: 'at' }]]);
  });
});

describe('a user with the role support', () => {
  it('looks up players of its environments, and is denied everything else', async () => {
    const other = await makeEnvironment(server);
    const call = await asSupport(game, `support of ${game.id}`);
    expect(await call('POST', `${game.path}/players/lookup`, { u: 'player-1' })).toBe(200);
    expect(await call('POST', `${other.path}/players/lookup`, {})).toBe(404);
    expect(await call('GET', `${game.path}/contents`)).toBe(403);
    expect(await call('GET', '/admin/v1/me')).toBe(200);
  });
});

describe('`loadout player show`', () => {
  it('lists what differs between two moments, and shows one content item with its response and why', async () => {
    const timeOf = (what: string) => {
      const { atMs } = asked.find((one) => one.what === what) ?? expect.fail();
      return iso(atMs);
    };
    const run = async (...args: string[]) => {
      const user = ['-u', 'player-1', '-p', '{"country":"CA"}', '--env', game.id];
      const done = await new CommandLine(server).try(['player', 'show', ...args, ...user]);
      expect([done.code, done.stderr]).toEqual([0, '']);
      return done.stdout;
    };
    const listed = await run('--at', timeOf('news'));
    expect(listed).toMatch(/^shop +1 +0\.0\.0/m);
    expect(listed).toMatch(/^added .*was live/m);
    const changed = await run('--at', timeOf('a draft'), '--compare', timeOf('a segment'));
    expect(changed).toMatch(/^shop /m);
    expect(changed).not.toMatch(/^news /m);
    const one = await run('shop', '--at', timeOf('a segment'));
    expect(one).toContain('segment eu, revision 2');
    expect(one).toContain('"eu":true');
  });
});
