import { describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

describe('a revert', () => {
  it('gives each content back what it had, in one sequence and as new revisions', async () => {
    const releases = await Releases.start();
    for (const id of ['changed', 'deleted']) await releases.put(id, '1');
    await releases.draft('changed', '2');
    await releases.draft('added', '1');
    const release = await releases.make(['changed', 'added']);
    const put = [{ kind: 'content', id: 'deleted', revision: null }];
    await releases.act(release, 'changes', { put });
    const { body: live } = await releases.act(release, 'live');
    expect(await deliveredOf(releases)).toEqual({ changed: '2', deleted: null, added: '1' });

    const { body } = await releases.act(release, 'revert', { reason: 'Wrong prices.' });
    expect(body).toMatchObject({ state: 'reverted', sequence: live.sequence + 1 });
    expect(await deliveredOf(releases)).toEqual({ changed: '1', deleted: '1', added: null });
    expect((await releases.api.dev('GET', '/contents/changed')).body).toMatchObject({
      ...{ live: 3, note: `Release ${release} was reverted.` },
    });
    expect((await releases.act(release, 'revert')).body.code).toBe('release_state');
  });

  it('names what was changed since, and takes it along only when it is forced', async () => {
    const releases = await Releases.start();
    await releases.put('offers', '1');
    await releases.draft('offers', '2');
    const release = await releases.make(['offers']);
    await releases.act(release, 'live');
    await releases.put('offers', '3');
    const rejected = await releases.act(release, 'revert');
    expect(rejected.body).toMatchObject({
      ...{ status: 409, code: 'release_conflict', errors: [{ path: 'offers' }] },
    });
    expect((await releases.delivered('offers')).live).toBe('3');
    const forced = await releases.act(release, 'revert', { force: true });
    expect(forced.body.state).toBe('reverted');
    expect((await releases.delivered('offers')).live).toBe('1');
  });

  it('keeps a segment that others have come to use', async () => {
    const releases = await Releases.start();
    const when = { 'p.country': 'DE' };
    await releases.api.dev('PUT', '/segments/home', { when, publish: false });
    const made = await releases.api.dev('POST', '/releases', {
      ...{ title: 'Home', changes: [{ kind: 'segment', name: 'home' }] },
    });
    await releases.act(made.body.release, 'live');
    const mapping = [{ segment: 'home', patch: [{ op: 'replace', path: '/a', value: 2 }] }];
    await releases.put('shop', '{"a":1}', { mapping });
    expect((await releases.act(made.body.release, 'revert')).body.state).toBe('reverted');
    expect((await releases.api.dev('GET', '/segments/home')).body.when).toEqual(when);
  });
});

async function deliveredOf(releases: Releases): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const id of ['changed', 'deleted', 'added']) {
    found[id] = (await releases.delivered(id)).live;
  }
  return found;
}
