import { describe, expect, it } from 'vitest';
import { startMs } from '../harness.js';
import { minuteMs, Releases } from './harness.js';

const ramp = [
  { percent: 10, holdMinutes: 10 },
  { percent: 100, holdMinutes: 10 },
];
const at = new Date(startMs + 60 * minuteMs).toISOString();

async function scheduled(more: object = { steps: ramp }): Promise<[Releases, number]> {
  const releases = await Releases.start();
  await releases.put('offers', '1');
  await releases.draft('offers', '2');
  const release = await releases.make(['offers'], more);
  const { body } = await releases.act(release, 'schedule', { at, toleranceMinutes: 30 });
  expect(body).toMatchObject({ state: 'scheduled', schedule: { at, toleranceMinutes: 30 } });
  return [releases, release];
}

describe('a schedule', () => {
  it('starts the release at its time, once', async () => {
    const [releases, release] = await scheduled();
    const leader = releases.leader();
    releases.pass(60 * minuteMs - 1);
    await leader.runNow();
    expect((await releases.show(release)).state).toBe('scheduled');
    releases.pass(1);
    await leader.runNow();
    await leader.runNow();
    expect(await releases.show(release)).toMatchObject({ state: 'ramping', schedule: null });
    expect((await releases.events(release)).filter((one) => one === 'release.start')).toHaveLength(
      1,
    );
  });

  it('makes a release without steps live', async () => {
    const [releases, release] = await scheduled({});
    releases.pass(60 * minuteMs);
    await releases.leader().runNow();
    expect((await releases.show(release)).state).toBe('live');
  });

  it('is kept after a restart that slept through it, within the tolerance', async () => {
    const [releases, release] = await scheduled();
    releases.pass(90 * minuteMs);
    await releases.leader(await releases.anotherStore()).runNow();
    expect((await releases.show(release)).state).toBe('ramping');
  });

  it('fails later than that, with a sentence, and can be submitted again', async () => {
    const [releases, release] = await scheduled();
    releases.pass(90 * minuteMs + 1);
    await releases.leader(await releases.anotherStore()).runNow();
    const failed = await releases.show(release);
    expect(failed).toMatchObject({ state: 'failed', schedule: null });
    expect(failed.reason).toMatch(/no server was there for more than 30 min/);
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: undefined });
  });

  it('fails with a conflict that it names', async () => {
    const [releases, release] = await scheduled();
    await releases.put('offers', '3');
    releases.pass(60 * minuteMs);
    await releases.leader().runNow();
    const failed = await releases.show(release);
    expect(failed.state).toBe('failed');
    expect(failed.reason).toMatch(/offers.*Rebase these changes or drop them/);
    expect(await releases.events(release)).toContain('release.fail');
  });

  it('can be taken back, and must lie in the future', async () => {
    const [releases, release] = await scheduled();
    const { body } = await releases.act(release, 'schedule', { at: null });
    expect(body).toMatchObject({ state: 'approved', schedule: null });
    releases.pass(2 * 60 * minuteMs);
    await releases.leader().runNow();
    expect((await releases.show(release)).state).toBe('approved');
    expect((await releases.act(release, 'schedule', { at })).body.code).toBe('invalid_body');
  });
});

describe('two leaders', () => {
  it('take one step between them', async () => {
    const [releases, release] = await scheduled();
    const leaders = [releases.leader(), releases.leader(await releases.anotherStore())];
    for (const state of ['ramping', 'ramping', 'live']) {
      releases.pass(60 * minuteMs);
      await Promise.all(leaders.map((leader) => leader.runNow()));
      expect((await releases.show(release)).state).toBe(state);
    }
    expect(await releases.events(release)).toEqual([
      ...['release.create', 'release.schedule', 'release.start', 'release.step', 'release.live'],
    ]);
  });
});

describe('a brake', () => {
  it('stops the ramp and says why', async () => {
    const brake = { receipts: { minutes: 10 } };
    const [releases, release] = await scheduled({ steps: ramp, brake });
    releases.pass(60 * minuteMs);
    const leader = releases.leader(releases.store, async (_db, { release: number }) =>
      number === release ? 'Too many crashes.' : null,
    );
    await leader.runNow();
    expect((await releases.show(release)).state).toBe('ramping');
    releases.pass(minuteMs);
    await leader.runNow();
    expect(await releases.show(release)).toMatchObject({
      ...{ state: 'stopped', reason: 'Too many crashes.' },
    });
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: undefined });
  });

  it('pauses it where the release says so', async () => {
    const brake = { action: 'pause', receipts: { minutes: 10 } };
    const [releases, release] = await scheduled({ steps: ramp, brake });
    releases.pass(60 * minuteMs);
    const leader = releases.leader(releases.store, async () => 'Too many crashes.');
    await leader.runNow();
    releases.pass(minuteMs);
    await leader.runNow();
    expect((await releases.show(release)).state).toBe('paused');
  });
});
