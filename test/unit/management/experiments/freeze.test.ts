/** What assigns the players of a running experiment to variants is frozen: whichever way it changes, it has to be confirmed. */
import { describe, expect, it } from 'vitest';
import { type Answer, changesAfter, type Harness, startApi } from '../harness.js';
import { makeExperiment, priceTest, publish, startRunning } from './harness.js';

const otherSalt = { ...priceTest, salt: 'exp-2' };

/** The digest of what has to be confirmed. */
function digestOf(answer: Answer): string {
  expect([answer.status, answer.body.code]).toEqual([409, 'confirmation_required']);
  const kinds = answer.body.warnings.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('experiment_changed');
  return answer.body.digest as string;
}

async function shown({ dev }: Harness, id = 'prices') {
  return (await dev('GET', `/experiments/${id}`)).body;
}

describe('a save that changes what assigns the players of a running experiment', () => {
  it.each([
    ['salt', otherSalt],
    ['condition', { ...priceTest, when: { level: 3 } }],
    ['window', { ...priceTest, from: '2026-02-01T00:00:00Z' }],
    [
      'variants and groups',
      {
        ...priceTest,
        variants: priceTest.variants.map((one, at) => ({ ...one, groups: [at, at] })),
      },
    ],
  ])('asks, and begins a new phase once it is confirmed: %s', async (what, rule) => {
    const harness = await startRunning();
    const before = harness.published.at(-1) ?? 0;
    const asked = await publish(harness, [rule]);
    const confirm = digestOf(asked);
    expect(asked.body.warnings[0].message).toContain(what);
    expect((await shown(harness)).phases).toHaveLength(1);
    expect((await publish(harness, [rule], { confirm })).status).toBe(200);
    const { phases, state, log } = await shown(harness);
    expect(state).toBe('running');
    expect(phases).toMatchObject([
      { number: 1, reason: 'Started.' },
      { number: 2, endedAt: null, reason: `Changed: ${what}.` },
    ]);
    expect(phases[0].endedAt).toBe(phases[1].startedAt);
    expect(log.at(-1).what).toBe(`Phase 2 began. Changed: ${what}.`);
    const changes = await changesAfter(harness.store, before);
    expect(changes).toContainEqual(
      expect.objectContaining({
        settings: expect.objectContaining({ experiments: [expect.objectContaining({ phase: 2 })] }),
      }),
    );
  });

  it('asks for each state anew', async () => {
    const harness = await startRunning();
    const confirm = digestOf(await publish(harness, [otherSalt]));
    const third = await publish(harness, [{ ...priceTest, salt: 'exp-3' }], { confirm });
    digestOf(third);
  });

  it('says so in a dry run, and lets a draft pass', async () => {
    const harness = await startRunning();
    const tried = await publish(harness, [otherSalt], { dryRun: true });
    expect(tried.body.confirmation).toMatchObject({ required: true });
    const draft = await publish(harness, [otherSalt], { publish: false });
    expect(draft.status).toBe(200);
    digestOf(await harness.dev('POST', '/contents/shop/publish', {}));
    expect((await shown(harness)).phases).toHaveLength(1);
  });

  it('passes when nothing of it assigns players: other rules, texts, what variants change', async () => {
    const harness = await startRunning();
    const [control, cheap] = priceTest.variants;
    const cheaper = { ...priceTest, variants: [control, { ...cheap, merge: { price: 2 } }] };
    const saved = await publish(harness, [
      { segment: 'all', when: {}, merge: { gold: 9 } },
      cheaper,
    ]);
    expect(saved.status).toBe(200);
    const { phases, log } = await shown(harness);
    expect(phases).toHaveLength(1);
    expect(log.at(-1).what).toBe('What its variants change was edited.');
  });

  it('stops the experiment where its rule, or its control, is gone', async () => {
    for (const rules of [[], [{ ...priceTest, variants: priceTest.variants.slice(1) }]]) {
      const harness = await startRunning();
      const asked = await publish(harness, rules);
      expect(asked.body.warnings[0].message).toContain('would stop');
      await publish(harness, rules, { confirm: digestOf(asked) });
      const { state, phases, log } = await shown(harness);
      expect([state, phases.length]).toEqual(['stopped', 1]);
      expect(log.at(-1).what).toContain('was removed: the experiment was stopped');
    }
  });
});

