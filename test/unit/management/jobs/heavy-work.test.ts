/*
 * Goal: what a worker cannot do is refused in words its author can use; a fault of the server is told apart from it.
 */
import { describe, expect, it } from 'vitest';
import type { Work } from '../../../../src/management/jobs/work.js';
import {
  WorkFailed,
  WorkOverloaded,
  WorkTooLong,
} from '../../../../src/management/jobs/work-faults.js';
import { deferred } from '../../../support/wire/exchange.js';
import { startApi, workHere } from '../harness.js';

/** Fails at one task with what `fault` makes; does the others here, and notes which. */
function failingAt(task: string, fault: () => Error): Work & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    tasks: workHere.tasks,
    run: (name, input, timeMsMax) => {
      asked.push(name);
      if (name === task) return Promise.reject(fault());
      return workHere.run(name, input, timeMsMax);
    },
  };
}

const large = JSON.stringify({ filler: 'x'.repeat(100_000), price: 1 });
const outOfMemory = () =>
  new WorkFailed(Object.assign(new Error('limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));

describe('admin API: edits for a worker', () => {
  it('does small edits without one, and large ones and schemas with one', async () => {
    const work = failingAt('none', () => new Error());
    const api = await startApi({}, { work });
    const mapping = [{ segment: 's', when: {}, merge: { a: 1 } }];
    expect((await api.dev('PUT', '/contents/a', { text: '{}', mapping })).status).toBe(201);
    await api.dev('GET', '/contents/a/diff');
    expect(work.asked).toEqual([]);
    await api.dev('PUT', '/contents/b', { text: large, mapping });
    expect(work.asked).toEqual(['prepareText', 'validateState']);
    await api.dev('GET', '/contents/b/diff');
    await api.dev('PUT', '/contents/a', { schema: true });
    expect(work.asked.slice(2)).toEqual(['diffLine', 'validateState']);
  });

  it('has a state judged once, however often it is published again', async () => {
    const work = failingAt('none', () => new Error());
    const api = await startApi({}, { work });
    await api.dev('PUT', '/contents/a', { text: '{}', schema: true });
    await api.dev('PUT', '/contents/a', { text: '[]' });
    for (const revision of [1, 2, 1, 2]) {
      expect((await api.dev('POST', '/contents/a/rollback', { revision })).status).toBe(200);
    }
    await api.dev('DELETE', '/contents/a');
    await api.dev('POST', '/contents/a/restore');
    expect(work.asked).toEqual(['validateState', 'validateState']);
  });

  it.each([
    ['a text', 'prepareText', { text: large }],
    ['a check', 'validateState', { text: '{}', schema: true }],
  ])('refuses %s that needs too much memory or time', async (_what, task, body) => {
    for (const fault of [outOfMemory, () => new WorkTooLong(60_000)]) {
      const api = await startApi({}, { work: failingAt(task, fault) });
      const refused = await api.dev('PUT', '/contents/a', body);
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('too_costly');
      expect((await api.dev('GET', '/contents/a')).status).toBe(404);
    }
  });

  it('says what to look for when a schema takes too long', async () => {
    const api = await startApi({}, { work: failingAt('validateState', () => new WorkTooLong(1)) });
    const refused = await api.dev('PUT', '/contents/a', { text: '{}', schema: true });
    expect(refused.body.detail).toContain('"pattern" that backtracks');
    const mapping = [{ segment: 's', when: {}, merge: { a: 1 } }];
    const slow = await api.dev('PUT', '/contents/a', { text: large, mapping });
    expect(slow.body.detail).toContain('too many rules');
  });

  it('lets no write wait for a state that was not judged ahead', async () => {
    const gate = deferred<void>();
    const judged = deferred<void>();
    let ahead = 0;
    const work: Work = {
      tasks: workHere.tasks,
      run: (name, input, options) => {
        // Within a write: the checks of others have the workers.
        if (options?.waitMsMax === 0) return Promise.reject(new WorkOverloaded());
        if (name !== 'validateState' || ++ahead !== 2) return workHere.run(name, input);
        judged.resolve();
        return gate.promise.then(() => workHere.run(name, input));
      },
    };
    const api = await startApi({}, { work });
    await api.dev('PUT', '/contents/a', { text: '{}', schema: true });
    const slow = api.dev('PUT', '/contents/a', { text: '[1]', appVersion: '1.0.0' });
    await judged.promise;
    const other = await api.dev('PUT', '/contents/a', { text: '[2]', appVersion: '2.0.0' });
    expect(other.status).toBe(200);
    gate.resolve();
    const refused = await slow;
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect((await api.dev('GET', '/contents/a')).body.newest).toBe(2);
    const again = await api.dev('PUT', '/contents/a', { text: '[1]', appVersion: '1.0.0' });
    expect(again.status).toBe(200);
  });

  it('answers 500 without a word of what failed when a worker is at fault', async () => {
    const secret = () => new WorkFailed(new Error('at /srv/loadout/secret.js'));
    const api = await startApi({}, { work: failingAt('prepareText', secret) });
    const failed = await api.dev('PUT', '/contents/a', { text: large });
    expect(failed.status).toBe(500);
    expect(failed.body.code).toBe('internal');
    expect(failed.text).not.toContain('secret');
  });
});
