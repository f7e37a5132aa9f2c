/** What callers are given while a release ramps: byte for byte what they would be without it, or with all of it live. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../support/server/environment.js';
import { RampedGame } from '../../support/server/ramped-game.js';
import type { Answer } from '../../support/wire/exchange.js';

const byLevel = (level: number, merge: object) => ({
  ...{ segment: 'high', when: { level: { $gte: level } }, merge },
});
const drawn = {
  ...{ segment: 'test', when: {}, salt: 'test' },
  variants: [
    { name: 'a', groups: [0, 499], merge: { variant: 'a' } },
    { name: 'b', groups: [500, 999], merge: { variant: 'b' } },
  ],
};
const saved = [{ segment: 'whales', merge: { offer: 'large' } }];
const fresh = [{ segment: 'new-segment', merge: { offer: 'new' } }];

const items = {
  Static: { live: { lines: { '0.0.0': '{"n":1}' } }, next: { lines: { '0.0.0': '{"n":2}' } } },
  mapped: {
    live: { lines: { '0.0.0': '{"n":1}' }, rules: [byLevel(5, { gold: 5 })] },
    next: { lines: { '0.0.0': '{"n":1}' }, rules: [byLevel(3, { gold: 9 }), drawn] },
  },
  versions: {
    live: { lines: { '1.0.0': '{"line":1}' } },
    next: { lines: { '0.0.0': '{"line":0}', '2.0.0': '{"line":2}' } },
  },
  deleted: { live: { lines: { '0.0.0': '"there"' } }, next: null },
  added: { live: null, next: { lines: { '0.0.0': '{"added":true}' }, rules: [drawn] } },
  segmented: {
    live: { lines: { '0.0.0': '{"n":1}' }, rules: saved },
    next: { lines: { '0.0.0': '{"n":1}' }, rules: [...saved, ...fresh] },
  },
  untouched: { live: { lines: { '0.0.0': '{"n":3}' }, rules: [drawn] } },
} as const;

const ids = [...Object.keys(items), 'unknown'];

const callers = Array.from({ length: 24 }, (_, at) => {
  const v = ['0.9.0', '1.5.0', '2.0.0', undefined][at % 4];
  const p = { level: at % 8 };
  if (at === 0) return { p };
  return { u: `player-${at}`, p, ...(v === undefined ? {} : { v }) };
});

let ramped: RampedGame;
beforeAll(async () => {
  ramped = await RampedGame.start({
    items,
    segments: {
      whales: { live: { level: { $gte: 6 } }, next: { level: { $gte: 2 } } },
      'new-segment': { live: null, next: { level: 1 } },
    },
  });
});
afterAll(() => ramped.stop().then(() => ramped.delivery.stop()));

const shown = ({ status, text }: Answer) => [status, text];

/** Every way to ask for content items, with what it is to be compared with. */
const asked: Readonly<Record<string, (game: Environment, caller: object) => Promise<unknown>>> = {
  single: (game, caller) =>
    Promise.all(ids.map(async (id) => shown(await game.wrapped(id, { ...caller })))),
  serialized: (game, caller) =>
    Promise.all(
      ids.map(async (id) =>
        shown(await game.wrapped(id, { ...caller }, '?responseType=serialized')),
      ),
    ),
  plain: (game, caller) =>
    Promise.all(ids.map(async (id) => shown(await game.plain(id, { ...caller })))),
  combine: async (game, caller) => shown(await game.combine(ids, { ...caller }, '&dynamic=true')),
  'plain combine': async (game, caller) => shown(await game.combine(ids, { ...caller })),
  'refresh of all': async (game, caller) => sorted((await game.refresh({ ...caller })).text),
  'refresh of named ids': async (game, caller) =>
    sorted((await game.refresh({ ...caller, ids })).text),
  'refresh of what is held': async (game, caller) => {
    const have = Object.fromEntries(ids.map((id) => [id, 'x']));
    return sorted((await game.refresh({ ...caller, have })).text);
  },
};

/** Without the order of what the client did not list: it is that in which the process came to know them. */
function sorted(text: string): unknown {
  const { contents, gone, ...rest } = JSON.parse(text);
  const entries = Object.entries(contents).map(([id, entry]) => JSON.stringify([id, entry]));
  return { ...rest, contents: entries.sort(), gone: [...gone].sort() };
}

describe.each([
  ['at a step of 0 %', 0],
  ['at a step of 20 %', 200],
  ['at a step of 50 %', 500],
  ['at a step of 100 %', 1_000],
])('a release that ramps, %s,', (_, permille) => {
  beforeAll(() => ramped.step(permille));

  it.each(Object.keys(asked))('gives each caller one of the two ends: %s', async (kind) => {
    const ask = asked[kind] as (typeof asked)[string];
    for (const isPaused of [false, true]) {
      if (isPaused) await ramped.pause();
      for (const caller of callers) {
        const end = ramped.endOf('u' in caller ? caller.u : undefined);
        expect(await ask(ramped.game, caller), JSON.stringify(caller)).toEqual(
          await ask(end, caller),
        );
      }
    }
    const members = callers.filter((caller) => 'u' in caller && ramped.isIn(caller.u));
    if (permille === 500) expect([members.length > 4, members.length < 20]).toEqual([true, true]);
  });

  it('has live hashes and d: true of what it changes in the catalog, and nothing that only it has', async () => {
    const [now, live] = [await ramped.game.catalog(), await ramped.before.catalog()];
    const expected = Object.entries<{ h: string }>(live.json.catalog).map(([id, entry]) => [
      id,
      id === 'untouched' ? entry : { ...entry, d: true },
    ]);
    expect(now.json.catalog).toEqual(Object.fromEntries(expected));
    const etag = now.header('etag');
    await ramped.pause();
    const again = await ramped.game.catalog({ 'if-none-match': etag });
    expect(again.status).toBe(304);
  });
});

it('a release that is stopped or live is the end for all, in the catalog too', async () => {
  for (const [end, change] of [
    [ramped.before, () => ramped.stop()],
    [ramped.after, () => ramped.goLive()],
    [ramped.before, () => ramped.stop()],
  ] as const) {
    await change();
    const [now, expected] = [await ramped.game.catalog(), await end.catalog()];
    expect([now.text, now.header('etag')]).toEqual([expected.text, expected.header('etag')]);
    for (const caller of callers) {
      for (const ask of Object.values(asked)) {
        expect(await ask(ramped.game, caller)).toEqual(await ask(end, caller));
      }
    }
  }
});
