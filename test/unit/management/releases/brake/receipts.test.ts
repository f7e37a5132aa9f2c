/** From what delivery processes report to a release that is stopped, on the store. */
import { describe, expect, it } from 'vitest';
import { receiptTriesMax } from '../../../../../src/management/limits/releases.js';
import { Brakes } from '../../../../../src/management/releases/brake/brakes.js';
import {
  type CountLimits,
  countUsers,
} from '../../../../../src/management/releases/brake/count-users.js';
import { countedUserRetention } from '../../../../../src/management/releases/brake/counted-user-retention.js';
import { ReceiptReports } from '../../../../../src/management/releases/brake/receipt-reports.js';
import { systemActor } from '../../../../../src/management/store/unit-of-work.js';
import type { CountedUser, ReceiptBatch } from '../../../../../src/published/barrier.js';
import { minuteMs, Releases } from '../harness.js';

const silent = { warn: (entry: unknown) => expect(entry).toBeUndefined() };

/** Their hashes are spread as those of users are. */
function hashOf(user: number): string {
  return ((BigInt(user) * 0x9e3779b97f4a7c15n) % 2n ** 64n).toString(16).padStart(16, '0');
}

interface Told extends Partial<Omit<CountedUser, 'userHash' | 'startedAt'>> {
  readonly startedAt?: number | null;
}

class Ramp {
  readonly releases: Releases;
  readonly release: number;

  private constructor(releases: Releases, release: number) {
    this.releases = releases;
    this.release = release;
  }

  static async start(more: object = {}): Promise<Ramp> {
    const releases = await Releases.start();
    await releases.put('shop', '{"price":1}');
    await releases.draft('shop', '{"price":2}');
    const release = await releases.make(['shop'], {
      steps: [
        { percent: 1, holdMinutes: 60 },
        { percent: 50, holdMinutes: 60 },
      ],
      brake: { receipts: { minutes: 10 } },
      ...more,
    });
    expect((await releases.act(release, 'start')).status).toBe(200);
    return new Ramp(releases, release);
  }

  user(user: number, told: Told = {}): CountedUser {
    const { slice = 'candidate', network = hashOf(user), ok = null } = told;
    const { startedAt = this.releases.nowMs } = told;
    return { userHash: hashOf(user), slice, network, startedAt, ok };
  }

  async report(
    users: readonly CountedUser[],
    more: Partial<ReceiptBatch> = {},
    limits?: CountLimits,
  ): Promise<void> {
    const batch = { environment: 'dev', release: `${this.release}`, run: 1, step: 0, users };
    const { store } = this.releases;
    const before = await store.sequence();
    await store.write(systemActor, (write) => countUsers(write, { ...batch, ...more }, limits));
    expect(await store.sequence()).toBe(before);
  }

  /** Users of both slices start, and some never reach the menu. */
  async players(first: number, each: number, missing: { candidate: number; control: number }) {
    for (const slice of ['candidate', 'control'] as const) {
      const from = first + (slice === 'candidate' ? 0 : each);
      const users = Array.from({ length: each }, (_, at) =>
        this.user(from + at, { slice, ok: at < missing[slice] ? null : true }),
      );
      await this.report(users);
    }
  }

  /** The time of all that have started is over. */
  passed(): void {
    this.releases.pass(11 * minuteMs);
  }

  async counts() {
    return (await this.releases.show(this.release)).ramp.counts;
  }

  async userHashes(): Promise<string[]> {
    const rows = await this.releases.store.read((db) =>
      db.selectFrom('releaseUsers').select('userHash').orderBy('userHash').execute(),
    );
    return rows.map(({ userHash }) => userHash);
  }

  /** Has the leader look once. */
  async look(): Promise<void> {
    const brakes = new Brakes(null, silent);
    await this.releases.leader(this.releases.store, brakes.trips).runNow();
  }
}

