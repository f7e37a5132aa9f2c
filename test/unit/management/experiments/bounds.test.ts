/** Phases and log of an experiment are bounded where a publish adds to them as well, and the publish never fails of it. */
import { expect, it } from 'vitest';
import { frozenRuleOf } from '../../../../src/content/experiments/frozen-rule.js';
import { noLayers } from '../../../../src/content/layers.js';
import { experimentLogMax, experimentPhasesMax } from '../../../../src/contract/limits.js';
import { addToLog } from '../../../../src/management/store/experiments/experiment-log.js';
import {
  beginPhase,
  endPhase,
} from '../../../../src/management/store/experiments/experiment-phases.js';
import { tester } from '../harness.js';
import { priceTest, publish, startRunning } from './harness.js';

const prices = { environment: 'dev', id: 'prices' };

it('stops instead of beginning more phases than there may be', async () => {
  const harness = await startRunning();
  const rules = { mapping: Buffer.from(JSON.stringify([priceTest])), layers: noLayers };
  const rule = frozenRuleOf({ ...rules, conditionOf: () => null }, 'price-test');
  if (typeof rule === 'string') throw new Error(rule);
  await harness.store.write(tester, async (write) => {
    for (let number = 2; number <= experimentPhasesMax; number += 1) {
      await endPhase(write, prices);
      await beginPhase(write, prices, rule, 'Changed.');
    }
  });
  const changed = [{ ...priceTest, salt: 'exp-2' }];
  const asked = await publish(harness, changed);
  expect(asked.body.warnings[0].message).toContain('The experiment would stop');
  expect((await publish(harness, changed, { confirm: asked.body.digest })).status).toBe(200);
  const { body } = await harness.dev('GET', '/experiments/prices');
  expect(body).toMatchObject({ state: 'stopped', phase: experimentPhasesMax });
  expect(body.phases).toHaveLength(experimentPhasesMax);
  expect(body.log.at(-1).what).toContain('the experiment was stopped');
});

it('keeps the newest lines of its log, and the first', async () => {
  const harness = await startRunning();
  await harness.store.write(tester, async (write) => {
    for (let line = 2; line < experimentLogMax; line += 1) {
      await addToLog(write, prices, `Line ${line}.`);
    }
  });
  for (const price of [7, 8]) {
    const variants = priceTest.variants.map((one) => ({
      ...one,
      ...('merge' in one && { merge: { price } }),
    }));
    expect((await publish(harness, [{ ...priceTest, variants }])).status).toBe(200);
  }
  const { log } = (await harness.dev('GET', '/experiments/prices')).body;
  expect(log).toHaveLength(experimentLogMax);
  expect(log.map(({ what }: { what: string }) => what)).toEqual([
    'Created.',
    ...Array.from({ length: experimentLogMax - 3 }, (_, at) => `Line ${at + 3}.`),
    'What its variants change was edited.',
    'What its variants change was edited.',
  ]);
});
