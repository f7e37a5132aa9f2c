/** Counts of assigned users on their way through the store: parts that are merged by union, folded, and read. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AssignedSketch } from '../../../../src/content/sketch/assigned-sketch.js';
import { encodeSketch } from '../../../../src/content/sketch/sketch-bytes.js';
import { UserHash } from '../../../../src/content/sketch/user-hash.js';
import { assignedFolding } from '../../../../src/management/experiments/assigned/assigned-folding.js';
import { AssignedReports } from '../../../../src/management/experiments/assigned/assigned-reports.js';
import { readAssigned } from '../../../../src/management/experiments/assigned/read-assigned.js';
import type { Store } from '../../../../src/management/store/store.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { systemActor } from '../../../../src/management/store/unit-of-work.js';
import type { AssignedReport } from '../../../../src/published/barrier.js';
import { startRunning } from './harness.js';

const log = pino({ level: 'silent' });
const hash = new UserHash(Buffer.alloc(8, 5));
const variants = ['control', 'cheap'];
const phase = { environment: 'dev', experiment: 'prices', phase: 1 };
const later = 1_000_000_000;

/** Users `from` to below `to`, in turn in either variant. */
function report(
  day: string,
  from: number,
  to: number,
  more: Partial<AssignedReport> = {},
): AssignedReport {
  const sketch = new AssignedSketch(variants);
  for (let user = from; user < to; user += 1) {
    hash.hash(`user-${user}`);
    sketch.add(user % 2, hash.high, hash.low);
  }
  const users = Buffer.from(encodeSketch(sketch)).toString('base64');
  return { ...phase, day, users, ...more };
}

function reportsOf(store: Pick<Store, 'write'>, node = 'one', bytesMax?: number): AssignedReports {
  const parts = { store, log, node, everyMs: later };
  const reports = new AssignedReports(bytesMax === undefined ? parts : { ...parts, bytesMax });
  onTestFinished(() => reports.close());
  return reports;
}

async function written(store: Store, node: string, ...all: AssignedReport[]): Promise<void> {
  const reports = reportsOf(store, node);
  for (const one of all) reports.add(one);
  await reports.write();
}

const rowsOf = (store: Store) =>
  store.read((db) =>
    db
      .selectFrom('assignedCounts')
      .select(['day', 'node', 'number'])
      .orderBy('day')
      .orderBy('node')
      .execute(),
  );

/** Exact numbers of the sample by variant. */
async function sampled(store: Store): Promise<(number | undefined)[]> {
  const read = await readAssigned(store, phase);
  return variants.map((name) => read?.sample.find(({ variant }) => variant === name)?.users);
}

async function daily(store: Store): Promise<string[]> {
  const read = await readAssigned(store, phase);
  return (read?.days ?? []).map(({ day, variant, users }) => `${day} ${variant} ${users}`);
}

const fold = (store: Store, now: string): Promise<void> =>
  assignedFolding(store, log, () => Date.parse(now)).tryNow();

