/*
 * Goal: whoever changes the salt or the buckets of a live test learns how many of its players change variants, whichever
 * way the change comes: a save, its dry run, a publication, a roll-back.
 */
import { describe, expect, it } from 'vitest';
import {
  type MovingTest,
  movedPlayers,
} from '../../../../src/management/contents/warnings/moved-players.js';
import { startApi, startMs } from '../harness.js';

const test = (salt: string | null, split: number, more: object = {}) => ({
  segment: 'gems',
  when: { '@u': { $ne: '' } },
  ...(salt === null ? {} : { salt }),
  variants: [
    { name: 'control', groups: [0, split - 1] },
    { name: 'more', groups: [split, 999], merge: { gems: 2 } },
  ],
  ...more,
});
const drawn = (
  salt: string | null,
  variants: MovingTest['variants'],
  layer: MovingTest['layer'] = null,
  slice: MovingTest['slice'] = null,
): MovingTest => ({ salt, variants, layer, slice });
const text = '{"gems":1}';
const spoiled = 'which spoils what it measures';
const half = {
  path: 'mapping[0].salt',
  message: `of the users in the live test "gems", about 50.0 % would see another variant, ${spoiled} (expected of many users: another salt or layer assigns all of them to new buckets)`,
};

async function withLive(mapping: readonly unknown[]) {
  const api = await startApi();
  await api.dev('PUT', '/contents/shop', { text, mapping });
  const warningsOf = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await api.dev(method, `/contents/shop${path}`, body);
    expect([status, JSON.stringify(answer)]).toEqual([200, expect.any(String)]);
    return answer.warnings as readonly { readonly path: string; readonly message: string }[];
  };
  return { api, warningsOf };
}

describe('a change of a live test', () => {
  it('of its salt is warned of by a dry run, a save, a publication and a roll-back', async () => {
    const { warningsOf } = await withLive([test('a', 500)]);
    const edit = { mapping: [test('b', 500)] };
    expect(await warningsOf('PUT', '', { ...edit, dryRun: true })).toEqual([half]);
    expect(await warningsOf('PUT', '', { ...edit, publish: false })).toEqual([half]);
    expect(await warningsOf('POST', '/publish', {})).toEqual([half]);
    // The other salt is live now: going back moves them again, and saving it again nobody.
    expect(await warningsOf('PUT', '', edit)).toEqual([]);
    expect(await warningsOf('POST', '/rollback', { revision: 1 })).toEqual([half]);
  });

  it('of its buckets is counted exactly', async () => {
    const { warningsOf } = await withLive([test('a', 500)]);
    const moved = { mapping: [test('a', 620)], dryRun: true };
    expect(await warningsOf('PUT', '', moved)).toEqual([
      {
        path: 'mapping[0].variants',
        message: `of the users in the live test "gems", 12.0 % would see another variant, ${spoiled}`,
      },
    ]);
    const variants = [
      { name: 'control', groups: [0, 399] },
      { name: 'more', groups: [500, 999], merge: { gems: 2 } },
    ];
    const shrunk = [
      { segment: 'new', when: {}, merge: {} },
      { ...test('a', 500), variants },
    ];
    const [warning] = await warningsOf('PUT', '', { mapping: shrunk, dryRun: true });
    expect(warning).toEqual({
      path: 'mapping[1].variants',
      message: `of the users in the live test "gems", 10.0 % would leave it, ${spoiled}`,
    });
  });

  it('that only lets further players in says that nobody changes variants', async () => {
    const part = [
      { name: 'control', groups: [0, 99] },
      { name: 'more', groups: [100, 199], merge: { gems: 2 } },
    ];
    const { warningsOf } = await withLive([test('a', 500, { variants: part })]);
    const more = [part[0], { ...part[1], groups: [100, 299] }];
    const mapping = [test('a', 500, { variants: more })];
    const [warning] = await warningsOf('PUT', '', { mapping, dryRun: true });
    expect(warning?.message).toBe(
      '10.0 % of those who match its condition would join the live test "gems"; the users in it keep their variants',
    );
  });

  it('is compared with what is live, not with the draft on top of it', async () => {
    const { warningsOf } = await withLive([test('a', 500)]);
    await warningsOf('PUT', '', { mapping: [test('b', 500)], publish: false });
    expect(await warningsOf('PUT', '', { mapping: [test('a', 500)], dryRun: true })).toEqual([]);
    expect(await warningsOf('PUT', '', { text: '{"gems":9}', dryRun: true })).toEqual([half]);
  });

  it('is none where no test runs: a draft, a window that is not open, a test that ends', async () => {
    const draft = await startApi();
    await draft.dev('PUT', '/contents/shop', { text, mapping: [test('a', 500)], publish: false });
    const edit = { mapping: [test('b', 500)], dryRun: true };
    expect((await draft.dev('PUT', '/contents/shop', edit)).body.warnings).toEqual([]);
    const later = new Date(startMs + 3_600_000).toISOString();
    const early = await withLive([test('a', 500, { from: later })]);
    const next = { mapping: [test('b', 500, { from: later })], dryRun: true };
    expect(await early.warningsOf('PUT', '', next)).toEqual([]);
    const running = await withLive([test('a', 500)]);
    const ended = [{ segment: 'gems', when: {}, merge: { gems: 2 } }];
    expect(await running.warningsOf('PUT', '', { mapping: ended, dryRun: true })).toEqual([]);
  });

  it('in local time runs from its first player to its last, between occurrences too', async () => {
    const hours = (count: number) =>
      new Date(startMs + count * 3_600_000).toISOString().slice(0, 19);
    const repeat = {
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '03:00',
      until: '03:01',
    };
    const warned = async (window: object) => {
      const { warningsOf } = await withLive([test('a', 500, window)]);
      return warningsOf('PUT', '', { mapping: [test('b', 500, window)], dryRun: true });
    };
    expect(await warned({ from: hours(14), until: hours(500), repeat })).toEqual([half]);
    expect(await warned({ from: hours(15), until: hours(500), repeat })).toEqual([]);
    expect(await warned({ until: hours(-11) })).toEqual([half]);
    expect(await warned({ until: hours(-12) })).toEqual([]);
  });

  it('is found in mappings that are too large to be read in a transaction', async () => {
    const large = { segment: 'large', when: {}, merge: { note: 'x'.repeat(80 * 1024) } };
    const { warningsOf } = await withLive([test('a', 500), large]);
    const edit = { mapping: [test('b', 500), large], publish: false };
    expect(await warningsOf('PUT', '', edit)).toEqual([half]);
    expect(await warningsOf('POST', '/publish', {})).toEqual([half]);
  });
});

