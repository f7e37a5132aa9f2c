/** What a server of an older version wrote is completed: hashes that it did not know of, and revisions that it did not keep. */
import { expect, it } from 'vitest';
import { Problem } from '../../../../src/contract/problems.js';
import { saveContent } from '../../../../src/management/contents/save-content.js';
import { takeText } from '../../../../src/management/contents/text.js';
import { StateChecks } from '../../../../src/management/contents/validate/check-state.js';
import { nothingConfirmed } from '../../../../src/management/guards/confirmation.js';
import { defaultLimits } from '../../../../src/management/limits/bodies.js';
import {
  hashUnhashed,
  setHashRule,
} from '../../../../src/management/store/contents/state-hashes.js';
import { completeOlderWrites, isComplete } from '../../../../src/management/store/older-writes.js';
import {
  deleteSegment,
  putSegment,
} from '../../../../src/management/store/segments/save-segments.js';
import {
  findSegmentRevision,
  listSegmentRevisions,
} from '../../../../src/management/store/segments/segment-revisions.js';
import type { Store } from '../../../../src/management/store/store.js';
import { openStore, tester, workHere } from '../harness.js';
import { makeDev } from './stored-contents.js';

const checks = new StateChecks(workHere);
const mapping = Buffer.from('[{"segment":"us","when":{"country":"US"},"merge":{"n":2}}]');
const origin = { note: '', synced: null };
const us = { environment: 'dev', name: 'us', description: '' };

/** As a store is whose contents a server of schema 4 wrote, each with a mapping. */
async function olderStore(ids: readonly string[]): Promise<Store> {
  const store = await openStore();
  await makeDev(store);
  const place = { path: 'text', appVersion: '0.0.0' };
  const text = await takeText('{"n":1}', place, defaultLimits, workHere);
  if (text instanceof Problem) throw new Error(text.detail);
  for (const id of ids) {
    const lines = { areAll: false, texts: new Map([['0.0.0', text]]) };
    const edit = { lines, mapping, note: '', publish: true };
    const { value } = await store.write(tester, (write) =>
      saveContent(write, checks, 'dev', id, edit, nothingConfirmed),
    );
    if (value instanceof Problem) throw new Error(value.detail);
  }
  await store.write(tester, async (write) => {
    await setHashRule(write, 'json');
    await write.db.updateTable('revisionLines').set({ stateHash: null }).execute();
  });
  return store;
}

async function hashed(store: Store): Promise<number> {
  const rows = await store.read((db) =>
    db.selectFrom('revisionLines').select('number').where('stateHash', 'is not', null).execute(),
  );
  return rows.length;
}

it('hashes one content at least in each write, however little time there is', async () => {
  const store = await olderStore(['a', 'b', 'c']);
  await store.write(tester, (write) => setHashRule(write, 'changing'));
  const write = async (): Promise<boolean> =>
    (await store.write(tester, (each) => hashUnhashed(each, 0))).value;
  expect([await write(), await hashed(store)]).toEqual([false, 1]);
  expect([await write(), await hashed(store)]).toEqual([false, 2]);
  expect([await write(), await hashed(store)]).toEqual([true, 3]);
  await store.close();
});

it('comes to an end, and leaves the next time nothing to publish, with a list of no rules in a revision', async () => {
  const store = await olderStore(['a']);
  await store.write(tester, async (write) => {
    const [{ digest }] = (await write.db
      .selectFrom('revisions')
      .select('mapping as digest')
      .execute()) as [{ digest: string }];
    await write.db
      .updateTable('texts')
      .set({ bytes: Buffer.from('[]') })
      .where('digest', '=', digest)
      .execute();
  });
  const published: number[] = [];
  const publish = async (sequence: number): Promise<void> => void published.push(sequence);
  const { signal } = new AbortController();
  await completeOlderWrites({ store, publish, signal });
  expect(await store.read(isComplete)).toBe(true);
  const after = published.at(-1);
  await completeOlderWrites({ store, publish, signal });
  expect(published.at(-1)).toBe(after);
  await store.close();
});

it('keeps the condition that an older server saved when the segment is saved again, or deleted', async () => {
  const store = await olderStore([]);
  const conditionNow = (condition: string) =>
    store.write(tester, (write) =>
      write.db.updateTable('segments').set({ condition }).where('name', '=', 'us').execute(),
    );
  await store.write(tester, (write) => putSegment(write, { ...us, condition: '{"a":1}' }, origin));
  await conditionNow('{"a":2}');
  await store.write(tester, (write) => putSegment(write, { ...us, condition: '{"a":3}' }, origin));
  await conditionNow('{"a":4}');
  await store.write(tester, (write) => deleteSegment(write, 'dev', 'us'));
  const kept = await store.read(async (db) => {
    const revisions = await listSegmentRevisions(db, 'dev', 'us', 100, 100);
    const found = revisions.map(({ number }) => findSegmentRevision(db, 'dev', 'us', number));
    return (await Promise.all(found)).map((revision) => revision?.condition);
  });
  expect(kept).toEqual(['{"a":4}', '{"a":3}', '{"a":2}', '{"a":1}']);
  await store.close();
});
