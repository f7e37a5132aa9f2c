/** Records of experiments: made, edited, started, stopped, removed; and what delivery learns of them. */
import { describe, expect, it } from 'vitest';
import { changesAfter, startApi, tokenOf } from '../harness.js';
import { makeExperiment, priceTest, publish, startRunning } from './harness.js';

describe('a record of an experiment', () => {
  it('is a draft that shows the rule as it is live', async () => {
    const harness = await startApi();
    await publish(harness, [priceTest]);
    const made = await makeExperiment(harness);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...{ id: 'prices', name: 'prices', content: 'Shop', state: 'draft', phase: 0 },
      ...{ salt: 'exp-1', layer: null, slice: null, plannedDays: 14, smallestEffect: 0.05 },
      variants: [
        { name: 'control', groups: [0, 499] },
        { name: 'cheap', groups: [500, 999] },
      ],
    });
    const listed = await harness.dev('GET', '/experiments');
    expect(listed.body.experiments).toMatchObject([{ id: 'prices', state: 'draft' }]);
    expect((await harness.dev('GET', '/experiments?state=running')).body.experiments).toEqual([]);
  });

  it('is made of a rule that is not there yet, with a warning', async () => {
    const harness = await startApi();
    await publish(harness, [priceTest]);
    const warnings = async (more: object) => {
      const { status, body } = await makeExperiment(harness, { ...more });
      expect(status).toBe(201);
      return body.warnings.map(({ message }: { message: string }) => message);
    };
    expect(await warnings({})).toEqual([]);
    expect(await warnings({ id: 'typo', segment: 'prize-test' })).toEqual([
      'No rule "prize-test" with variants is saved in "Shop": check the name, or save the rule.',
    ]);
    expect((await warnings({ id: 'b', control: 'nobody' }))[0]).toContain('no variant "nobody"');
    await publish(harness, [priceTest, { ...priceTest, segment: 'other', salt: 'exp-2' }], {
      publish: false,
    });
    expect((await warnings({ id: 'draft', segment: 'other' }))[0]).toContain('publish it first');
  });

  it('is rejected twice under one id, for a content that is not there, and with a metric that is not defined', async () => {
    const harness = await startApi();
    await publish(harness, [priceTest]);
    await makeExperiment(harness);
    expect((await makeExperiment(harness)).body.code).toBe('experiment_exists');
    const other = await makeExperiment(harness, { id: 'b', content: 'nothing' });
    expect(other.body.code).toBe('content_not_found');
    const third = await makeExperiment(harness, { id: 'c', primaryMetric: 'revenue' });
    expect([third.status, third.body.code]).toEqual([404, 'metric_not_found']);
    const reserved = await makeExperiment(harness, { id: 'interference' });
    expect(reserved.status).toBe(400);
  });

  it('is removed only before it was started', async () => {
    const harness = await startRunning();
    const rejected = await harness.dev('DELETE', '/experiments/prices');
    expect([rejected.status, rejected.body.code]).toEqual([409, 'experiment_running']);
    await makeExperiment(harness, { id: 'other' });
    expect((await harness.dev('DELETE', '/experiments/other')).status).toBe(200);
    expect((await harness.dev('GET', '/experiments/other')).body.code).toBe('experiment_not_found');
  });

  it('keeps changes of its plan in its log while it runs', async () => {
    const harness = await startRunning();
    await harness.dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
    const edit = { primaryMetric: 'revenue', smallestEffect: 0.1 };
    const edited = await harness.dev('PATCH', '/experiments/prices', edit);
    expect(edited.body).toMatchObject(edit);
    expect(edited.body.log.at(-1).what).toBe(
      'Changed: primary metric from none to "revenue"; smallest effect from 0.05 to 0.1.',
    );
    const control = await harness.dev('PATCH', '/experiments/prices', { control: 'nobody' });
    expect([control.status, control.body.code]).toEqual([409, 'experiment_rule']);
    const again = await harness.dev('PATCH', '/experiments/prices', edit);
    expect(again.body.log).toEqual(edited.body.log);
  });

  it('is read by viewers and written by editors', async () => {
    const harness = await startRunning();
    const viewer = await tokenOf(harness, 'viewer');
    expect((await harness.dev('GET', '/experiments/prices', undefined, viewer)).status).toBe(200);
    const stop = await harness.dev('POST', '/experiments/prices/stop', {}, viewer);
    expect(stop.status).toBe(403);
  });
});

