import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../src/content/hash.js';
import { runHousekeeping } from '../../../../src/management/housekeeping-run.js';
import type { Store } from '../../../../src/management/store/store.js';
import { systemActor } from '../../../../src/management/store/write.js';
import { TextStage } from '../../../../src/management/transfer/text-stage.js';
import { openStore, startMs, tester } from '../harness.js';

const one = Buffer.from('1');

async function textsOf(store: Store): Promise<string[]> {
  const rows = await store.read((db) => db.selectFrom('texts').select('digest').execute());
  return rows.map((row) => row.digest);
}

function keepHouse(store: Store): Promise<unknown> {
  const rules = { revisionsKept: null, deletedDaysKept: null };
  const { signal } = new AbortController();
  return runHousekeeping({
    store,
    rules,
    actor: systemActor,
    dryRun: false,
    nowMs: startMs,
    signal,
  });
}

describe('texts that are stored ahead of an import', () => {
  it('survive housekeeping until the import has ended, and not longer', async () => {
    const store = await openStore();
    const [first, second] = [new TextStage(store, tester), new TextStage(store, tester)];
    for (const stage of [first, second]) {
      await stage.put(digestOf(one), one);
      await stage.flush();
    }
    first.release();
    await keepHouse(store);
    expect(await textsOf(store)).toEqual([digestOf(one)]);
    second.release();
    await keepHouse(store);
    expect(await textsOf(store)).toEqual([]);
  });

  it('are written in parts, each once, and take no sequence', async () => {
    const store = await openStore();
    const before = await store.sequence();
    const stage = new TextStage(store, tester);
    const texts = Array.from({ length: 5 }, (_, index) => Buffer.alloc(400_000, index + 48));
    for (const text of [...texts, ...texts]) await stage.put(digestOf(text), text);
    // The third text filled the first part.
    expect(await textsOf(store)).toHaveLength(3);
    await stage.flush();
    expect(await textsOf(store)).toHaveLength(5);
    expect(await store.sequence()).toBe(before);
    stage.release();
  });
});
