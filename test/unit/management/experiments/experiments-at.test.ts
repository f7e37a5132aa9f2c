import { expect, it } from 'vitest';
import { listExperimentsAt } from '../../../../src/management/store/experiments/experiments-at.js';
import { openStore, startApi, startMs } from '../harness.js';
import { makeExperiment, priceTest, publish } from './harness.js';

it('an experiment that was started again ran in both of its phases, and not in between', async () => {
  let nowMs = startMs;
  const store = await openStore(undefined, () => nowMs);
  const api = await startApi({}, { store, now: () => nowMs });
  await publish(api, [priceTest]);
  await makeExperiment(api);
  const ran: Record<string, number> = {};
  const at = (ms: number) => store.read((db) => listExperimentsAt(db, 'dev', ms));
  for (const transition of ['start', 'stop', 'start', 'stop']) {
    nowMs += 60_000;
    const { body } = await api.dev('POST', `/experiments/prices/${transition}`, {});
    expect(body.state).toBe(transition === 'start' ? 'running' : 'stopped');
  }
  for (let minutes = 0; minutes <= 5; minutes += 1) {
    ran[minutes] = (await at(startMs + minutes * 60_000)).length;
  }
  expect(ran).toEqual({ 0: 0, 1: 1, 2: 0, 3: 1, 4: 0, 5: 0 });
  expect(await at(startMs + 60_000)).toEqual([
    { id: 'prices', contentLower: 'shop', segment: 'price-test' },
  ]);
});
