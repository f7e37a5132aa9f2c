import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openReleasesMax } from '../../../../src/contract/limits.js';
import { insertRelease } from '../../../../src/management/store/releases/releases.js';
import { type Answer, changesAfter, tester } from '../harness.js';
import { ReviewedGame } from './people.js';

const staging = '/admin/v1/environments/staging';
const german = { 'p.country': 'DE' };
const mapping = [{ segment: 'home', merge: { gold: 5 } }];
const release = { title: 'From staging' };

/** `staging` has another `shop`, with the segment `home`, and `events`, which the reviewed environment lacks. */
async function startReviewed({ review = 1 } = {}): Promise<ReviewedGame> {
  const game = await ReviewedGame.start(review);
  const { api } = game.releases;
  await api.call('POST', '/admin/v1/environments', { id: 'staging' });
  await api.call('PUT', `${staging}/segments/home`, { when: german });
  await api.call('PUT', `${staging}/contents/shop`, { text: '{"gold":2}', mapping, tags: ['x'] });
  await api.call('PUT', `${staging}/contents/events`, { text: '{}', description: 'What is on' });
  game.releases.pass(1);
  return game;
}

/** As ann, an editor. */
function sync(game: ReviewedGame, more: object = {}): Promise<Answer> {
  return game.as('ann', 'POST', '/sync', { from: 'staging', release, ...more });
}

