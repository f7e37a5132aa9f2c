/** The rules of a mapping: which apply to a caller, what `seg` says of them, and that a changed mapping counts at once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectInvalid } from '../../support/wire/refusal.js';
import { mappedHash, xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

/** The bytes of `seg` in a wrapped answer. */
async function segText(id: string, body = {}): Promise<string> {
  const { text } = await game.wrapped(id, body);
  return text.slice(text.indexOf('"seg":') + 6, -2);
}

describe('seg', () => {
  it('has one entry for every rule that applied, in rule order, with n, v and i in this order', async () => {
    await game.put('shop', '{"n":1}', {
      mapping: [
        { info: 'promo-7', segment: 'z-first', merge: { n: 2 }, when: {} },
        { segment: 'not-me', when: { country: 'PL' }, merge: { n: 3 } },
        { segment: 'a-second', when: {} },
        {
          segment: 'test',
          when: {},
          info: 'i "quoted"',
          variants: [{ name: 'all', groups: [0, 999], merge: { m: 1 } }],
        },
      ],
    });
    expect(await segText('shop')).toBe(
      '[{"n":"z-first","v":null,"i":"promo-7"},{"n":"a-second","v":null},' +
        '{"n":"test","v":"all","i":"i \\"quoted\\""}]',
    );
    expect((await game.wrapped('shop')).json.data).toEqual({ n: 2, m: 1 });
  });

  it('is empty for a content without a mapping and for a caller no rule applies to', async () => {
    await game.put('bare', '1');
    expect(await segText('bare')).toBe('[]');
    await game.put('other', '1', { mapping: [{ segment: 's', when: { a: 1 }, replace: 2 }] });
    expect(await segText('other')).toBe('[]');
  });

  it('lists a rule that changes nothing, and a control group', async () => {
    await game.put('control', '{"n":1}', {
      mapping: [
        { segment: 'label', when: {} },
        { segment: 'test', when: {}, variants: [{ name: 'control', groups: [0, 999] }] },
        { segment: 'same', when: {}, merge: { n: 1 } },
        { segment: 'empty', when: {}, merge: {} },
      ],
    });
    const answer = await game.wrapped('control', { u: 'a' });
    expect(answer.json.data).toEqual({ n: 1 });
    expect(await game.segments('control', { u: 'a' })).toEqual([
      'label',
      'test/control',
      'same',
      'empty',
    ]);
  });

  it('does not exist in plain delivery, which no rule touches', async () => {
    await game.put('plain', '{"n":1}', { mapping: [{ segment: 's', when: {}, merge: { n: 2 } }] });
    expect((await game.plain('plain')).text).toBe('{"n":1}');
    expect((await game.combine(['plain'])).text).toBe('{"plain":{"n":1}}');
  });

  it('may name a segment in any script', async () => {
    await game.put('names', '1', {
      mapping: [{ segment: 'Żółć "日本" \u2028', when: {}, info: '\\' }],
    });
    expect((await game.wrapped('names')).json.meta.seg).toEqual([
      { n: 'Żółć "日本" \u2028', v: null, i: '\\' },
    ]);
  });
});

