import { describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

const ramp = [{ percent: 10, holdMinutes: 10 }];

describe('what a release was made for', () => {
  it('must still be live: an edit in between is a conflict until the change is rebased', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    const revision = await releases.draft('offers', '2');
    const release = await releases.make(['offers']);
    await releases.put('offers', '3');
    const shown = await releases.show(release);
    expect(shown.changes[0]).toMatchObject({ revision, base: 1, live: 3, conflict: true });
    const rejected = await releases.act(release, 'live');
    expect(rejected.body).toMatchObject({
      ...{ status: 409, code: 'release_conflict' },
      errors: [{ path: 'offers', message: 'was made for revision 1; live now: revision 3' }],
    });
    const name = { kind: 'content', id: 'OFFERS' };
    const rebased = await releases.act(release, 'changes', { rebase: [name] });
    expect(rebased.body.changes[0]).toMatchObject({ revision, base: 3, conflict: false });
    // What is live only ever has a higher number: the older text goes live as a new revision.
    const { body } = await releases.act(release, 'live');
    expect(body.state).toBe('live');
    expect((await releases.delivered('offers')).live).toBe('2');
    expect((await releases.api.dev('GET', '/contents/offers')).body).toMatchObject({
      ...{ live: 4, revision: 4 },
    });
  });

  it('is in conflict when the content was deleted, be it a draft', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    await releases.draft('news', '1');
    const release = await releases.make(['offers', 'news']);
    releases.pass(1_000);
    await releases.api.dev('DELETE', '/contents/offers');
    await releases.api.dev('DELETE', '/contents/news');
    const { body } = await releases.act(release, 'live');
    expect(body.code).toBe('release_conflict');
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['news', 'offers']);
    const rebase = ['offers', 'news'].map((id) => ({ kind: 'content', id }));
    await releases.act(release, 'changes', { rebase });
    expect((await releases.act(release, 'live')).body.state).toBe('live');
    expect((await releases.delivered('offers')).live).toBe('2');
    expect((await releases.delivered('news')).live).toBe('1');
  });

  it('may be dropped', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    await releases.draft('news', '1');
    const release = await releases.make(['offers', 'news']);
    await releases.put('offers', '3');
    const drop = [{ kind: 'content', id: 'offers' }];
    expect((await releases.act(release, 'changes', { drop })).body.changes).toHaveLength(1);
    expect((await releases.act(release, 'changes', { drop })).body.code).toBe('invalid_body');
    expect((await releases.act(release, 'live')).body.state).toBe('live');
    expect((await releases.delivered('offers')).live).toBe('3');
  });
});

describe('two releases', () => {
  it('do not ramp together where they change the same content', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const first = await releases.make(['offers'], { steps: ramp });
    const second = await releases.make(['offers'], { steps: ramp });
    await releases.act(first, 'start');
    expect((await releases.show(second)).overlaps).toEqual([first]);
    for (const action of ['start', 'live']) {
      const { body } = await releases.act(second, action);
      expect(body).toMatchObject({ status: 409, code: 'release_active', release: first });
    }
    await releases.act(first, 'pause');
    expect((await releases.act(second, 'start')).body.code).toBe('release_active');
    await releases.act(first, 'stop');
    expect((await releases.act(second, 'start')).body.state).toBe('ramping');
  });

  it('do not ramp together where a changed segment is used by a content of the other', async () => {
    const releases = await Releases.start();
    const segment = (country: string) => ({ when: { 'p.country': country } });
    await releases.api.dev('PUT', '/segments/home', segment('DE'));
    const mapping = [{ segment: 'home', patch: [{ op: 'replace', path: '/a', value: 2 }] }];
    await releases.put('shop', '{"a":1}', { mapping });
    await releases.draft('shop', '{"a":3}', { mapping });
    await releases.api.dev('PUT', '/segments/home', { ...segment('FR'), publish: false });
    const made = await releases.api.dev('POST', '/releases', {
      title: 'Another home',
      changes: [{ kind: 'segment', name: 'home' }],
      steps: ramp,
    });
    expect(made.body.reach).toEqual({ contents: ['shop'], segments: ['home'] });
    const other = await releases.make(['shop'], { steps: ramp });
    await releases.act(made.body.release, 'start');
    expect((await releases.act(other, 'start')).body).toMatchObject({
      ...{ code: 'release_active', release: made.body.release },
    });
  });
});