describe('a sync into a release', () => {
  it('reaches players of a reviewed environment once a second person has approved it', async () => {
    const game = await startReviewed();
    const { releases } = game;
    const before = await releases.store.sequence();
    const { status, body } = await sync(game);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        added: [{ id: 'events' }],
        changed: [{ id: 'shop', fromRevision: 1, toRevision: 1 }],
        segments: [{ name: 'home', change: 'added' }],
        ...{ release: 1, dryRun: false, sequence: before },
      },
    });
    expect(await changesAfter(releases.store, before)).toEqual([]);
    expect((await game.as('ann', 'GET', '/contents/shop')).body.live).toBe(1);

    expect(await releases.show(1)).toMatchObject({
      ...{ title: 'From staging', state: 'draft', createdBy: 'ann' },
      changes: [
        { kind: 'content', id: 'events', revision: 1, base: null },
        { kind: 'content', id: 'shop', revision: 2, base: 1 },
        { kind: 'segment', name: 'home', revision: 1, base: null },
      ],
    });
    releases.pass(1);
    await game.as('ann', 'POST', '/releases/1/submit', {});
    releases.pass(1);
    expect((await game.approve('ann', 1)).status).toBe(403);
    expect((await game.approve('bob', 1)).status).toBe(200);
    const live = await game.as('ann', 'POST', '/releases/1/live', {});
    expect(live.body).toMatchObject({ state: 'live', sequence: before + 1 });
    expect([...(await releases.publishedAfter(before)).keys()].sort()).toEqual([
      ...['content events', 'content shop', 'segment home'],
    ]);
    expect((await game.as('ann', 'GET', '/contents/shop')).body.live).toBe(2);
    const again = await sync(game);
    expect(again.body).toMatchObject({ added: [], changed: [], release: null });
  });

  it('saves drafts that say where they are from', async () => {
    const game = await startReviewed();
    await sync(game);
    const contents = await game.as('ann', 'GET', '/contents/shop/revisions');
    expect(contents.body.revisions[0]).toMatchObject({
      ...{ revision: 2, live: false, author: 'ann', synced: { from: 'staging', revision: 1 } },
    });
    const segments = await game.as('ann', 'GET', '/segments/home/revisions');
    expect(segments.body.revisions[0]).toMatchObject({
      ...{ revision: 1, author: 'ann', synced: { from: 'staging', revision: 1 } },
    });
  });

  it('leaves the settings of content that exists as they are, and says so', async () => {
    const game = await startReviewed();
    const { body } = await sync(game);
    expect(body.changed[0].about).toEqual([]);
    expect(body.warnings).toEqual([
      {
        path: 'about',
        message:
          'a release does not take descriptions, tags, schemas and guards of content items: those of shop stay as they are',
      },
    ]);
    expect((await game.as('ann', 'GET', '/contents/shop')).body.tags).toEqual([]);
    expect((await game.as('ann', 'GET', '/contents/events')).body.description).toBe('What is on');
  });

  it('is previewed with the same report, which saves nothing', async () => {
    const game = await startReviewed();
    const preview = await sync(game, { dryRun: true });
    expect(preview).toMatchObject({ status: 200, body: { release: null, dryRun: true } });
    expect((await game.as('ann', 'GET', '/contents/events')).status).toBe(404);
    const { plan } = preview.body;
    const done = await sync(game, { plan });
    expect(done.body).toMatchObject({ plan, release: 1 });
    for (const member of ['added', 'changed', 'segments']) {
      const ids = (report: Answer['body']): unknown =>
        report[member].map(({ id, name }: { id?: string; name?: string }) => id ?? name);
      expect(ids(done.body)).toEqual(ids(preview.body));
    }
    expect(done.body.warnings).toEqual(preview.body.warnings);
  });

  it('takes the draft that is there if it is just what would go live', async () => {
    const game = await startReviewed();
    await sync(game);
    const { body } = await sync(game);
    expect(body).toMatchObject({ release: 2, changed: [{ id: 'shop' }] });
    const { changes } = await game.releases.show(2);
    expect(changes).toMatchObject([{ revision: 1 }, { revision: 2 }, { revision: 1 }]);
    expect((await game.as('ann', 'GET', '/contents/shop/revisions')).body.revisions).toHaveLength(
      2,
    );
  });

  it('brings deleted content back with the release, not before', async () => {
    const { releases } = await startReviewed({ review: 0 });
    await releases.put('events', '{"old":true}');
    await releases.api.dev('DELETE', '/contents/events');
    const before = await releases.store.sequence();
    const { body } = await releases.api.dev('POST', '/sync', { from: 'staging', release });
    expect(body).toMatchObject({ release: 1, added: [{ id: 'events', toRevision: null }] });
    expect(await changesAfter(releases.store, before)).toEqual([]);
    await releases.act(1, 'live');
    expect(await releases.delivered('events')).toMatchObject({ live: '{}' });
  });

  it('lets editors prepare a protected environment, with the plan of a dry run', async () => {
    const game = await startReviewed({ review: 0 });
    await game.releases.api.dev('PATCH', '', { protected: true });
    const published = await game.as('ann', 'POST', '/sync', { from: 'staging' });
    expect(published.body.code).toBe('forbidden');
    expect((await sync(game)).body.code).toBe('plan_required');
    const { plan } = (await sync(game, { dryRun: true })).body;
    const unseen = await game.as('olga', 'POST', '/sync', { from: 'staging', plan });
    expect(unseen.body.code).toBe('plan_stale');
    expect((await sync(game, { plan })).body).toMatchObject({ plan, release: 1 });
    expect((await game.as('ann', 'POST', '/releases/1/live', {})).body.code).toBe('forbidden');
  });

  it('is saved while a release ramps what it changes', async () => {
    const game = await startReviewed({ review: 0 });
    const { releases } = game;
    await releases.draft('shop', '{"gold":3}');
    const ramping = await releases.make(['shop'], { steps: [{ percent: 10, holdMinutes: 10 }] });
    await releases.act(ramping, 'start');
    const before = await releases.store.sequence();
    const locked = await game.as('ann', 'POST', '/sync', { from: 'staging' });
    expect(locked.body.code).toBe('release_active');
    expect((await sync(game)).body.release).toBe(ramping + 1);
    expect(await changesAfter(releases.store, before)).toEqual([]);
  });

  it('leaves nothing behind when one of its last rows cannot be written', async () => {
    const game = await startReviewed();
    const { store } = game.releases;
    // The second change of the release has no place.
    await store.write(tester, ({ db }) =>
      sql`create unique index one_change on release_changes (environment, release)`.execute(db),
    );
    expect((await sync(game)).status).toBe(500);
    await store.write(tester, ({ db }) => sql`drop index one_change`.execute(db));
    expect((await game.as('ann', 'GET', '/contents/events')).status).toBe(404);
    expect((await game.as('ann', 'GET', '/segments/home/revisions')).status).toBe(404);
    expect((await game.as('ann', 'GET', '/contents/shop')).body.revision).toBe(1);
    expect((await game.as('ann', 'GET', '/releases')).body.releases).toEqual([]);
    expect((await sync(game)).body.release).toBe(1);
  });

  it('saves nothing in an environment that takes no other release', async () => {
    const game = await startReviewed();
    await game.releases.store.write(tester, async (write) => {
      const empty = { title: '', description: '', steps: [], brake: null, salt: '' };
      for (let made = 0; made < openReleasesMax; made++) {
        await insertRelease(write, { ...empty, environment: 'dev' });
      }
    });
    for (const dryRun of [true, false]) {
      expect((await sync(game, { dryRun })).body.code).toBe('limit_reached');
    }
    expect((await game.as('ann', 'GET', '/contents/events')).status).toBe(404);
  });
});
