/** Metrics and plans of experiments travel with an export; what was found with them stays. */
import { describe, expect, it } from 'vitest';
import type { Answer, Harness } from '../harness.js';
import { priceTest, publish, startRunning } from './harness.js';

const ndjson = { 'content-type': 'application/x-ndjson' };

async function exported({ dev }: Harness): Promise<string> {
  return (await dev('GET', '/export')).text;
}

async function imported(
  harness: Harness,
  file: string,
  query = '',
  environment = 'copy',
): Promise<Pick<Answer, 'status' | 'body'>> {
  const path = `/admin/v1/environments/${environment}/import${query}`;
  const response = await fetch(harness.url + path, {
    ...{ method: 'POST', body: file },
    headers: { ...ndjson, authorization: 'Bearer owner-token-of-the-tests' },
  });
  return { status: response.status, body: await response.json() };
}

/** With a metric, and an experiment that runs and names it. */
async function filled(): Promise<Harness> {
  const harness = await startRunning();
  await harness.dev('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase', trusted: true });
  await harness.dev('PATCH', '/experiments/prices', { primaryMetric: 'revenue', plannedDays: 21 });
  await harness.call('POST', '/admin/v1/environments', { id: 'copy' });
  return harness;
}

describe('an export', () => {
  it('brings metrics and, as drafts, plans of experiments; the same comes out again', async () => {
    const harness = await filled();
    const file = await exported(harness);
    const done = await imported(harness, file);
    expect(done.body).toMatchObject({
      ...{ metrics: [{ name: 'revenue', change: 'added' }], experiments: ['prices'] },
    });
    const copy = '/admin/v1/environments/copy';
    expect((await harness.call('GET', `${copy}/experiments/prices`)).body).toMatchObject({
      ...{ state: 'draft', phase: 0, plannedDays: 21, primaryMetric: 'revenue', phases: [] },
      ...{ salt: 'exp-1', log: [{ what: 'Imported.' }] },
    });
    const again = (await harness.call('GET', `${copy}/export`)).text;
    expect(again).toBe(file.replace('"id":"dev","name":"dev"', '"id":"copy","name":"copy"'));
    const second = await imported(harness, file);
    expect(second.body).toMatchObject({ metrics: [], experiments: [], contents: [] });
  });

  it('leaves experiments that are there as they are, and replaces definitions of metrics', async () => {
    const harness = await filled();
    const file = await exported(harness);
    await harness.dev('PUT', '/metrics/revenue', { kind: 'count', event: 'purchase' });
    const done = await imported(harness, file, '', 'dev');
    expect(done.body).toMatchObject({
      ...{ metrics: [{ name: 'revenue', change: 'changed' }], experiments: [] },
    });
    const { body } = await harness.dev('GET', '/experiments/prices');
    expect(body.state).toBe('running');
    expect(body.log.at(-1).what).toContain('definition of the metric');
  });

  it('says in a dry run what would come, and is rejected with a line twice', async () => {
    const harness = await filled();
    const file = await exported(harness);
    const tried = await imported(harness, file, '?dryRun=true');
    expect(tried.body).toMatchObject({ experiments: ['prices'] });
    expect((await harness.call('GET', '/admin/v1/environments/copy/metrics')).body.metrics).toEqual(
      [],
    );
    const [line = ''] = file.split('\n').filter((one) => one.includes('"kind":"metric"'));
    const twice = await imported(harness, file.replace(line, `${line}\n${line}`));
    expect([twice.status, twice.body.code]).toEqual([400, 'invalid_import']);
  });

  it('leaves out an experiment whose content is not there, and says so', async () => {
    const harness = await filled();
    const lines = (await exported(harness)).split('\n').filter((line) => line !== '');
    const kept = lines.filter((line) => !line.includes('"kind":"content"'));
    const file = `${kept.join('\n')}\n`.replace('"contents":1', '"contents":0');
    const done = await imported(harness, file);
    expect(done.body).toMatchObject({ experiments: [] });
    expect(done.body.warnings.map(({ message }: { message: string }) => message)).toContain(
      'the experiment "prices" is left out: its content "Shop" is not there',
    );
  });
});

describe('an import that changes a running experiment', () => {
  it('asks in a dry run and when it is done, and begins a new phase', async () => {
    const harness = await filled();
    const file = (await exported(harness)).replaceAll('exp-1', 'exp-2');
    const tried = await imported(harness, file, '?dryRun=true', 'dev');
    expect(tried.body.confirmation).toMatchObject({ required: true });
    const asked = await imported(harness, file, '', 'dev');
    expect([asked.status, asked.body.code]).toEqual([409, 'confirmation_required']);
    const done = await imported(harness, file, `?confirm=${asked.body.digest}`, 'dev');
    expect(done.status).toBe(200);
    expect((await harness.dev('GET', '/experiments/prices')).body.phase).toBe(2);
  });
});

describe('a sync', () => {
  it('leaves metrics and experiments where they are, and takes layers and rules along', async () => {
    const harness = await filled();
    const layers = { layers: [{ name: 'shop', salt: 'layer' }], holdout: null };
    await harness.dev('PUT', '/layers', layers);
    const rule = { ...priceTest, segment: 'other', salt: 'exp-9', layer: 'shop', slice: [0, 99] };
    await publish(harness, [priceTest, rule]);
    const copy = '/admin/v1/environments/copy';
    expect((await harness.call('POST', `${copy}/sync`, { from: 'dev' })).status).toBe(200);
    expect((await harness.call('GET', `${copy}/layers`)).body.layers).toEqual(layers.layers);
    expect((await harness.call('GET', `${copy}/experiments`)).body.experiments).toEqual([]);
    expect((await harness.call('GET', `${copy}/metrics`)).body.metrics).toEqual([]);
  });
});
