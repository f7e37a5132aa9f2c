import { expect, it } from 'vitest';
import {
  findOldRevisions,
  isExpired,
  listExpired,
} from '../../../../src/management/retention/rows.js';
import { findOldSegmentRevisions } from '../../../../src/management/store/segments/segment-revisions.js';
import { Releases } from './harness.js';

const content = { environment: 'dev', idLower: 'offers' };

it('retention keeps what a release would deliver, and what its revert would give back', async () => {
  const releases = await Releases.start();
  await releases.put('offers', '1');
  await releases.draft('offers', '2');
  for (const country of ['DE', 'FR']) {
    const when = { 'p.country': country };
    await releases.api.dev('PUT', '/segments/home', { when, publish: country === 'DE' });
  }
  const made = await releases.api.dev('POST', '/releases', {
    title: 'Home',
    changes: [
      { kind: 'content', id: 'offers' },
      { kind: 'segment', name: 'home' },
    ],
  });
  await releases.draft('offers', '3');
  const old = async () =>
    releases.store.read(async (db) => ({
      content: (await findOldRevisions(db, content, 1)).numbers,
      segment: (await findOldSegmentRevisions(db, 1, 10)).map(({ number }) => number),
    }));
  expect(await old()).toEqual({ content: [], segment: [] });

  await releases.act(made.body.release, 'live');
  // The revert would give revision 1 of both back.
  expect(await old()).toEqual({ content: [], segment: [] });
  await releases.act(made.body.release, 'revert');
  expect(await old()).toEqual({ content: [1, 2, 3], segment: [1, 2] });
});

it('retention keeps each revision between what is live and what a release would deliver: its author cannot approve', async () => {
  const releases = await Releases.start();
  await releases.put('offers', '1');
  for (const text of ['2', '3', '4']) await releases.draft('offers', text);
  for (const country of ['DE', 'FR', 'IT', 'ES']) {
    const when = { 'p.country': country };
    await releases.api.dev('PUT', '/segments/home', { when, publish: country === 'DE' });
  }
  const changes = [
    { kind: 'content', id: 'offers', revision: 3 },
    { kind: 'segment', name: 'home', revision: 3 },
  ];
  await releases.api.dev('POST', '/releases', { title: 'Home', changes });
  await releases.draft('offers', '5');
  const when = { 'p.country': 'PT' };
  await releases.api.dev('PUT', '/segments/home', { when, publish: false });
  const old = await releases.store.read(async (db) => ({
    content: (await findOldRevisions(db, content, 1)).numbers,
    segment: (await findOldSegmentRevisions(db, 1, 10)).map(({ number }) => number),
  }));
  expect(old).toEqual({ content: [4], segment: [4] });
});

it('a deleted content stays while a release would bring it back', async () => {
  const releases = await Releases.start();
  await releases.put('shop', '1');
  await releases.api.dev('DELETE', '/contents/shop');
  const before = releases.nowMs + 1;
  const expired = (): Promise<readonly [number, boolean]> =>
    releases.store.read(async (db) => [
      (await listExpired(db, before, 99)).length,
      await isExpired(db, { environment: 'dev', idLower: 'shop' }, before),
    ]);
  expect(await expired()).toEqual([1, true]);
  const body = { title: 'Back', changes: [{ kind: 'content', id: 'shop', revision: 1 }] };
  const { release } = (await releases.api.dev('POST', '/releases', body)).body;
  expect(await expired()).toEqual([0, false]);
  await releases.act(release, 'cancel');
  expect(await expired()).toEqual([1, true]);
});
