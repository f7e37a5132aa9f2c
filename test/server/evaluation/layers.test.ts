/** Layers and the holdout as clients meet them: who is in, what the hash says, and when it changes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';
import { xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

const users = Array.from({ length: 60 }, (_, at) => `player-${at}`);
const bucketOf = (salt: string, u: string) => xxh32(`${salt}:${u}`) % 1000;
const rule = (segment: string, slice: readonly [number, number], price: number) => ({
  ...{ segment, when: {}, layer: 'shop', slice, salt: `own-${segment}` },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'high', groups: [500, 999], merge: { price } },
  ],
});

const put = async (body: object) =>
  expectDone(await server.admin('PUT', `${game.path}/layers`, body)).json;

const segOf = async (u: string) =>
  (await game.wrapped('shop', { u })).json.meta.seg as readonly { n: string; v: string }[];

const variantOf = (segment: string, u: string) =>
  bucketOf(`own-${segment}`, u) < 500 ? 'control' : 'high';

const inSlices = (salt: string, u: string) =>
  bucketOf(salt, u) < 500
    ? [{ n: 'first', v: variantOf('first', u) }]
    : [{ n: 'second', v: variantOf('second', u) }];

beforeAll(async () => {
  game = await makeEnvironment(server);
  await put({ layers: [{ name: 'shop', salt: 'layer' }], holdout: null });
  await game.put('shop', '{"price":1}', {
    mapping: [rule('first', [0, 499], 2), rule('second', [500, 999], 3)],
  });
});

describe('rules of one layer', () => {
  it('share no player, and assign variants of their own', async () => {
    for (const u of users) expect(await segOf(u), u).toEqual(inSlices('layer', u));
    expect(await segOf('')).toEqual([]);
  });

  it('have other players with another salt, under a hash that comes back with it', async () => {
    const hash = async () => (await game.catalog()).json.catalog.shop.h as string;
    const before = await hash();
    const { sequence } = await put({ layers: [{ name: 'shop', salt: 'other' }], holdout: null });
    expect(sequence).toBeGreaterThan(0);
    for (const u of users) expect(await segOf(u), u).toEqual(inSlices('other', u));
    expect(await hash()).not.toBe(before);
    expect((await game.wrapped('shop')).json.hash).toBe(await hash());
    await put({ layers: [{ name: 'shop', salt: 'layer' }], holdout: null });
    expect(await hash()).toBe(before);
  });

  it('leave out the holdout, as a refresh does', async () => {
    const holdout = { salt: 'out', groups: [0, 299] };
    await put({ layers: [{ name: 'shop', salt: 'layer' }], holdout });
    const held = users.filter((u) => bucketOf('out', u) <= 299);
    expect(held.length).toBeGreaterThan(0);
    for (const u of users) {
      expect(await segOf(u), u).toEqual(held.includes(u) ? [] : inSlices('layer', u));
    }
    const { contents } = (await game.refresh({ u: held[0] as string })).json;
    expect([contents.shop.data, contents.shop.meta.seg]).toEqual([{ price: 1 }, []]);
  });
});

describe('loadout env layers', () => {
  it('shows layers with the rules that use them, adds and removes', async () => {
    const loadout = new CommandLine(server);
    const layers = ['env', 'layers', game.id];
    await loadout.run([...layers, '--add', 'menu=m', '--holdout', '950-999']);
    const shown = await loadout.run(layers);
    expect(shown).toMatch(
      /^LAYER +SALT\nmenu +m\nshop +layer\nHoldout: buckets 950-999, salt out\.\n/,
    );
    expect(shown).toMatch(/shop +0-499 +shop r1 +1\. first +left out\n/);
    expect((await loadout.json([...layers, '--remove', 'menu'])).layers).toHaveLength(1);
    const used = await loadout.try([...layers, '--remove', 'shop']);
    expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('"first"')]);
    expect((await loadout.json([...layers, '--holdout', 'none'])).holdout).toBeNull();
    expect((await loadout.try([...layers, '--add', 'shop'])).code).toBe(2);
    expect((await loadout.try([...layers, '--holdout', '9-1'])).code).toBe(2);
  });
});
