import { describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

const ramp = [{ percent: 10, holdMinutes: 10 }];
const mapping = [{ segment: 'home', patch: [{ op: 'replace', path: '/a', value: 2 }] }];

async function withSegment(): Promise<Releases> {
  const releases = await Releases.start();
  await releases.api.dev('PUT', '/segments/home', { when: { 'p.country': 'DE' } });
  await releases.put('shop', '{"a":1}', { mapping });
  return releases;
}

async function draftSegment(releases: Releases, name: string, country: string): Promise<void> {
  const when = { 'p.country': country };
  await releases.api.dev('PUT', `/segments/${name}`, { when, publish: false });
}

describe('a segment in a release', () => {
  it('reaches candidates only while the release ramps, and has their hashes', async () => {
    const releases = await withSegment();
    await draftSegment(releases, 'home', 'FR');
    const made = await releases.api.dev('POST', '/releases', {
      ...{ title: 'Home', changes: [{ kind: 'segment', name: 'home' }], steps: ramp },
    });
    const before = await releases.store.sequence();
    await releases.act(made.body.release, 'start');
    const published = await releases.publishedAfter(before);
    expect(published.get('segment home')).toMatchObject({
      ...{ when: '{"p.country":"DE"}', candidate: '{"p.country":"FR"}' },
    });
    const ramping = published.get('content shop');
    if (ramping?.kind !== 'content') throw new Error('the content is in the reach');
    const candidateHash = ramping.candidate?.content?.lines[0]?.hash;
    expect(candidateHash).not.toBe(ramping.lines[0]?.hash);

    const { body } = await releases.act(made.body.release, 'live');
    const after = await releases.publishedAfter(body.sequence - 1);
    expect(after.get('segment home')).toMatchObject({
      ...{ when: '{"p.country":"FR"}', candidate: null },
    });
    // Candidates have what is live from now on, so that they need not fetch it again.
    expect(after.get('content shop')).toMatchObject({
      ...{ lines: [{ hash: candidateHash }], candidate: null },
    });
  });

  it('comes with the content that needs it, in one check and one sequence', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '{"a":1}');
    await draftSegment(releases, 'home', 'DE');
    await releases.draft('shop', '{"a":1}', { mapping });
    const alone = await releases.make(['shop']);
    const rejected = await releases.act(alone, 'live');
    expect(rejected.body).toMatchObject({ status: 400, code: 'release_invalid' });
    expect(rejected.body.errors[0].path).toBe('shop/mapping[0].segment');

    const put = [{ kind: 'segment', name: 'home' }];
    await releases.act(alone, 'changes', { put });
    const before = await releases.store.sequence();
    const { body } = await releases.act(alone, 'live');
    expect(body).toMatchObject({ state: 'live', sequence: before + 1 });
    expect([...(await releases.publishedAfter(before)).keys()]).toEqual([
      ...['segment home', 'content shop'],
    ]);

    // The segment was not there before, and nothing else uses it.
    const reverted = await releases.act(alone, 'revert');
    expect(reverted.body.state).toBe('reverted');
    expect([...(await releases.publishedAfter(before + 1)).keys()]).toEqual([
      ...['segment-removed home', 'content shop'],
    ]);
    expect((await releases.api.dev('GET', '/contents/shop')).body.mapping).toEqual([]);
  });

  it('has its condition back after a revert', async () => {
    const releases = await withSegment();
    await draftSegment(releases, 'home', 'FR');
    const made = await releases.api.dev('POST', '/releases', {
      ...{ title: 'Home', changes: [{ kind: 'segment', name: 'home' }] },
    });
    const hashBefore = await hashOf(releases);
    await releases.act(made.body.release, 'live');
    expect(await hashOf(releases)).not.toBe(hashBefore);
    await releases.act(made.body.release, 'revert');
    expect(await hashOf(releases)).toBe(hashBefore);
    expect((await releases.api.dev('GET', '/segments/home')).body.when).toEqual({
      ...{ 'p.country': 'DE' },
    });
  });
});

async function hashOf(releases: Releases): Promise<string | undefined> {
  const found = (await releases.publishedAfter(0)).get('content shop');
  return found?.kind === 'content' ? found.lines[0]?.hash : undefined;
}