describe('a user', () => {
  it('is healthy, missing or waiting, and counted in the slice that it is in', async () => {
    const ramp = await Ramp.start();
    await ramp.report([
      ramp.user(1),
      ramp.user(2),
      ramp.user(3),
      ramp.user(4, { slice: 'control' }),
    ]);
    await ramp.report([ramp.user(1, { startedAt: null, ok: true })]);
    await ramp.report([ramp.user(2, { startedAt: null, ok: false })]);
    expect(await ramp.counts()).toEqual({
      candidate: { users: 3, healthy: 1, failed: 1, missing: 0, waiting: 2, networks: 3 },
      control: { users: 1, healthy: 0, failed: 0, missing: 0, waiting: 1, networks: 1 },
    });
    ramp.passed();
    expect(await ramp.counts()).toMatchObject({
      candidate: { users: 3, healthy: 1, failed: 1, missing: 2, waiting: 0 },
      control: { missing: 1, waiting: 0 },
    });
  });

  it('stays what it first was', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1, { ok: true }), ramp.user(2, { ok: false })]);
    await ramp.report([ramp.user(1, { ok: false }), ramp.user(2, { ok: true })]);
    expect((await ramp.counts()).candidate).toMatchObject({ users: 2, healthy: 1, failed: 1 });
  });

  it('has failed when it starts again before the first start was confirmed', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1)]);
    ramp.releases.pass(20_000);
    await ramp.report([ramp.user(1, { ok: true })]);
    expect((await ramp.counts()).candidate).toMatchObject({ healthy: 0, failed: 1 });
  });

  it('is missing whatever comes once its time has passed', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1)]);
    ramp.passed();
    await ramp.report([ramp.user(1, { startedAt: null, ok: true })]);
    expect((await ramp.counts()).candidate).toMatchObject({ healthy: 0, missing: 1 });
  });

  it('is not counted without a start, nor in another run or step, nor in a release that does not ramp', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1, { startedAt: null, ok: true })]);
    await ramp.report([ramp.user(2)], { step: 1 });
    await ramp.report([ramp.user(3)], { run: 2 });
    await ramp.report([ramp.user(4)], { release: '99' });
    await ramp.report([ramp.user(4)], { environment: 'none' });
    expect(await ramp.userHashes()).toEqual([]);
    await ramp.releases.act(ramp.release, 'stop');
    await ramp.report([ramp.user(5)]);
    expect(await ramp.userHashes()).toEqual([]);
  });

  it('of an earlier step is forgotten with the first one of the next', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1)]);
    ramp.releases.pass(61 * minuteMs);
    await ramp.look();
    await ramp.report([ramp.user(2)], { step: 1 });
    expect(await ramp.userHashes()).toEqual([hashOf(2)]);
  });

  it('of a ramp that is over is forgotten', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1), ramp.user(2)]);
    await countedUserRetention(ramp.releases.store, silent).runNow();
    expect(await ramp.userHashes()).toHaveLength(2);
    await ramp.releases.act(ramp.release, 'stop');
    await countedUserRetention(ramp.releases.store, silent).runNow();
    expect(await ramp.userHashes()).toEqual([]);
  });
});

describe('of too many users', () => {
  const all = Array.from({ length: 200 }, (_, at) => at + 1);

  it('those with the lower hashes are counted, from then on too', async () => {
    const ramp = await Ramp.start();
    const limits = { users: 100, usersPerNetwork: 100 };
    await ramp.report(
      all.map((user) => ramp.user(user)),
      {},
      limits,
    );
    const lowest = all.map(hashOf).sort();
    const counted = await ramp.userHashes();
    expect(counted.length).toBeGreaterThan(25);
    expect(counted.length).toBeLessThanOrEqual(100);
    expect(counted).toEqual(lowest.slice(0, counted.length));
    const next = all.map((user) => ramp.user(user + 1_000, { slice: 'control' }));
    await ramp.report(next, {}, { users: 1_000, usersPerNetwork: 100 });
    const highest = (await ramp.userHashes()).at(-1) as string;
    expect(highest < '8000000000000000').toBe(true);
  });

  it('those whose time has passed without a healthy start stay', async () => {
    const ramp = await Ramp.start();
    await ramp.report([ramp.user(1), ramp.user(2, { ok: true }), ramp.user(3, { ok: false })]);
    ramp.passed();
    await ramp.report(
      all.slice(10).map((user) => ramp.user(user)),
      {},
      {
        ...{ users: 10, usersPerNetwork: 100 },
      },
    );
    expect(await ramp.userHashes()).toEqual(expect.arrayContaining([hashOf(1), hashOf(3)]));
  });

  it('of one network those with the lowest hashes are counted', async () => {
    const ramp = await Ramp.start();
    const network = hashOf(0);
    const limits = { users: 1_000, usersPerNetwork: 20 };
    const others = Array.from({ length: 30 }, (_, at) => ramp.user(1_000 + at));
    await ramp.report([...all.map((user) => ramp.user(user, { network })), ...others], {}, limits);
    const lowest = all.map(hashOf).sort().slice(0, 20);
    const expected = [...lowest, ...others.map(({ userHash }) => userHash)].sort();
    expect(await ramp.userHashes()).toEqual(expected);
  });
});

