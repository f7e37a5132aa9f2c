/** Retention leaves alone what releases may still need. */
import { describe, expect, it } from 'vitest';
import {
  findOldRevisions,
  isExpired,
  listExpired,
} from '../../../../src/management/retention/rows.js';
import { findOldSegmentRevisions } from '../../../../src/management/store/segments/segment-revisions.js';
import { Releases } from './harness.js';

const shop = { environment: 'dev', idLower: 'shop' };

async function goingContents(releases: Releases): Promise<readonly number[]> {
  return (await releases.store.read((db) => findOldRevisions(db, shop, 1))).numbers;
}

async function goingSegments(releases: Releases): Promise<readonly number[]> {
  const old = await releases.store.read((db) => findOldSegmentRevisions(db, 1, 99));
  return old.map(({ number }) => number).sort();
}

describe('a revision of a content', () => {
  it('stays while a release that has not ended names it', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '1');
    await releases.draft('shop', '2');
    const release = await releases.make(['shop']);
    for (const text of ['3', '4']) await releases.put('shop', text);
    expect(await goingContents(releases)).toEqual([1, 3]);
    await releases.act(release, 'cancel');
    expect(await goingContents(releases)).toEqual([1, 2, 3]);
  });

  it('stays while reverting a live release would bring it back', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '1');
    await releases.draft('shop', '2');
    const release = await releases.make(['shop']);
    await releases.act(release, 'live');
    for (const text of ['3', '4']) await releases.draft('shop', text);
    expect(await goingContents(releases)).toEqual([3]);
    await releases.act(release, 'revert');
    expect(await goingContents(releases)).toEqual([1, 2, 3, 4]);
  });

  it('goes once something else is live, so that releases do not keep all history', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '1');
    await releases.draft('shop', '2');
    await releases.act(await releases.make(['shop']), 'live');
    await releases.put('shop', '3');
    expect(await goingContents(releases)).toEqual([1, 2]);
  });
});

it('a revision of a segment stays while a release may need it', async () => {
  const releases = await Releases.start();
  const { api } = releases;
  await api.dev('PUT', '/segments/us', { when: { n: 1 } });
  await api.dev('PUT', '/segments/us', { when: { n: 2 }, publish: false });
  const changes = [{ kind: 'segment', name: 'us' }];
  const { release } = (await api.dev('POST', '/releases', { title: 'Us', changes })).body;
  for (const n of [3, 4]) await api.dev('PUT', '/segments/us', { when: { n }, publish: false });
  expect(await goingSegments(releases)).toEqual([3]);
  await releases.act(release, 'live');
  expect(await goingSegments(releases)).toEqual([3]);
  await api.dev('PUT', '/segments/us', { when: { n: 5 } });
  expect(await goingSegments(releases)).toEqual([1, 2, 3, 4]);
});

it('a deleted content stays while a release would bring it back', async () => {
  const releases = await Releases.start();
  await releases.put('shop', '1');
  await releases.api.dev('DELETE', '/contents/shop');
  const before = releases.nowMs + 1;
  const expired = (): Promise<readonly [number, boolean]> =>
    releases.store.read(async (db) => [
      (await listExpired(db, before, 99)).length,
      await isExpired(db, shop, before),
    ]);
  expect(await expired()).toEqual([1, true]);
  const body = { title: 'Back', changes: [{ kind: 'content', id: 'shop', revision: 1 }] };
  const { release } = (await releases.api.dev('POST', '/releases', body)).body;
  expect(await expired()).toEqual([0, false]);
  await releases.act(release, 'cancel');
  expect(await expired()).toEqual([1, true]);
});