describe('how many players move', () => {
  const variants = (...sizes: number[]) => {
    let next = 0;
    return sizes.map((size, index) => {
      const from = next;
      next += size;
      return {
        name: `v${index}`,
        groups: [from, next - 1] as [number, number],
        info: null,
        mutation: null,
      };
    });
  };

  it('is expected from the shares where another salt assigns the buckets', () => {
    const thirds = variants(333, 333, 334);
    const moved = movedPlayers(drawn('a', thirds), drawn(null, thirds));
    expect(moved.exact).toBe(false);
    expect(moved.otherVariant).toBeCloseTo(2 / 3, 4);
    expect(moved.left).toBeCloseTo(0, 10);
    const part = variants(100, 100);
    const same = movedPlayers(drawn('a', part), drawn('b', part));
    expect(same.otherVariant).toBeCloseTo(0.1, 10);
    expect(same.left).toBeCloseTo(0.8, 10);
    expect(same.joined).toBeCloseTo(0.16, 10);
  });

  it('counts another slice of the layer, and expects what another layer does', () => {
    const all = variants(500, 500);
    const half = variants(250, 250);
    const grown = movedPlayers(
      drawn('a', half, 'shop', [0, 99]),
      drawn('a', half, 'shop', [0, 299]),
    );
    expect(grown).toEqual({
      otherVariant: 0,
      left: 0,
      joined: expect.closeTo(0.1, 10),
      exact: true,
    });
    const shifted = drawn('a', all, 'shop', [50, 149]);
    const left = movedPlayers(drawn('a', all, 'shop', [0, 99]), shifted);
    expect(left).toEqual({
      otherVariant: 0,
      left: 0.5,
      joined: expect.closeTo(0.05, 10),
      exact: true,
    });
    const other = movedPlayers(drawn('a', all, 'shop', [0, 99]), drawn('a', all, 'menu', [0, 99]));
    expect(other.exact).toBe(false);
    expect(other.left).toBeCloseTo(0.9, 10);
    expect(other.joined).toBeCloseTo(0.09, 10);
    const into = movedPlayers(drawn('a', all), drawn('a', all, 'menu', [0, 99]));
    expect([into.left, into.joined].map((share) => share.toFixed(3))).toEqual(['0.900', '0.000']);
  });
});
