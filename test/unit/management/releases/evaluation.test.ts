import { describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

const ramp = [{ percent: 50, holdMinutes: 10 }];
const mapping = [{ segment: 'home', merge: { home: true } }];
const user = { v: '1.0.0', p: { country: 'FR' } };

async function draftOfContentAndSegment(): Promise<[Releases, number]> {
  const releases = await Releases.start();
  const segment = (country: string) => ({ when: { country } });
  await releases.api.dev('PUT', '/segments/home', segment('DE'));
  await releases.put('shop', '{"a":1}', { mapping });
  await releases.draft('shop', '{"a":2}', { mapping });
  await releases.api.dev('PUT', '/segments/home', { ...segment('FR'), publish: false });
  const made = await releases.api.dev('POST', '/releases', {
    title: 'Home',
    changes: [
      { kind: 'content', id: 'shop' },
      { kind: 'segment', name: 'home' },
    ],
    steps: ramp,
  });
  return [releases, made.body.release];
}

describe('an evaluation', () => {
  it('shows a release as if it were live, with its segments', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    const live = await releases.api.dev('POST', '/evaluate', { id: 'shop', ...user });
    expect(live.body).toMatchObject({ release: null, answer: { data: { a: 1 } } });
    const tried = await releases.api.dev('POST', '/evaluate', { id: 'shop', release, ...user });
    expect(tried.body).toMatchObject({
      ...{ release, revision: 2, segments: [{ name: 'home', revision: 2 }] },
      answer: { data: { a: 2, home: true } },
    });
    const both = { id: 'shop', release, revision: 1 };
    expect((await releases.api.dev('POST', '/evaluate', both)).body.code).toBe('invalid_body');
    const unknown = { id: 'shop', release: 9 };
    expect((await releases.api.dev('POST', '/evaluate', unknown)).body.code).toBe(
      'release_not_found',
    );
  });

  it('shows the users that are in a ramp its candidate, and the others what is live', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    await releases.act(release, 'start');
    const seen = new Map<number | null, Set<number>>();
    for (let player = 0; player < 40; player++) {
      const body = { id: 'shop', u: `player-${player}`, ...user };
      const { body: shown } = await releases.api.dev('POST', '/evaluate', body);
      const values = seen.get(shown.release) ?? new Set();
      seen.set(shown.release, values.add(shown.answer.data.a));
    }
    expect(seen).toEqual(
      new Map([
        [release, new Set([2])],
        [null, new Set([1])],
      ]),
    );
    const anonymous = await releases.api.dev('POST', '/evaluate', { id: 'shop', ...user });
    expect(anonymous.body.release).toBe(null);
  });
});

describe('a preview', () => {
  it('compares what is live with what a release delivers', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    const head = JSON.stringify({ id: 'shop', release });
    const previewed = await releases.preview(`${head}\n${JSON.stringify({ u: 'a', ...user })}\n`);
    expect(previewed).toMatchObject({
      revision: 2,
      live: 1,
      contexts: 1,
      changed: { contexts: 1 },
    });
  });
});

/*
 * Four releases over one shop: 1 and 2 go live by themselves, 2 one day later; 3 has steps; 4 was made for what 2 replaces. The clock
 * stands at 1 January 2026, 00:00 UTC.
 */
describe('a time in the future', () => {
  const day = (date: number): string => `2026-01-0${date}T00:00:00Z`;
  const evaluated = async (releases: Releases, at: string, more: object = {}) =>
    (await releases.api.dev('POST', '/evaluate', { id: 'shop', at, ...user, ...more })).body;

  async function scheduled(): Promise<Releases> {
    const releases = await Releases.start();
    await releases.api.dev('PUT', '/segments/home', { when: { country: 'DE' } });
    await releases.put('shop', '{"a":1}', { mapping });
    await releases.put('other', '{}');
    await releases.draft('shop', '{"a":2}', { mapping });
    await releases.draft('other', '{"b":1}');
    const first = await releases.make(['shop']);
    await releases.act(first, 'schedule', { at: day(3) });
    await releases.api.dev('PUT', '/segments/home', { when: { country: 'FR' }, publish: false });
    const changes = [{ kind: 'segment', name: 'home' }];
    const { body } = await releases.api.dev('POST', '/releases', { title: 'Home', changes });
    await releases.act(body.release, 'schedule', { at: day(4) });
    const third = await releases.make(['other'], { steps: ramp });
    await releases.act(third, 'schedule', { at: day(3) });
    const fourth = await releases.make(['shop']);
    await releases.act(fourth, 'schedule', { at: day(5) });
    return releases;
  }

  it('shows what is live now with the scheduled releases that are live by then', async () => {
    const releases = await scheduled();
    const data = { a: 1 };
    expect(await evaluated(releases, day(2))).toMatchObject({ release: null, answer: { data } });
    expect(await evaluated(releases, day(3))).toMatchObject({
      ...{ release: 1, revision: 2, live: 1 },
      answer: { data: { a: 2 } },
    });
    expect(await evaluated(releases, day(4))).toMatchObject({
      ...{ release: 2, revision: 2, segments: [{ name: 'home', revision: 2 }] },
      answer: { data: { a: 2, home: true } },
    });
  });

  it('shows no release that would fail, and none that ramps', async () => {
    const releases = await scheduled();
    expect(await evaluated(releases, day(6))).toMatchObject({ release: 2 });
    expect(await evaluated(releases, day(6), { id: 'other' })).toMatchObject({
      ...{ release: null, revision: 1 },
    });
  });

  it('is what an edit is compared with', async () => {
    const releases = await scheduled();
    const previewed = (more: object) => {
      const head = JSON.stringify({ id: 'shop', ...more });
      return releases.preview(`${head}\n${JSON.stringify({ u: 'a', ...user })}\n`);
    };
    expect(await previewed({ at: day(4), revision: 1 })).toMatchObject({
      compared: { revision: 2, release: 2, segments: [{ name: 'home', revision: 2 }] },
      changes: [{ pointers: [{ path: '/a', before: '2', after: '1' }] }],
    });
    expect(await previewed({ at: day(2), revision: 2 })).toMatchObject({
      compared: { revision: 1, release: null },
    });
    expect(await previewed({ at: day(3), release: 1 })).toMatchObject({
      ...{ compared: { revision: 1, release: null }, changed: { contexts: 1 } },
    });
  });

  it('shows the revision or the edit that is named', async () => {
    const releases = await scheduled();
    const named = await evaluated(releases, day(4), { revision: 1 });
    expect(named).toMatchObject({ release: null, revision: 1 });
    const edited = await evaluated(releases, day(4), { text: '{"a":5}' });
    expect(edited).toMatchObject({ release: null, unsaved: true });
  });
});
