/**
 * What retention removes and what it never does. Method: rows of a real store, runs of housekeeping beside edits of
 * the same store.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Housekeeping } from '../../../../src/management/retention/housekeeping.js';
import {
  type Removed,
  type RetentionRules,
  runHousekeeping,
} from '../../../../src/management/retention/housekeeping-run.js';
import { setLive } from '../../../../src/management/store/contents/contents.js';
import {
  deleteSegment,
  putSegment,
} from '../../../../src/management/store/segments/save-segments.js';
import { listSegmentRevisions } from '../../../../src/management/store/segments/segment-revisions.js';
import type { Store } from '../../../../src/management/store/store.js';
import { systemActor } from '../../../../src/management/store/unit-of-work.js';
import { eventually } from '../../../support/eventually.js';
import { openStore, positionAt, startMs, temporaryFolder, tester } from '../harness.js';
import {
  makeContent,
  makeDev,
  numbersOf,
  saveRow,
  saveRows,
  textsOf,
} from '../store/stored-contents.js';

const dayMs = 24 * 60 * 60_000;
const keepAll: RetentionRules = { revisionsKept: null, deletedDaysKept: null };

async function storeWithDev(): Promise<Store> {
  const store = await openStore(join(temporaryFolder(), 'store.db'));
  await makeDev(store);
  return store;
}

function run(
  store: Store,
  rules: Partial<RetentionRules>,
  more: { dryRun?: boolean; nowMs?: number; signal?: AbortSignal } = {},
): Promise<Removed> {
  return runHousekeeping({
    store,
    rules: { ...keepAll, ...rules },
    actor: systemActor,
    dryRun: more.dryRun ?? false,
    nowMs: more.nowMs ?? startMs,
    signal: more.signal ?? new AbortController().signal,
  });
}

async function markDeleted(store: Store, id: string, liveBefore: number): Promise<void> {
  await store.write(tester, (write) =>
    write.db
      .updateTable('contents')
      .set({ live: null, liveBefore, deletedAt: startMs })
      .where('idLower', '=', id)
      .execute(),
  );
}

async function auditRows(store: Store): Promise<{ action: string; details: unknown }[]> {
  const rows = await store.read((db) =>
    db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('action', '=', 'retention.run')
      .execute(),
  );
  return rows.map(({ action, details }) => ({ action, details: JSON.parse(details) }));
}

const ten = Array.from({ length: 10 }, (_, index) => `"text ${index + 1}"`);

describe('revisions', () => {
  it('beyond the newest are removed with the texts that only they used, in one audited run', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    await makeContent(store, 'shared', ['"text 1"']);
    expect(await run(store, { revisionsKept: 3 })).toEqual({
      contents: 0,
      revisions: 7,
      texts: 6,
      textBytes: 6 * 8,
    });
    expect(await numbersOf(store, 'shop')).toEqual([8, 9, 10]);
    expect(await textsOf(store)).toEqual(['"text 1"', '"text 10"', '"text 8"', '"text 9"']);
    expect(await auditRows(store)).toEqual([
      {
        action: 'retention.run',
        details: {
          revisionsKept: 3,
          deletedDaysKept: null,
          removed: { contents: 0, revisions: 7, texts: 6, textBytes: 48 },
          contents: [],
        },
      },
    ]);
  });

  it('that are live stay, however old, and so does the newest', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    await store.write(tester, (write) => setLive(write, 'dev', 'shop', 2));
    await run(store, { revisionsKept: 1 });
    expect(await numbersOf(store, 'shop')).toEqual([2, 10]);
  });

  it('that bringing a deleted content back would publish stay', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    await markDeleted(store, 'shop', 4);
    await run(store, { revisionsKept: 1 });
    expect(await numbersOf(store, 'shop')).toEqual([4, 10]);
  });

  it('are all kept when nothing is said, and a run that removes nothing leaves no trace', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    const before = await store.sequence();
    expect(await run(store, {})).toEqual({ contents: 0, revisions: 0, texts: 0, textBytes: 0 });
    expect(await numbersOf(store, 'shop')).toHaveLength(10);
    expect(await auditRows(store)).toEqual([]);
    expect(await store.sequence()).toBe(before);
  });

  it('of more contents than one page are all looked at', async () => {
    const store = await storeWithDev();
    const contents = Array.from({ length: 1_100 }, (_, n) => {
      return [`c${String(n).padStart(4, '0')}`, [`"a${n}"`, `"b${n}"`]] as const;
    });
    await store.write(tester, (write) => saveRows(write, new Map(contents)));
    expect(await run(store, { revisionsKept: 1 }, { dryRun: true })).toMatchObject({
      revisions: 1_100,
    });
    expect(await run(store, { revisionsKept: 1 })).toMatchObject({
      revisions: 1_100,
      texts: 1_100,
    });
    expect(await numbersOf(store, 'c1099')).toEqual([2]);
    expect(await auditRows(store)).toHaveLength(1);
  });

  it('of one long history are all removed, though not in one write', async () => {
    const store = await storeWithDev();
    await makeContent(
      store,
      'shop',
      Array.from({ length: 950 }, (_, index) => `${index}`),
    );
    expect(await run(store, { revisionsKept: 5 })).toMatchObject({ revisions: 945, texts: 945 });
    expect(await numbersOf(store, 'shop')).toEqual([946, 947, 948, 949, 950]);
  });
});

describe('the history of segments and of what was live', () => {
  it('keeps the newest conditions of each segment, also of one that is deleted, and what was live with what is kept', async () => {
    const store = await storeWithDev();
    for (const name of ['vip', 'gone']) {
      for (let level = 1; level <= 5; level += 1) {
        await store.write(tester, (write) =>
          putSegment(
            write,
            { environment: 'dev', name, condition: `{"level":${level}}`, description: '' },
            { note: '', synced: null },
          ),
        );
      }
    }
    await store.write(tester, (write) => deleteSegment(write, 'dev', 'gone'));
    const numbers = async (name: string): Promise<number[]> => {
      const rows = await store.read((db) => listSegmentRevisions(db, 'dev', name, 99, 99));
      return rows.map(({ number }) => number);
    };
    expect((await run(store, { revisionsKept: 2 }, { dryRun: true })).revisions).toBe(6);
    expect((await run(store, { revisionsKept: 2 })).revisions).toBe(6);
    expect(await numbers('vip')).toEqual([5, 4]);
    expect(await numbers('gone')).toEqual([5, 4]);
    expect((await run(store, { revisionsKept: 2 })).revisions).toBe(0);
  });

  it('forgets what was live before anything that is kept was, and nothing in between', async () => {
    let nowMs = startMs;
    const store = await openStore(join(temporaryFolder(), 'store.db'), () => nowMs);
    await makeDev(store);
    for (let newest = 0; newest < 5; newest += 1) {
      nowMs = startMs + newest * dayMs;
      await store.write(tester, (write) => saveRow(write, 'shop', `${newest}`, newest));
    }
    await run(store, { revisionsKept: 2 });
    const rows = await store.read((db) =>
      db.selectFrom('publications').select(['at', 'number']).orderBy('at').execute(),
    );
    expect(rows).toEqual([
      { at: startMs + 3 * dayMs, number: 4 },
      { at: startMs + 4 * dayMs, number: 5 },
    ]);
  });
});

describe('deleted contents', () => {
  it('go with their history when their time is over, and are named in the audit', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'old', ten);
    await makeContent(store, 'shop', ['"kept"']);
    await markDeleted(store, 'old', 10);
    const early = await run(store, { deletedDaysKept: 90 }, { nowMs: startMs + 90 * dayMs });
    expect(early.contents).toBe(0);
    const removed = await run(store, { deletedDaysKept: 90 }, { nowMs: startMs + 90 * dayMs + 1 });
    expect(removed).toMatchObject({ contents: 1, revisions: 10, texts: 10 });
    expect(await numbersOf(store, 'old')).toEqual([]);
    expect(await textsOf(store)).toEqual(['"kept"']);
    expect((await auditRows(store))[0]?.details).toMatchObject({ contents: ['dev/old'] });
  });

  it('that were brought back stay', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    await markDeleted(store, 'shop', 10);
    await store.write(tester, (write) => setLive(write, 'dev', 'shop', 10));
    expect(await run(store, { deletedDaysKept: 0 }, { nowMs: startMs + dayMs })).toMatchObject({
      contents: 0,
      revisions: 0,
    });
  });
});

describe('a dry run', () => {
  it('counts what would go and removes nothing', async () => {
    const store = await storeWithDev();
    await makeContent(store, 'shop', ten);
    await makeContent(store, 'old', ['"old"']);
    await markDeleted(store, 'old', 1);
    const counted = await run(
      store,
      { revisionsKept: 4, deletedDaysKept: 1 },
      { dryRun: true, nowMs: startMs + 2 * dayMs },
    );
    expect(counted).toEqual({ contents: 1, revisions: 7, texts: 0, textBytes: 0 });
    expect(await numbersOf(store, 'shop')).toHaveLength(10);
    expect(await numbersOf(store, 'old')).toHaveLength(1);
    expect(await auditRows(store)).toEqual([]);
  });
});

describe('beside edits', () => {
  it('loses no text of a save, though saves take up texts that are being swept away', async () => {
    const store = await storeWithDev();
    // Fewer texts than saves: each is used, unused and used again by turns, and swept in between.
    const textOf = (number: number): string => `"${number % 60}"`;
    await makeContent(store, 'shop', ['"0"']);
    let over = false;
    let swept = 0;
    const sweeping = (async () => {
      while (!over) swept += (await run(store, { revisionsKept: 1 })).texts;
    })();
    let saved = 1;
    for (; saved < 3_000 && (swept < 100 || saved < 300); saved += 1) {
      const text = textOf(saved);
      const { sequence } = await store.write(tester, (write) =>
        saveRow(write, 'shop', text, saved),
      );
      const served = await store.readChanges(await positionAt(store, sequence - 1));
      const changes = typeof served === 'string' ? [] : served.changes;
      const change = changes.find(({ kind }) => kind === 'content');
      const line = change?.kind === 'content' ? change.lines[0] : undefined;
      expect(Buffer.from(line?.json ?? []).toString()).toBe(text);
      await pause(1);
    }
    over = true;
    await sweeping;
    expect(swept).toBeGreaterThanOrEqual(100);
    await run(store, { revisionsKept: 1 });
    expect(await textsOf(store)).toEqual([textOf(saved - 1)]);
  });
});

describe('the background', () => {
  it('refuses a second run beside the first, and ends a run when it is closed', async () => {
    const store = await storeWithDev();
    const texts = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    await makeContent(store, 'shop', texts);
    const rules = { revisionsKept: 1, deletedDaysKept: null };
    const log = pino({ level: 'silent' });
    const housekeeping = new Housekeeping({ store, rules, now: () => startMs, log });
    const wish = { actor: systemActor, rules, dryRun: false, msMax: null };
    const first = housekeeping.run(wish);
    expect(await housekeeping.run({ ...wish, dryRun: true })).toBeNull();
    await eventually('some are gone', 5_000, async () => (await auditRows(store)).length > 0);
    await housekeeping.close();
    const { removed, finished } = (await first) ?? { removed: null, finished: true };
    expect(finished).toBe(false);
    expect(removed?.revisions).toBeGreaterThan(0);
    expect(removed?.revisions).toBeLessThan(2_999);
    expect(await numbersOf(store, 'shop')).toHaveLength(3_000 - (removed?.revisions ?? 0));
  });

  it('ends a run early that somebody waits for, and the next ones go on until all is done', async () => {
    const store = await storeWithDev();
    const texts = Array.from({ length: 2_000 }, (_, index) => `${index}`);
    await makeContent(store, 'shop', texts);
    const rules = { revisionsKept: 1, deletedDaysKept: null };
    const log = pino({ level: 'silent' });
    const housekeeping = new Housekeeping({ store, rules, now: () => startMs, log });
    const wish = { actor: systemActor, rules, dryRun: false, msMax: 50 };
    let revisions = 0;
    let runs = 0;
    for (let finished = false; !finished && runs < 200; runs += 1) {
      const result = await housekeeping.run(wish);
      revisions += result?.removed.revisions ?? 0;
      finished = result?.finished === true;
    }
    expect(runs).toBeGreaterThan(1);
    expect(revisions).toBe(1_999);
    expect(await textsOf(store)).toEqual(['1999']);
  });
});