describe('variants', () => {
  const users = Array.from({ length: 40 }, (_, i) => `user-${i}`);

  it('go by meta.mod when the salt is null or absent', async () => {
    const variants = [
      { name: 'low', groups: [0, 499] },
      { name: 'high', groups: [500, 999], merge: { n: 2 } },
    ];
    await game.put('salt-null', '{"n":1}', {
      mapping: [
        { segment: 'null', when: {}, salt: null, variants },
        { segment: 'absent', when: {}, variants },
      ],
    });
    for (const u of users) {
      const name = xxh32(u) % 1000 < 500 ? 'low' : 'high';
      expect(await game.segments('salt-null', { u })).toEqual([`null/${name}`, `absent/${name}`]);
    }
  });

  it('go by XXH32(salt + ":" + u) % 1000 when there is a salt', async () => {
    const variants = [
      { name: 'low', groups: [0, 499] },
      { name: 'high', groups: [500, 999] },
    ];
    const salts = ['price-test', 'żółć', ''];
    await game.put('salted', '1', {
      mapping: salts.map((salt) => ({ segment: `s${salt}`, when: {}, salt, variants })),
    });
    for (const u of users) {
      const name = (salt: string): string => (xxh32(`${salt}:${u}`) % 1000 < 500 ? 'low' : 'high');
      expect(await game.segments('salted', { u })).toEqual(salts.map((s) => `s${s}/${name(s)}`));
    }
  });

  it('have every caller without a user id in group 0, salted or not', async () => {
    const variants = [
      { name: 'zero', groups: [0, 0] },
      { name: 'other', groups: [1, 999] },
    ];
    const salts = [null, '', 'price-test', 'żółć'];
    await game.put('anonymous', '1', {
      mapping: salts.map((salt) => ({ segment: `s${salt}`, when: {}, salt, variants })),
    });
    for (const body of [{}, { u: '' }]) {
      const segments = await game.segments('anonymous', body);
      expect(segments).toEqual(salts.map((salt) => `s${salt}/zero`));
    }
  });

  it('hold both ends of their groups, and need not cover everything', async () => {
    const mod = xxh32('a') % 1000; // 110
    const one = (name: string, groups: readonly number[]): object => ({
      segment: name,
      when: {},
      variants: [{ name: 'v', groups, merge: { [name]: true } }],
    });
    await game.put('ends', '{}', {
      mapping: [
        one('exact', [mod, mod]),
        one('from', [mod, 999]),
        one('to', [0, mod]),
        one('below', [0, mod - 1]),
        one('above', [mod + 1, 999]),
      ],
    });
    const answer = await game.wrapped('ends', { u: 'a' });
    expect(answer.json.data).toEqual({ exact: true, from: true, to: true });
    expect(await game.segments('ends', { u: 'a' })).toEqual(['exact/v', 'from/v', 'to/v']);
  });

  it('apply only where the condition of their rule holds', async () => {
    await game.put('both', '1', {
      mapping: [
        { segment: 's', when: { country: 'US' }, variants: [{ name: 'v', groups: [0, 999] }] },
      ],
    });
    expect(await game.segments('both', { p: { country: 'PL' } })).toEqual([]);
    expect(await game.segments('both', { p: { country: 'US' } })).toEqual(['s/v']);
  });

  it('keep a user where it is, on every listener and in every content', async () => {
    const variants = Array.from({ length: 10 }, (_, i) => ({
      name: `v${i}`,
      groups: [i * 100, i * 100 + 99],
    }));
    await game.put('sticky', '1', { mapping: [{ segment: 's', when: {}, variants }] });
    for (let i = 0; i < 10; i++) {
      expect(await game.segments('sticky', { u: 'abc', p: { i } })).toEqual(['s/v3']); // mod 327
    }
  });
});

