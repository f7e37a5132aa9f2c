import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { digestOf } from '../../../../src/content/hash.js';
import { stagedTextsMsMax } from '../../../../src/management/limits/transfer.js';
import {
  type Removed,
  runHousekeeping,
} from '../../../../src/management/retention/housekeeping-run.js';
import { putText } from '../../../../src/management/store/contents/texts.js';
import type { Store } from '../../../../src/management/store/store.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { systemActor } from '../../../../src/management/store/unit-of-work.js';
import { TextStage } from '../../../../src/management/transfer/reading/text-stage.js';
import { openStore, startMs, temporaryFolder, tester } from '../harness.js';

const one = Buffer.from('1');

async function textsOf(store: Store): Promise<string[]> {
  const rows = await store.read((db) => db.selectFrom('texts').select('digest').execute());
  return rows.map((row) => row.digest);
}

/** As any server of a fleet does it: it knows of an import only what is in the store. */
function keepHouse(store: Store, nowMs: number = startMs): Promise<Removed> {
  const rules = { revisionsKept: null, deletedDaysKept: null };
  const { signal } = new AbortController();
  return runHousekeeping({ store, rules, actor: systemActor, dryRun: false, nowMs, signal });
}

async function heldBy(store: Store): Promise<number> {
  return (await store.read((db) => db.selectFrom('stagedTexts').select('digest').execute())).length;
}

describe('texts that are stored ahead of an import', () => {
  it('survive housekeeping until the import has ended, and not longer', async () => {
    const store = await openStore();
    const [first, second] = [new TextStage(store, tester), new TextStage(store, tester)];
    for (const stage of [first, second]) {
      await stage.put(digestOf(one), one);
      await stage.flush();
    }
    await first.release();
    await keepHouse(store);
    expect(await textsOf(store)).toEqual([digestOf(one)]);
    await second.release();
    await keepHouse(store);
    expect(await textsOf(store)).toEqual([]);
    expect(await heldBy(store)).toBe(0);
  });

  it('that were there already survive, too', async () => {
    const store = await openStore();
    await store.write(tester, (write) => putText(write, digestOf(one), one));
    const stage = new TextStage(store, tester);
    await stage.put(digestOf(one), one);
    await stage.flush();
    expect(await keepHouse(store)).toMatchObject({ texts: 0 });
    expect(await textsOf(store)).toEqual([digestOf(one)]);
  });

  it('are swept when the server of the import was killed, after a while and all of them', async () => {
    const file = join(temporaryFolder(), 'store.db');
    const stage = new TextStage(await openStore(file), tester);
    const texts = Array.from({ length: 450 }, (_, index) => Buffer.from(String(index)));
    for (const text of texts) await stage.put(digestOf(text), text);
    await stage.flush();
    const clock = { ms: startMs + stagedTextsMsMax - 1 };
    const other = await openStore(file, () => clock.ms);
    expect(await keepHouse(other, clock.ms)).toMatchObject({ texts: 0 });
    clock.ms += 1;
    expect(await keepHouse(other, clock.ms)).toMatchObject({ texts: 450 });
    expect(await heldBy(other)).toBe(0);
  });

  it('are released after a while when the store cannot be told, and the import ends as it did', async () => {
    const store = await openStore();
    const stage = new TextStage(store, tester);
    await stage.put(digestOf(one), one);
    await stage.flush();
    const write = vi.spyOn(store, 'write');
    write.mockRejectedValueOnce(new StoreUnavailable(new Error('the database is away')));
    await stage.release();
    expect(await heldBy(store)).toBe(1);
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
    await stage.release();
  });
});
