/** The map of tests that interfere, and the warning at save, over the admin API. */
import { describe, expect, it } from 'vitest';
import { type Harness, startApi } from '../harness.js';

const text = '{"price":1,"offer":0}';
const halves = (merge: object) => [
  { name: 'control', groups: [0, 499] },
  { name: 'changed', groups: [500, 999], merge },
];
const test = (segment: string, merge: object, more: object = {}) => ({
  ...{ segment, when: {}, salt: segment, variants: halves(merge) },
  ...more,
});
const clash = [test('price', { price: 2 }), test('bundle', { price: 3, offer: 1 })];

async function pairsOf(api: Harness, query = ''): Promise<string[]> {
  const { body } = await api.dev('GET', `/experiments/interference${query}`);
  return body.pairs.map(
    ({ content, a, b, paths }: Record<string, { segment: string }>) =>
      `${content}: ${a?.segment} and ${b?.segment} at ${paths}`,
  );
}

const warningsOf = (body: { readonly warnings: readonly { readonly message: string }[] }) =>
  body.warnings.map(({ message }) => message).filter((message) => message.includes('measures'));

describe('tests that change the same for a player in both', () => {
  it('are warned of at save, and listed with what they change', async () => {
    const api = await startApi();
    const { body } = await api.dev('PUT', '/contents/shop', { text, mapping: clash });
    expect(warningsOf(body)).toEqual([
      'the tests "price" and "bundle" both change /price for players who can be in both, so neither measures its own effect alone; slices of one layer keep them apart',
    ]);
    await api.dev('PUT', '/contents/apart', {
      text,
      mapping: [test('price', { price: 2 }), test('offer', { offer: 1 })],
    });
    const { pairs, cut } = (await api.dev('GET', '/experiments/interference')).body;
    expect([pairs.length, cut]).toEqual([1, false]);
    expect(pairs[0]).toMatchObject({
      ...{ content: 'shop', revision: 1, live: true, paths: ['/price'], lists: [] },
      a: { rule: 0, segment: 'price', experiment: null },
      b: { rule: 1, segment: 'bundle', experiment: null },
      ...{ from: null, until: null },
    });
  });

  it('do so no more in slices of one layer, and do again where the slices meet', async () => {
    const api = await startApi();
    await api.dev('PUT', '/layers', { layers: [{ name: 'shop', salt: 'l' }], holdout: null });
    const inLayer = (first: readonly number[], second: readonly number[]) => [
      { ...clash[0], layer: 'shop', slice: first },
      { ...clash[1], layer: 'shop', slice: second },
    ];
    const mapping = inLayer([0, 199], [200, 399]);
    const apart = await api.dev('PUT', '/contents/shop', { text, mapping });
    expect(warningsOf(apart.body)).toEqual([]);
    expect(await pairsOf(api)).toEqual([]);
    const draft = { mapping: inLayer([0, 200], [200, 399]), publish: false };
    const meet = await api.dev('PUT', '/contents/shop', draft);
    expect(warningsOf(meet.body)).toHaveLength(1);
    expect(await pairsOf(api)).toEqual([]);
    expect(await pairsOf(api, '?drafts=true')).toEqual(['shop: price and bundle at /price']);
  });

  it('follow saved segments and windows as they are now, and name their experiments', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/price', { when: { country: 'US' } });
    await api.dev('PUT', '/segments/bundle', { when: { country: { $ne: 'US' } } });
    const saved = clash.map(({ when: _, ...rule }) => rule);
    await api.dev('PUT', '/contents/shop', { text, mapping: saved });
    const plain = async () =>
      (await api.dev('GET', '/experiments/interference')).body.pairs.filter(
        ({ lists }: { readonly lists: readonly string[] }) => lists.length === 0,
      );
    expect(await plain()).toEqual([]);
    await api.dev('PUT', '/segments/bundle', { when: { level: 1 } });
    const record = { id: 'prices', content: 'shop', segment: 'price', control: 'control' };
    expect((await api.dev('POST', '/experiments', record)).status).toBe(201);
    const [pair] = await plain();
    expect([pair.a.experiment, pair.b.experiment]).toEqual(['prices', null]);
    const over = saved.map((rule, at) =>
      at === 0 ? { ...rule, until: '2025-12-31T00:00:00Z' } : rule,
    );
    await api.dev('PUT', '/contents/shop', { mapping: over });
    expect(await plain()).toEqual([]);
  });
});