describe('a ramp', () => {
  it('goes on while both slices are missing alike', async () => {
    const ramp = await Ramp.start();
    await ramp.players(1, 500, { candidate: 40, control: 40 });
    ramp.passed();
    await ramp.look();
    const { state, ramp: shown } = await ramp.releases.show(ramp.release);
    expect(state).toBe('ramping');
    expect(shown.evidence).toMatchObject({ limit: 200 });
    expect(shown.evidence.value).toBeLessThan(1);
  });

  it('is stopped when users of the candidate are missing, with the figures', async () => {
    const ramp = await Ramp.start();
    await ramp.players(1, 500, { candidate: 120, control: 20 });
    await ramp.look();
    expect((await ramp.releases.show(ramp.release)).state).toBe('ramping');
    ramp.passed();
    await ramp.look();
    const { state, reason } = await ramp.releases.show(ramp.release);
    expect(state).toBe('stopped');
    expect(reason).toMatch(
      /^Of 500 players with the release, 120 have not confirmed a healthy start within 10 min; of 500 without it, 20\. They come from 500 and 500 networks\. The evidence is [\d,]+, and the limit 200\.$/,
    );
  });

  it('says before its start how many players each step needs', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '{"price":1}');
    const steps = [
      { percent: 1, holdMinutes: 1 },
      { percent: 100, holdMinutes: 1 },
    ];
    const brake = { receipts: { minutes: 10 } };
    const { steps: shown } = await releases.show(await releases.make(['shop'], { steps, brake }));
    expect(shown[0].users).toBeGreaterThan(1_000);
    expect(shown[1].users).toBeNull();
    const without = await releases.show(await releases.make(['shop'], { steps }));
    expect(without.steps).toEqual(steps);
  });

  it('is paused instead if its brake says so', async () => {
    const ramp = await Ramp.start({ brake: { receipts: { minutes: 10 }, action: 'pause' } });
    await ramp.players(1, 500, { candidate: 120, control: 20 });
    ramp.passed();
    await ramp.look();
    expect((await ramp.releases.show(ramp.release)).state).toBe('paused');
  });

  it('is stopped while it is paused as well', async () => {
    const ramp = await Ramp.start();
    await ramp.players(1, 500, { candidate: 120, control: 20 });
    await ramp.releases.act(ramp.release, 'pause');
    ramp.passed();
    await ramp.look();
    expect((await ramp.releases.show(ramp.release)).state).toBe('stopped');
  });

  it('compares nothing before each slice has 50 users, nor when everybody is in', async () => {
    const ramp = await Ramp.start();
    await ramp.players(1, 49, { candidate: 49, control: 0 });
    ramp.passed();
    expect((await ramp.releases.show(ramp.release)).ramp.evidence.value).toBe(1);
    const all = await Ramp.start({ steps: [{ percent: 100, holdMinutes: 60 }] });
    await all.players(1, 100, { candidate: 100, control: 0 });
    all.passed();
    expect((await all.releases.show(all.release)).ramp.evidence).toBeNull();
  });

  it('without receipts has no counts', async () => {
    const ramp = await Ramp.start({ brake: null });
    await ramp.report([ramp.user(1)]);
    expect(await ramp.userHashes()).toEqual([]);
    expect((await ramp.releases.show(ramp.release)).ramp).toMatchObject({
      counts: null,
      evidence: null,
    });
  });
});

describe('reports', () => {
  it('are written in the order in which they came, and again when the store was away', async () => {
    const ramp = await Ramp.start();
    const { store } = ramp.releases;
    let isAway = true;
    const reports = new ReceiptReports(
      {
        write: (actor, work) => {
          if (isAway) return Promise.reject(new Error('away'));
          return store.write(actor, work);
        },
      },
      { warn: () => undefined },
      60_000,
    );
    const batch = { environment: 'dev', release: `${ramp.release}`, run: 1, step: 0 };
    reports.add([{ ...batch, users: [ramp.user(1)] }]);
    reports.add([{ ...batch, users: [ramp.user(1, { startedAt: null, ok: true })] }]);
    await reports.write();
    expect(await ramp.userHashes()).toEqual([]);
    isAway = false;
    await reports.close();
    expect((await ramp.counts()).candidate).toMatchObject({ users: 1, healthy: 1 });
  });

  it('of a healthy start wait for that of the start, which another process makes', async () => {
    const ramp = await Ramp.start();
    const reports = new ReceiptReports(ramp.releases.store, silent, 60_000);
    const batch = { environment: 'dev', release: `${ramp.release}`, run: 1, step: 0 };
    reports.add([{ ...batch, users: [ramp.user(1, { startedAt: null, ok: true })] }]);
    await reports.write();
    expect(await ramp.userHashes()).toEqual([]);
    reports.add([{ ...batch, users: [ramp.user(1)] }]);
    await reports.write();
    expect((await ramp.counts()).candidate).toMatchObject({ users: 1, healthy: 1 });
    // One without a start is given up, and leaves room for others.
    reports.add([{ ...batch, users: [ramp.user(2, { startedAt: null, ok: true })] }]);
    for (let write = 0; write < receiptTriesMax; write++) await reports.write();
    reports.add([{ ...batch, users: [ramp.user(2)] }]);
    await reports.close();
    expect((await ramp.counts()).candidate).toMatchObject({ users: 2, healthy: 1 });
  });
});