describe('a time window', () => {
  const past = '2020-01-01T00:00:00Z';
  const future = '2120-01-01T00:00:00Z';

  it('is open between from and until, and at an open end for ever', async () => {
    await game.put('windows', '{}', {
      mapping: [
        { segment: 'open', when: {}, from: past, until: future },
        { segment: 'since', when: {}, from: past },
        { segment: 'till', when: {}, until: future },
        { segment: 'over', when: {}, until: past, merge: { over: 1 } },
        { segment: 'not yet', when: {}, from: future, merge: { early: 1 } },
        { segment: 'offset', when: {}, from: '2020-01-01T00:00:00.123+05:30' },
      ],
    });
    expect(await game.segments('windows')).toEqual(['open', 'since', 'till', 'offset']);
    expect((await game.wrapped('windows')).json.data).toEqual({});
  });

  it('opens and closes by itself, without an edit, for contents in every cache', async () => {
    const from = Date.now() + 1_500;
    const until = from + 1_500;
    await game.put('timed', '{"n":1}', {
      mapping: [
        {
          segment: 's',
          when: {},
          from: new Date(from).toISOString(),
          until: new Date(until).toISOString(),
          merge: { n: 2 },
        },
      ],
    });
    for (let i = 0; i < 8; i++) expect((await game.wrapped('timed')).json.data).toEqual({ n: 1 });
    const isOpen = async (): Promise<boolean> => (await game.wrapped('timed')).json.data.n === 2;
    await eventually('the window opens', 4_000, isOpen);
    expect(Date.now()).toBeGreaterThanOrEqual(from);
    await eventually('the window closes', 4_000, async () => !(await isOpen()));
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    for (let i = 0; i < 8; i++) expect(await game.segments('timed')).toEqual([]);
  });

  it('is [from, until): the first moment is inside, the last is not', async () => {
    await game.put('edges', '1', {
      mapping: [
        { segment: 's', when: {}, from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' },
      ],
    });
    const isOpenAt = async (at: string): Promise<boolean> =>
      expectDone(
        await server.admin('POST', `${game.path}/evaluate`, { id: 'edges', revision: 1, at }),
      ).text.includes('"seg":[{"n":"s"');
    expect(await isOpenAt('2026-10-31T23:59:59.999Z')).toBe(false);
    expect(await isOpenAt('2026-11-01T00:00:00.000Z')).toBe(true);
    expect(await isOpenAt('2026-11-30T23:59:59.999Z')).toBe(true);
    expect(await isOpenAt('2026-12-01T00:00:00.000Z')).toBe(false);
  });
});

describe('saved segments', () => {
  it('are used where when is absent', async () => {
    await game.putSegment('whales', { spent: { $gte: 100 } });
    await game.put('saved', '{"n":1}', { mapping: [{ segment: 'whales', merge: { n: 2 } }] });
    expect((await game.wrapped('saved', { p: { spent: 99 } })).json.data).toEqual({ n: 1 });
    expect((await game.wrapped('saved', { p: { spent: 100 } })).json).toMatchObject({
      data: { n: 2 },
      meta: { seg: [{ n: 'whales', v: null }] },
    });
  });

  it('are only a label where when is present', async () => {
    await game.putSegment('minnows', { spent: 0 });
    await game.put('label', '1', { mapping: [{ segment: 'minnows', when: { x: 1 } }] });
    expect(await game.segments('label', { p: { spent: 0 } })).toEqual([]);
    expect(await game.segments('label', { p: { x: 1 } })).toEqual(['minnows']);
  });

  it('count at once when they change', async () => {
    await game.putSegment('moving', { x: 1 });
    await game.put('moving', '1', { mapping: [{ segment: 'moving', replace: 2 }] });
    const body = { p: { x: 2 } };
    for (let i = 0; i < 8; i++) expect(await game.segments('moving', body)).toEqual([]);
    await game.putSegment('moving', { x: 2 });
    for (let i = 0; i < 8; i++) expect(await game.segments('moving', body)).toEqual(['moving']);
  });

  it('belong to their environment', async () => {
    const other = await makeEnvironment(server);
    await game.putSegment('local', { x: 1 });
    await other.putSegment('local', { x: 2 });
    for (const environment of [game, other]) {
      await environment.put('local', '1', { mapping: [{ segment: 'local' }] });
    }
    expect(await game.segments('local', { p: { x: 1 } })).toEqual(['local']);
    expect(await other.segments('local', { p: { x: 1 } })).toEqual([]);
  });

  it('must exist', async () => {
    const answer = await game.tryPut('missing', { text: '1', mapping: [{ segment: 'ghosts' }] });
    expect(expectInvalid(answer)[0]?.path).toContain('mapping[0]');
  });

  it('cannot be deleted while a mapping uses them', async () => {
    await game.putSegment('used', { x: 1 });
    await game.put('user', '1', { mapping: [{ segment: 'used' }] });
    const answer = await server.admin('DELETE', `${game.path}/segments/used`);
    expect(answer.status).toBe(409);
    expect(await game.segments('user', { p: { x: 1 } })).toEqual(['used']);
  });
});

describe('an edit of the mapping alone', () => {
  it('counts at once for content that is already in every cache, its hash too', async () => {
    const text = JSON.stringify({ n: 0, pad: 'x'.repeat(5_000) });
    await game.put('hot', text);
    for (let n = 1; n <= 10; n++) {
      for (let i = 0; i < 6; i++) await game.wrapped('hot');
      const mapping = [{ segment: `s${n}`, when: {}, merge: { n } }];
      await game.putMapping('hot', mapping);
      for (let i = 0; i < 6; i++) {
        const answer = (await game.wrapped('hot')).json;
        expect(answer.data.n).toBe(n);
        expect(answer.meta.seg).toEqual([{ n: `s${n}`, v: null }]);
        expect(answer.hash).toBe(mappedHash(text, mapping));
      }
    }
    await game.putMapping('hot', []);
    for (let i = 0; i < 6; i++) {
      expect((await game.wrapped('hot')).text).toContain(`{"data":${text},`);
      expect(await game.segments('hot')).toEqual([]);
    }
  });
});
