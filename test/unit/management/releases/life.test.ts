import { describe, expect, it } from 'vitest';
import { minuteMs, Releases } from './harness.js';

const ramp = [
  { percent: 1, holdMinutes: 10 },
  { percent: 50, holdMinutes: 60 },
];

it('the list has pages, newest first, and can leave out what is live or over', async () => {
  const releases = await Releases.start();
  await releases.draft('shop', '1');
  const draft = await releases.make(['shop']);
  const live = await releases.make(['shop']);
  const cancelled = await releases.make(['shop']);
  const newer = await releases.make(['shop']);
  const newest = await releases.make(['shop']);
  await releases.act(live, 'live');
  await releases.act(cancelled, 'cancel');
  const list = async (query: string): Promise<readonly [number[], number | null]> => {
    const { body } = await releases.api.dev('GET', `/releases?${query}`);
    return [body.releases.map((one: { release: number }) => one.release), body.next];
  };
  expect(await list('limit=3')).toEqual([[newest, newer, cancelled], cancelled]);
  expect(await list(`limit=3&before=${cancelled}`)).toEqual([[live, draft], null]);
  expect(await list('open=true&limit=2')).toEqual([[newest, newer], newer]);
  expect(await list(`open=true&limit=2&before=${newer}`)).toEqual([[draft], null]);
});

describe('a release', () => {
  it('makes all of its contents live in one sequence', async () => {
    const releases = await Releases.start();
    const ids = Array.from({ length: 500 }, (_, at) => `offer-${String(at).padStart(3, '0')}`);
    await releases.saveRows(new Map(ids.map((id) => [id, ['{"gold":1}', '{"gold":2}']])));
    const before = await releases.store.sequence();
    const release = await releases.make(ids);
    const { status, body } = await releases.act(release, 'live');
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'live' });
    expect(body.sequence).toBe(before + 1);
    const published = await releases.publishedAfter(before);
    expect(published.size).toBe(500);
    for (const change of published.values()) {
      expect(change).toMatchObject({ kind: 'content', candidate: null });
      if (change.kind !== 'content') continue;
      expect(Buffer.from(change.lines[0]?.json ?? []).toString()).toBe('{"gold":2}');
    }
  });

  it('ramps step by step, each with a sequence, and is live after the last step', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '{"gold":1}');
    await releases.draft('offers', '{"gold":2}');
    const release = await releases.make(['offers'], { steps: ramp });
    const started = await releases.act(release, 'start');
    expect(started.body).toMatchObject({
      ...{ state: 'ramping', percent: 1 },
      ramp: { run: 1, step: 0, percent: 1, next: { action: 'step' } },
    });
    expect(await releases.delivered('offers')).toEqual({
      ...{ live: '{"gold":1}', candidate: '{"gold":2}' },
    });

    const leader = releases.leader();
    releases.pass(10 * minuteMs - 1);
    await leader.runNow();
    expect((await releases.show(release)).percent).toBe(1);
    releases.pass(1);
    await leader.runNow();
    const stepped = await releases.show(release);
    expect(stepped).toMatchObject({ percent: 50, sequence: started.body.sequence + 1 });

    releases.pass(60 * minuteMs);
    await leader.runNow();
    expect(await releases.show(release)).toMatchObject({
      ...{ state: 'live', ramp: null, sequence: stepped.sequence + 1 },
    });
    expect(await releases.delivered('offers')).toEqual({
      live: '{"gold":2}',
      candidate: undefined,
    });
    expect(await releases.events(release)).toEqual([
      ...['release.create', 'release.start', 'release.step', 'release.live'],
    ]);
  });

  it('counts the time before a pause when it goes on', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers'], { steps: ramp });
    await releases.act(release, 'start');
    releases.pass(9 * minuteMs);
    const paused = await releases.act(release, 'pause', { reason: 'Somebody looks.' });
    expect(paused.body).toMatchObject({ state: 'paused', reason: 'Somebody looks.', percent: 1 });
    const leader = releases.leader();
    releases.pass(120 * minuteMs);
    await leader.runNow();
    expect((await releases.show(release)).state).toBe('paused');
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: '2' });

    await releases.act(release, 'resume');
    releases.pass(minuteMs - 1);
    await leader.runNow();
    expect((await releases.show(release)).percent).toBe(1);
    releases.pass(1);
    await leader.runNow();
    expect((await releases.show(release)).percent).toBe(50);
  });

  it('takes one step at most when the clock jumps, and none when it goes back', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers'], { steps: ramp });
    await releases.act(release, 'start');
    const leader = releases.leader();
    releases.pass(24 * 60 * minuteMs);
    await leader.runNow();
    expect((await releases.show(release)).percent).toBe(50);
    releases.pass(-30 * 24 * 60 * minuteMs);
    await leader.runNow();
    await releases.act(release, 'pause');
    await releases.act(release, 'resume');
    await leader.runNow();
    expect((await releases.show(release)).percent).toBe(50);
  });

  it('withdraws its candidate when it is stopped, and can be submitted again', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers'], { steps: ramp });
    const { body: started } = await releases.act(release, 'start');
    const { body } = await releases.act(release, 'stop', { reason: 'Crashes.' });
    expect(body).toMatchObject({
      ...{ state: 'stopped', reason: 'Crashes.', sequence: started.sequence + 1, percent: null },
    });
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: undefined });
    const edited = await releases.act(release, 'changes', {
      put: [{ kind: 'content', id: 'offers', revision: 2 }],
    });
    expect(edited.body.state).toBe('draft');
    const again = await releases.act(release, 'start');
    expect(again.body.ramp).toMatchObject({ run: 2, step: 0 });
  });

  it('stops by the body of an alert, and not by one that is resolved', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers'], { steps: ramp });
    await releases.act(release, 'start');
    const alert = (status: string) => ({
      ...{ version: '4', status, receiver: 'loadout' },
      alerts: [{ status, annotations: { summary: 'Crash rate is 3 %.' } }],
    });
    const resolved = await releases.api.dev('POST', '/releases/stop', alert('resolved'));
    expect(resolved.body.stopped).toEqual([]);
    const firing = await releases.api.dev('POST', '/releases/stop', alert('firing'));
    expect(firing.body.stopped).toEqual([release]);
    expect(await releases.show(release)).toMatchObject({
      ...{ state: 'stopped', reason: 'Crash rate is 3 %.' },
    });
  });

  it('is rejected in a wrong state, and with a version that is no longer so', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers']);
    expect((await releases.act(release, 'pause')).body).toMatchObject({
      ...{ status: 409, code: 'release_state', state: 'draft' },
    });
    expect((await releases.act(release, 'start')).body.code).toBe('release_state');
    expect((await releases.act(release, 'live', { ifVersion: 7 })).body.code).toBe(
      'release_changed',
    );
    expect((await releases.act(9, 'live')).body.code).toBe('release_not_found');
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: undefined });
  });
});