describe('other ways to change it', () => {
  it('a rollback asks, although the state was live before', async () => {
    const harness = await startApi();
    await publish(harness, [otherSalt]);
    await publish(harness, [priceTest]);
    await makeExperiment(harness);
    await harness.dev('POST', '/experiments/prices/start', {});
    const back = (more = {}) =>
      harness.dev('POST', '/contents/shop/rollback', { revision: 1, ...more });
    expect((await back({ confirm: digestOf(await back()) })).status).toBe(200);
    expect((await shown(harness)).phase).toBe(2);
  });

  it('a saved segment that the rule names asks', async () => {
    const harness = await startApi();
    const { when: _, ...saved } = priceTest;
    await harness.dev('PUT', '/segments/price-test', { when: { level: 1 } });
    await publish(harness, [saved]);
    await makeExperiment(harness);
    await harness.dev('POST', '/experiments/prices/start', {});
    const put = (more = {}) =>
      harness.dev('PUT', '/segments/price-test', { when: { level: 2 }, ...more });
    expect((await put({ dryRun: true })).body.confirmation).toMatchObject({ required: true });
    expect((await put({ confirm: digestOf(await put()) })).status).toBe(200);
    expect((await shown(harness)).phases.at(-1).reason).toContain('its saved segment');
    const back = (more = {}) =>
      harness.dev('POST', '/segments/price-test/rollback', { revision: 1, ...more });
    expect((await back({ confirm: digestOf(await back()) })).status).toBe(200);
    expect((await shown(harness)).phase).toBe(3);
  });

  it('a sync asks', async () => {
    const harness = await startRunning();
    await harness.call('POST', '/admin/v1/environments', { id: 'staging' });
    const mapping = [otherSalt];
    const path = '/admin/v1/environments/staging/contents/shop';
    await harness.call('PUT', path, { text: '{"price":5}', mapping, publish: true });
    const sync = (more = {}) => harness.dev('POST', '/sync', { from: 'staging', ...more });
    expect((await sync({ dryRun: true })).body.confirmation).toMatchObject({ required: true });
    expect((await sync({ confirm: digestOf(await sync()) })).status).toBe(200);
    expect((await shown(harness)).phase).toBe(2);
  });

  it('a deletion of the content is rejected while it runs', async () => {
    const harness = await startRunning();
    const rejected = await harness.dev('DELETE', '/contents/shop');
    expect([rejected.status, rejected.body.code]).toEqual([409, 'experiment_running']);
    await harness.dev('POST', '/experiments/prices/stop', {});
    expect((await harness.dev('DELETE', '/contents/shop')).status).toBe(200);
  });
});

describe('a release that changes a running experiment', () => {
  async function makeRelease(harness: Harness, steps: readonly unknown[]): Promise<void> {
    await publish(harness, [otherSalt], { publish: false });
    const changes = [{ kind: 'content', id: 'shop' }];
    await harness.dev('POST', '/releases', { title: 'Salt', changes, steps });
  }

  it('cannot ramp', async () => {
    const harness = await startRunning();
    await makeRelease(harness, [{ percent: 10, holdMinutes: 60 }]);
    const confirm = digestOf(await harness.dev('POST', '/releases/1/submit', {}));
    await harness.dev('POST', '/releases/1/submit', { confirm });
    const started = await harness.dev('POST', '/releases/1/start', { confirm });
    expect([started.status, started.body.code]).toEqual([409, 'experiment_running']);
    const at = '2027-01-01T00:00:00Z';
    const scheduled = await harness.dev('POST', '/releases/1/schedule', { at, confirm });
    expect([scheduled.status, scheduled.body.code]).toEqual([409, 'experiment_running']);
  });

  it('goes live at once when that is confirmed, and begins a new phase', async () => {
    const harness = await startRunning();
    await makeRelease(harness, []);
    const confirm = digestOf(await harness.dev('POST', '/releases/1/submit', {}));
    await harness.dev('POST', '/releases/1/submit', { confirm });
    expect((await harness.dev('POST', '/releases/1/live', {})).status).toBe(200);
    expect((await shown(harness)).phase).toBe(2);
  });

  it('begins another phase when it is reverted, without asking', async () => {
    const harness = await startRunning();
    await makeRelease(harness, []);
    const confirm = digestOf(await harness.dev('POST', '/releases/1/live', {}));
    expect((await harness.dev('POST', '/releases/1/live', { confirm })).status).toBe(200);
    expect((await harness.dev('POST', '/releases/1/revert', {})).status).toBe(200);
    expect((await shown(harness)).phases.map(({ salt }: { salt: string }) => salt)).toEqual([
      ...['exp-1', 'exp-2', 'exp-1'],
    ]);
  });
});
