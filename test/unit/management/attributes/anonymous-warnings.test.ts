/*
 * Goal: an editor learns that callers without a user id take part in an A/B test, when saving the test.
 * Method: mappings whose tests admit such callers or not, with conditions of their own and with saved segments.
 */
import { describe, expect, it } from 'vitest';
import { startApi } from '../harness.js';

const variants = [
  { name: 'control', groups: [0, 499] },
  { name: 'high', groups: [500, 999], merge: { price: 7.99 } },
];
const prices = { segment: 'price-test', when: {}, salt: 'prices', variants };
const words = (subject: string): string =>
  `${subject} does not exclude callers without a user id, who all get the variant of bucket 0 ("control"); {"@u": {"$ne": ""}} excludes them`;
const warned = [{ path: 'mapping[0].when', message: words('the condition of "price-test"') }];

interface Warning {
  readonly path: string;
  readonly message: string;
}

/** Without those of tests that interfere: these change the same value. */
function anonymous(warnings: readonly Warning[]): Warning[] {
  return warnings.filter(({ message }) => !message.includes('neither measures its own effect'));
}

describe('a warning about callers without a user id', () => {
  it('comes with a save, its dry run and a publication, once per test that admits them', async () => {
    const api = await startApi();
    await api.dev('PUT', '/sample-users/ada', { p: { level: 1, country: 'US' } });
    const mapping = [
      prices,
      { ...prices, when: { level: 1, '@u': { $ne: '' } } },
      { segment: 'all', when: {}, merge: { price: 1 } },
      { ...prices, when: { country: 'US' } },
    ];
    const edit = { text: '{"price":5}', mapping };
    const expected = [...warned, { ...warned[0], path: 'mapping[3].when' }];
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect(anonymous(dry.body.warnings)).toEqual(expected);
    const saved = await api.dev('PUT', '/contents/shop', { ...edit, publish: false });
    expect([saved.status, anonymous(saved.body.warnings)]).toEqual([201, expected]);
    const live = await api.dev('POST', '/contents/shop/publish', { revision: 1 });
    expect([live.status, anonymous(live.body.warnings)]).toEqual([200, expected]);
  });

  it('does not come where no variant has group 0: they are never in the test', async () => {
    const api = await startApi();
    await api.dev('PUT', '/sample-users/ada', { p: { level: 1, country: 'US' } });
    const later = variants.map(({ groups: [from, to], ...rest }) => ({
      ...{ ...rest, groups: [Math.max(1, from ?? 0), to] },
    }));
    const mapping = [{ ...prices, variants: later }];
    const saved = await api.dev('PUT', '/contents/shop', { text: '{"price":5}', mapping });
    expect([saved.status, saved.body.warnings]).toEqual([201, []]);
  });

  it('follows the saved segment that a test names', async () => {
    const api = await startApi();
    await api.dev('PUT', '/sample-users/ada', { p: { level: 1, country: 'US' } });
    await api.dev('PUT', '/segments/newcomers', { when: { level: { $lt: 5 } } });
    const { when: _, ...saved } = { ...prices, segment: 'newcomers' };
    const mapping = [saved, saved];
    const save = async (text: string) => {
      const answer = await api.dev('PUT', '/contents/shop', { text, mapping });
      return anonymous(answer.body.warnings);
    };
    const message = words('the segment "newcomers"');
    expect(await save('{"price":1}')).toEqual([
      { path: 'mapping[0].segment', message },
      { path: 'mapping[1].segment', message },
    ]);
    const when = { level: { $lt: 5 }, '@u': { $ne: '' } };
    await api.dev('PUT', '/segments/newcomers', { when });
    expect(await save('{"price":2}')).toEqual([]);
  });

  it('is listed like other warnings when there are too many', async () => {
    const api = await startApi();
    await api.dev('PUT', '/sample-users/ada', { p: { level: 1, country: 'US' } });
    const mapping = Array.from({ length: 150 }, () => prices);
    const { body } = await api.dev('PUT', '/contents/shop', { text: '{"price":5}', mapping });
    const warnings = anonymous(body.warnings);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)?.message).toBe('There are 50 more, which are not shown.');
  });
});
