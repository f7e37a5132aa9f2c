/** Decisions: the release that promotes a winner, in the texts or in a rule. */
import { describe, expect, it } from 'vitest';
import { type Harness, tokenOf } from '../harness.js';
import { priceTest, publish, shopText, startRunning } from './harness.js';

async function decided(harness: Harness, body: Readonly<Record<string, unknown>>) {
  const answer = await harness.dev('POST', '/experiments/prices/decide', body);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The draft that a release holds, as it would be live. */
async function draft({ dev }: Harness) {
  const { body } = await dev('GET', '/contents/shop');
  return { text: body.lines[0].text as string, mapping: body.mapping as unknown };
}

describe('a decision', () => {
  it('puts the winner into the texts where the rule is for everybody, and keeps their comments', async () => {
    const harness = await startRunning();
    const body = await decided(harness, { variant: 'cheap', note: 'More buyers.' });
    expect(body).toMatchObject({ release: 1, promoted: 'text' });
    expect(body.experiment).toMatchObject({
      state: 'decided',
      decision: { variant: 'cheap', note: 'More buyers.', release: 1, releaseState: 'draft' },
    });
    expect(await draft(harness)).toEqual({
      text: shopText.replace('5', '3'),
      mapping: [],
    });
    expect((await harness.dev('GET', '/contents/shop')).body).toMatchObject({ live: 1 });
    const { body: release } = await harness.dev('GET', '/releases/1');
    expect(release).toMatchObject({
      ...{ state: 'draft', title: 'Decision: prices' },
      changes: [{ kind: 'content', id: 'Shop', revision: 2, base: 1 }],
    });
    expect((await harness.dev('POST', '/releases/1/live', {})).status).toBe(200);
  });

  it.each([
    ['has a condition', { when: { level: { $gte: 3 } } }, []],
    ['has a window', { until: '2026-12-01T00:00:00Z' }, []],
    [
      'comes after a rule that changes the same',
      {},
      [{ segment: 'vip', when: { vip: true }, merge: { price: 1 } }],
    ],
  ])('keeps the rule with the values of the winner where it %s', async (_, more, earlier) => {
    const harness = await startRunning();
    const rule = { ...priceTest, ...more };
    const asked = await publish(harness, [...earlier, rule]);
    await publish(harness, [...earlier, rule], { confirm: asked.body.digest });
    const body = await decided(harness, { variant: 'cheap' });
    expect(body.promoted).toBe('rule');
    const { salt: _salt, variants: _variants, ...kept } = rule;
    expect(await draft(harness)).toEqual({
      text: shopText,
      mapping: [...earlier, { ...kept, merge: { price: 3 } }],
    });
  });

  it('keeps the rule on demand', async () => {
    const harness = await startRunning();
    expect((await decided(harness, { variant: 'cheap', keepRule: true })).promoted).toBe('rule');
  });

  it('only removes the rule where the control won, or nothing did', async () => {
    for (const [variant, promoted] of [
      ['control', 'text'],
      [null, null],
    ]) {
      const harness = await startRunning();
      expect((await decided(harness, { variant })).promoted).toBe(promoted);
      expect(await draft(harness)).toEqual({ text: shopText, mapping: [] });
    }
  });

  it('builds on what is live, whatever is saved above it', async () => {
    const harness = await startRunning();
    await publish(harness, [priceTest], { text: '{"price":100}', publish: false });
    await decided(harness, { variant: 'cheap' });
    expect((await draft(harness)).text).toBe(shopText.replace('5', '3'));
  });

  it('is made once, of an experiment that was started, and for one of its variants', async () => {
    const harness = await startRunning();
    const decide = (variant: string) =>
      harness.dev('POST', '/experiments/prices/decide', { variant });
    const unknown = await decide('nothing');
    expect([unknown.status, unknown.body.code]).toEqual([409, 'experiment_rule']);
    await decided(harness, { variant: 'cheap' });
    expect((await decide('cheap')).body.code).toBe('experiment_state');
    expect((await harness.dev('PATCH', '/experiments/prices', { name: 'x' })).status).toBe(409);
  });

  it('is for owners in a protected environment, and leaves nothing behind when an editor asks', async () => {
    const harness = await startRunning();
    const editor = await tokenOf(harness, 'editor');
    await harness.dev('PATCH', '', { protected: true });
    const decide = (id: string, token?: string) =>
      harness.dev('POST', `/experiments/${id}/decide`, { variant: 'cheap' }, token);
    // What is not there comes first: editors may see that.
    expect((await decide('none', editor)).body.code).toBe('experiment_not_found');
    const rejected = await decide('prices', editor);
    expect([rejected.status, rejected.body.code]).toEqual([403, 'forbidden']);
    const { body: experiment } = await harness.dev('GET', '/experiments/prices');
    expect(experiment).toMatchObject({ state: 'running', decision: null });
    expect((await harness.dev('GET', '/releases')).body.releases).toEqual([]);
    expect((await harness.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 1 });
    expect((await decide('prices')).status).toBe(200);
  });

  it('says in its record and in the list how far its release is', async () => {
    const harness = await startRunning();
    await decided(harness, { variant: 'cheap' });
    const states = async () => {
      const { body: one } = await harness.dev('GET', '/experiments/prices');
      const { body: list } = await harness.dev('GET', '/experiments');
      expect(list.experiments[0].decision).toEqual(one.decision);
      return [one.decision.variant, one.decision.releaseState];
    };
    expect(await states()).toEqual(['cheap', 'draft']);
    expect((await harness.dev('POST', '/releases/1/live', {})).status).toBe(200);
    expect(await states()).toEqual(['cheap', 'live']);
  });

  it('is kept without a release where the rule is gone already', async () => {
    const harness = await startRunning();
    const asked = await publish(harness, []);
    await publish(harness, [], { confirm: asked.body.digest });
    expect(await decided(harness, { variant: 'cheap' })).toMatchObject({
      ...{ release: null, promoted: null },
      experiment: {
        state: 'decided',
        decision: { variant: 'cheap', release: null, releaseState: null },
      },
    });
  });
});
