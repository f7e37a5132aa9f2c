import { describe, expect, it } from 'vitest';
import { haltExperiments } from '../../../../src/management/experiments/halt-experiments.js';
import { changesAfter, tester } from '../harness.js';
import { startRunning } from './harness.js';

describe('after the store was restored', () => {
  it('no experiment runs by itself, its log says why, and delivery learns of it', async () => {
    const harness = await startRunning();
    const before = harness.published.at(-1) ?? 0;
    await harness.store.write(tester, ({ db, at }) => haltExperiments(db, at, 'It was restored.'));
    const { body } = await harness.dev('GET', '/experiments/prices');
    expect(body.state).toBe('stopped');
    expect(body.phases[0].endedAt).not.toBeNull();
    expect(body.log.at(-1)).toMatchObject({ user: 'system', what: 'Stopped: It was restored.' });
    expect(await changesAfter(harness.store, before)).toMatchObject([
      { kind: 'environment', settings: { experiments: [] } },
    ]);
    expect((await harness.dev('POST', '/experiments/prices/start', {})).body.phase).toBe(2);
  });
});