describe('counts of assigned users', () => {
  it('are read by union over servers, processes and days', async () => {
    const { store } = await startRunning();
    expect(await readAssigned(store, phase)).toBeNull();
    await written(store, 'one', report('2026-01-01', 0, 60), report('2026-01-02', 40, 80));
    // Another process of the server, and another server, that have met some of the same users.
    await written(store, 'one', report('2026-01-01', 20, 70));
    await written(store, 'two', report('2026-01-01', 50, 90));
    expect(await sampled(store)).toEqual([45, 45]);
    expect(await daily(store)).toEqual([
      '2026-01-01 control 45',
      // An estimate: two of the users have one register.
      '2026-01-01 cheap 44',
      '2026-01-02 control 20',
      '2026-01-02 cheap 20',
    ]);
    const read = await readAssigned(store, phase);
    expect(read?.nodes).toEqual(['one', 'two']);
    expect(read?.variants.map(({ users }) => users)).toEqual([45, 45]);
    expect(await readAssigned(store, { ...phase, phase: 2 })).toBeNull();
  });

  it('do not change when a report is merged for the second time', async () => {
    const { store } = await startRunning();
    const one = report('2026-01-01', 0, 500);
    await written(store, 'one', one);
    const before = await readAssigned(store, phase);
    expect(await sampled(store)).toEqual([250, 250]);
    await written(store, 'one', one, one);
    await fold(store, '2026-01-01T12:00:00Z');
    await written(store, 'one', one);
    await fold(store, '2026-01-09T12:00:00Z');
    await written(store, 'one', one);
    expect(await readAssigned(store, phase)).toEqual(before);
  });

  it('are the same before and after they are folded, and take one row a day', async () => {
    const { store } = await startRunning();
    for (const node of ['one', 'two']) {
      for (let at = 0; at < 5; at += 1) {
        await written(store, node, report('2026-01-01', at * 10, at * 10 + 15));
        await written(store, node, report('2026-01-02', at * 10, at * 10 + 30));
      }
    }
    const before = await readAssigned(store, phase);
    expect(await rowsOf(store)).toHaveLength(20);
    await fold(store, '2026-01-02T23:00:00Z');
    expect(await rowsOf(store)).toEqual([
      { day: '2026-01-01', node: 'one', number: 0 },
      { day: '2026-01-01', node: 'two', number: 0 },
      { day: '2026-01-02', node: 'one', number: 0 },
      { day: '2026-01-02', node: 'two', number: 0 },
    ]);
    expect(await readAssigned(store, phase)).toEqual(before);
    // The first day is over on every clock: its sample joins that of all days.
    await fold(store, '2026-01-04T00:00:00Z');
    expect(await rowsOf(store)).toEqual([
      { day: '', node: '', number: 0 },
      { day: '2026-01-01', node: 'one', number: -1 },
      { day: '2026-01-01', node: 'two', number: -1 },
      { day: '2026-01-02', node: 'one', number: 0 },
      { day: '2026-01-02', node: 'two', number: 0 },
    ]);
    expect(await readAssigned(store, phase)).toEqual(before);
    // A server that was cut off brings what it had counted of that day.
    await written(store, 'three', report('2026-01-01', 1_000, 1_010));
    await fold(store, '2026-01-05T00:00:00Z');
    await fold(store, '2026-01-05T00:00:00Z');
    expect(await sampled(store)).toEqual((before?.sample ?? []).map(({ users }) => users + 5));
    expect(await rowsOf(store)).toHaveLength(6);
  });

  it('are kept while the store is away, and written when it is back', async () => {
    const { store } = await startRunning();
    let isAway = true;
    const failing = {
      write: (async (actor, work) => {
        if (isAway) throw new StoreUnavailable('away');
        return store.write(actor, work);
      }) satisfies Store['write'],
    };
    const reports = reportsOf(failing);
    reports.add(report('2026-01-01', 0, 40));
    await reports.write();
    reports.add(report('2026-01-01', 20, 60));
    await reports.write();
    expect(await readAssigned(store, phase)).toBeNull();
    isAway = false;
    await reports.write();
    expect(await sampled(store)).toEqual([30, 30]);
    expect(await rowsOf(store)).toHaveLength(1);
    expect(reports.gauges[0]?.value).toBe(0);
  });

  it('have samples halved when they wait for too long, and are dropped when that is not enough', async () => {
    const { store } = await startRunning();
    const reports = reportsOf(store, 'one', 150_000);
    reports.add(report('2026-01-01', 0, 10_000));
    reports.add(report('2026-01-02', 0, 10));
    for (let day = 10; day < 20; day += 1) reports.add(report(`2026-01-${day}`, 0, 2));
    expect(reports.gauges[0]?.value).toBeGreaterThan(5);
    await reports.write();
    const first = (await daily(store)).slice(0, 2).map((text) => Number(text.split(' ')[2]));
    for (const users of first) expect(Math.abs(users - 5_000)).toBeLessThan(150);
    const [control, cheap] = (await sampled(store)) as [number, number];
    expect(control + cheap).toBeLessThan(5_100);
    expect(Math.abs(control - cheap)).toBeLessThan(300);
  });

  it('of an experiment that is gone are left out, and bytes that are no counts are refused', async () => {
    const { store } = await startRunning();
    const reports = reportsOf(store);
    reports.add(report('2026-01-01', 0, 40, { experiment: 'gone' }));
    reports.add(report('2026-01-01', 0, 40));
    reports.add({ ...phase, day: '2026-01-01', users: Buffer.from('no').toString('base64') });
    await reports.write();
    expect(reports.gauges[0]?.value).toBe(1);
    expect(await sampled(store)).toEqual([20, 20]);
  });

  it('that a later version has written stay as they are', async () => {
    const { store } = await startRunning();
    await written(store, 'one', report('2026-01-01', 0, 10), report('2026-01-01', 10, 20));
    await written(store, 'one', report('2026-01-01', 20, 30));
    const part = { ...phase, day: '2026-01-01', node: 'one', process: 'later', number: 1 };
    await store.write(systemActor, ({ db }) =>
      db
        .insertInto('assignedCounts')
        .values({ ...part, users: Buffer.of(2, 0) })
        .execute(),
    );
    await fold(store, '2026-01-01T12:00:00Z');
    expect(await rowsOf(store)).toHaveLength(2);
    expect(await sampled(store)).toEqual([15, 15]);
  });
});