describe('an experiment that starts', () => {
  it('needs a live rule with two variants, one of them its control', async () => {
    const harness = await startApi();
    const { variants, ...plain } = priceTest;
    await publish(harness, [], { publish: false });
    await makeExperiment(harness);
    const start = () => harness.dev('POST', '/experiments/prices/start', {});
    expect((await start()).body.detail).toContain('is not live');
    await publish(harness, [{ ...plain, merge: { price: 1 } }]);
    expect((await start()).body.detail).toContain('is live without variants');
    await publish(harness, [{ ...priceTest, variants: variants.slice(0, 1) }]);
    expect((await start()).body.detail).toContain('has one variant');
    await publish(harness, [priceTest, priceTest]);
    expect((await start()).body.detail).toContain('stands more than once');
    await publish(harness, [priceTest]);
    await harness.dev('PATCH', '/experiments/prices', { control: 'nobody' });
    const rejected = await start();
    expect([rejected.status, rejected.body.code]).toEqual([409, 'experiment_rule']);
  });

  it('takes a sequence, and delivery learns which rule is counted', async () => {
    const harness = await startApi();
    await publish(harness, [priceTest]);
    await makeExperiment(harness);
    const before = harness.published.at(-1) ?? 0;
    const started = await harness.dev('POST', '/experiments/prices/start', {});
    expect(started.body).toMatchObject({ state: 'running', phase: 1, sequence: before + 1 });
    expect(started.body.phases).toMatchObject([{ number: 1, endedAt: null, salt: 'exp-1' }]);
    expect(await changesAfter(harness.store, before)).toEqual([
      {
        ...{ kind: 'environment', environment: 'dev' },
        settings: {
          ...{ layers: [], holdout: null, takesEvents: true, metricEvents: [] },
          traffic: 'values',
          experiments: [
            {
              ...{ id: 'prices', phase: 1, content: 'shop', segment: 'price-test' },
              ...{ salt: 'exp-1', variants: ['control', 'cheap'] },
            },
          ],
        },
      },
    ]);
  });

  it('does so once, and beside no other of the same rule', async () => {
    const harness = await startRunning();
    const again = await harness.dev('POST', '/experiments/prices/start', {});
    expect([again.status, again.body.code]).toEqual([409, 'experiment_state']);
    await makeExperiment(harness, { id: 'second' });
    const second = await harness.dev('POST', '/experiments/second/start', {});
    expect([second.status, second.body.code]).toEqual([409, 'experiment_running']);
  });

  it('begins another phase when it is started again', async () => {
    const harness = await startRunning();
    const before = harness.published.at(-1) ?? 0;
    const stopped = await harness.dev('POST', '/experiments/prices/stop', { note: 'Too slow.' });
    expect(stopped.body).toMatchObject({ state: 'stopped', sequence: before + 1 });
    expect(stopped.body.phases[0].endedAt).not.toBeNull();
    const [change] = await changesAfter(harness.store, before);
    expect(change).toMatchObject({ settings: { experiments: [], takesEvents: false } });
    const again = await harness.dev('POST', '/experiments/prices/start', {});
    expect(again.body).toMatchObject({ state: 'running', phase: 2, stoppedAt: null });
    const texts = again.body.log.map(({ what }: { what: string }) => what);
    expect(texts).toEqual([
      'Created.',
      'Started.',
      'Stopped: Too slow.',
      'Started again: phase 2.',
    ]);
  });

  it('waits for a ramp that reaches its content', async () => {
    const harness = await startApi();
    await publish(harness, [priceTest]);
    await publish(harness, [priceTest], { text: '{"price":6}', publish: false });
    const steps = [{ percent: 10, holdMinutes: 60 }];
    const changes = [{ kind: 'content', id: 'shop' }];
    await harness.dev('POST', '/releases', { title: 'Ramp', changes, steps });
    await harness.dev('POST', '/releases/1/submit', {});
    expect((await harness.dev('POST', '/releases/1/start', {})).status).toBe(200);
    await makeExperiment(harness);
    const started = await harness.dev('POST', '/experiments/prices/start', {});
    expect([started.status, started.body.code]).toEqual([409, 'release_active']);
  });
});

describe('a metric', () => {
  it('is defined, replaced and listed with what a request leaves out', async () => {
    const { dev } = await startApi();
    const made = await dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...{ name: 'revenue', denominator: null, windowDays: null, day: null, direction: 'up' },
      ...{ trusted: false, cap: { perUserDay: null, winsorise: 0.999 } },
    });
    const conversion = { kind: 'conversion', event: 'purchase', windowDays: 7 };
    expect((await dev('PUT', '/metrics/buyers', conversion)).body.cap.winsorise).toBeNull();
    const replaced = await dev('PUT', '/metrics/revenue', {
      ...{ kind: 'sum', event: 'purchase', trusted: true, cap: { winsorise: null } },
    });
    expect(replaced.status).toBe(200);
    const listed = await dev('GET', '/metrics');
    expect(listed.body.metrics).toMatchObject([
      { name: 'buyers', windowDays: 7 },
      { name: 'revenue', trusted: true, cap: { winsorise: null } },
    ]);
  });

  it('has the members of its kind, and no others', async () => {
    const { dev } = await startApi();
    for (const metric of [
      { kind: 'ratio', event: 'purchase' },
      { kind: 'retention', event: 'any' },
      { kind: 'sum', event: 'purchase', windowDays: 7 },
      { kind: 'count', event: 'purchase', day: 7 },
    ]) {
      expect((await dev('PUT', '/metrics/m', metric)).status).toBe(400);
    }
  });

  it('stays while an experiment that has not ended names it', async () => {
    const harness = await startRunning();
    await harness.dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
    await harness.dev('PATCH', '/experiments/prices', { guardMetrics: ['revenue'] });
    const rejected = await harness.dev('DELETE', '/metrics/revenue');
    expect([rejected.status, rejected.body.code]).toEqual([409, 'metric_in_use']);
    await harness.dev('PUT', '/metrics/revenue', { kind: 'count', event: 'purchase' });
    const shown = await harness.dev('GET', '/experiments/prices');
    expect(shown.body.log.at(-1).what).toContain('definition of the metric "revenue"');
    await harness.dev('POST', '/experiments/prices/stop', {});
    expect((await harness.dev('DELETE', '/metrics/revenue')).status).toBe(200);
    expect((await harness.dev('DELETE', '/metrics/revenue')).body.code).toBe('metric_not_found');
  });

  it('has clients of its environment send events', async () => {
    const harness = await startApi();
    const before = harness.published.at(-1) ?? 0;
    await harness.dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
    const [made] = await changesAfter(harness.store, before);
    expect(made).toMatchObject({
      settings: { experiments: [], takesEvents: true, metricEvents: ['purchase'] },
    });
    await harness.dev('DELETE', '/metrics/revenue');
    const [, removed] = [0, (await changesAfter(harness.store, before + 1))[0]];
    expect(removed).toMatchObject({ settings: { takesEvents: false } });
  });
});
