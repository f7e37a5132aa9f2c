/** Experiments of one layer: no two that run share players, or split them at the same places. */
import { describe, expect, it } from 'vitest';
import { type Harness, startApi } from '../harness.js';
import { makeExperiment, priceTest, publish } from './harness.js';

const second = {
  ...{ ...priceTest, segment: 'gold-test', salt: 'exp-2' },
  variants: priceTest.variants.map(({ name, groups }) => ({ name, groups, merge: { gold: 5 } })),
};

/** Two experiments, each of a content of its own, in slices of one layer. */
async function startTwo(
  slices: readonly (readonly [number, number])[],
  salt = 'exp-2',
): Promise<Harness> {
  const harness = await startApi();
  await harness.dev('PUT', '/layers', { layers: [{ name: 'shop', salt: 'layer' }], holdout: null });
  await publish(harness, [{ ...priceTest, layer: 'shop', slice: slices[0] }]);
  await publish(harness, [{ ...second, layer: 'shop', slice: slices[1], salt }], {}, 'Bank');
  await makeExperiment(harness);
  await makeExperiment(harness, { id: 'gold', content: 'bank', segment: 'gold-test' });
  expect((await harness.dev('POST', '/experiments/prices/start', {})).status).toBe(200);
  return harness;
}

const start = ({ dev }: Harness) => dev('POST', '/experiments/gold/start', {});

describe('two experiments of one layer', () => {
  it('run beside each other in slices without a common bucket', async () => {
    const harness = await startTwo([
      [0, 199],
      [200, 399],
    ]);
    const started = await start(harness);
    expect(started.body).toMatchObject({ state: 'running', layer: 'shop', slice: [200, 399] });
  });

  it('do not where their slices overlap', async () => {
    const started = await start(
      await startTwo([
        [0, 200],
        [200, 399],
      ]),
    );
    expect([started.status, started.body.code]).toEqual([409, 'slices_overlap']);
    expect(started.body.experiments).toEqual(['gold', 'prices']);
  });

  it('do not with the same salt', async () => {
    const slices = [
      [0, 199],
      [200, 399],
    ] as const;
    const started = await start(await startTwo(slices, 'exp-1'));
    expect([started.status, started.body.code]).toEqual([409, 'salt_in_use']);
  });

  it('do not come to overlap while they run, confirmed or not', async () => {
    const harness = await startTwo([
      [0, 199],
      [200, 399],
    ]);
    await start(harness);
    const wider = [{ ...priceTest, layer: 'shop', slice: [0, 250] }];
    const saved = await publish(harness, wider, { confirm: 'x' });
    expect([saved.status, saved.body.code]).toEqual([409, 'slices_overlap']);
    const moved = [{ ...priceTest, layer: 'shop', slice: [400, 599] }];
    const asked = await publish(harness, moved);
    expect(asked.body.warnings[0].message).toContain('slice');
    expect((await publish(harness, moved, { confirm: asked.body.digest })).status).toBe(200);
  });

  it('may take over a slice once the other has stopped', async () => {
    const slices = [
      [0, 199],
      [0, 199],
    ] as const;
    const harness = await startTwo(slices);
    await harness.dev('POST', '/experiments/prices/stop', {});
    expect((await start(harness)).status).toBe(200);
  });
});
