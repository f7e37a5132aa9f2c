/*
 * Goal: the overview says in one response what is live, under way, waiting for its reader, and wrong.
 * Method: the API, with a clock that the test sets, and users of each role. Each list has what belongs there, and nothing else.
 */
import { describe, expect, it } from 'vitest';
import type { Overview } from '../../../../src/contract/operations/overview.js';
import { leadMsMax } from '../../../../src/management/limits/experiments.js';
import { makeExperiment, priceTest, publish } from '../experiments/harness.js';
import { startMs, tester, tokenOf } from '../harness.js';
import { minuteMs, Releases } from '../releases/harness.js';
import { ReviewedGame } from '../releases/people.js';

async function overviewOf({ api }: Releases, token?: string, env = 'dev'): Promise<Overview> {
  const path = `/admin/v1/environments/${env}/overview`;
  const { status, body } = await api.call('GET', path, undefined, token);
  expect(body).toMatchObject({ at: expect.any(String) });
  expect(status).toBe(200);
  return body as Overview;
}

const isoAt = (ms: number): string => new Date(startMs + ms).toISOString();

describe('the overview of an environment', () => {
  it('is empty in an empty one', async () => {
    const overview = await overviewOf(await Releases.start());
    expect(overview).toEqual({
      at: isoAt(0),
      contents: { total: 0, live: 0, drafts: 0 },
      drafts: { total: 0, mine: 0, list: [] },
      publications: [],
      releases: { active: { total: 0, list: [] }, waiting: { total: 0, list: [] } },
      experiments: { total: 0, list: [] },
      drift: [],
      webhooks: { total: 0, list: [] },
    });
  });

  it('is nowhere where there is no environment', async () => {
    const { api } = await Releases.start();
    const { status, body } = await api.call('GET', '/admin/v1/environments/nowhere/overview');
    expect([status, body.code]).toEqual([404, 'environment_not_found']);
  });

  it('counts what is live and what has a draft, without what was deleted', async () => {
    const releases = await Releases.start();
    await releases.put('live', '1');
    await releases.put('edited', '1');
    await releases.draft('edited', '2');
    await releases.draft('new', '1');
    await releases.draft('gone', '1');
    await releases.api.dev('DELETE', '/contents/gone');
    const { contents } = await overviewOf(releases);
    expect(contents).toEqual({ total: 3, live: 2, drafts: 2 });
  });

  it('lists drafts of its reader first, then the newest, with the release that takes them', async () => {
    const releases = await Releases.start();
    const editor = await tokenOf(releases.api, 'editor');
    await releases.put('Shop', '1');
    await releases.draft('shop', '2', { note: 'winter' });
    releases.pass(minuteMs);
    await releases.api.dev('PUT', '/contents/events', { text: '1', publish: false }, editor);
    releases.pass(minuteMs);
    await releases.draft('ads', '1');
    const release = await releases.make(['shop']);
    const { total, mine, list } = (await overviewOf(releases, editor)).drafts;
    expect({ total, mine }).toEqual({ total: 3, mine: 1 });
    expect(list.map(({ name, mine }) => [name, mine])).toEqual([
      ['events', true],
      ['ads', false],
      ['Shop', false],
    ]);
    expect(list[2]).toEqual({
      ...{ kind: 'content', name: 'Shop', revision: 2, live: 1, mine: false, author: 'owner' },
      ...{ note: 'winter', savedAt: isoAt(0), release },
    });
    await releases.act(release, 'cancel');
    expect((await overviewOf(releases, editor)).drafts.list[2]).toMatchObject({ release: null });
  });

  it('lists drafts of segments, live ones and new ones, until they are live or deleted', async () => {
    const releases = await Releases.start();
    const save = (name: string, body: object) =>
      releases.api.dev('PUT', `/segments/${name}`, { when: { country: 'US' }, ...body });
    await save('us', {});
    await save('us', { when: { country: 'CA' }, publish: false, note: 'north' });
    await save('new', { publish: false });
    await save('gone', {});
    await save('gone', { when: {}, publish: false });
    await releases.api.dev('DELETE', '/segments/gone');
    const { total, list } = (await overviewOf(releases)).drafts;
    expect([total, list]).toMatchObject([
      2,
      [
        { kind: 'segment', name: 'new', revision: 1, live: null },
        { kind: 'segment', name: 'us', revision: 2, live: 1, note: 'north', mine: true },
      ],
    ]);
    await save('us', { when: { country: 'CA' } });
    expect((await overviewOf(releases)).drafts.list.map(({ name }) => name)).toEqual(['new']);
  });

  it('lists what became live in a week, each write once, and what was taken away', async () => {
    const releases = await Releases.start();
    await releases.put('old', '1');
    releases.pass(8 * 24 * 60 * minuteMs);
    const firstMs = releases.nowMs - startMs;
    for (const id of ['A', 'b', 'c', 'd']) await releases.draft(id, '1', { note: `of ${id}` });
    const release = await releases.make(['a', 'b', 'c', 'd']);
    await releases.act(release, 'submit');
    await releases.act(release, 'live');
    releases.pass(minuteMs);
    await releases.api.dev('DELETE', '/contents/b');
    releases.pass(minuteMs);
    await releases.draft('a', '2');
    await releases.draft('unpublished', '1');
    await releases.api.dev('DELETE', '/contents/unpublished');
    const { publications } = await overviewOf(releases);
    expect(publications).toEqual([
      {
        at: isoAt(firstMs + minuteMs),
        contents: [{ id: 'b', revision: null }],
        ...{ contentsLeftOut: 0, author: '', note: '' },
      },
      {
        at: isoAt(firstMs),
        contents: ['A', 'b', 'c'].map((id) => ({ id, revision: 1 })),
        ...{ contentsLeftOut: 1, author: 'owner', note: 'of A' },
      },
    ]);
  });

  it('lists releases that are scheduled or ramp, and those of others not as waiting', async () => {
    const releases = await Releases.start();
    const editor = await tokenOf(releases.api, 'editor');
    await releases.put('shop', '1');
    await releases.draft('shop', '2');
    const release = await releases.make(['shop']);
    await releases.act(release, 'submit');
    const waiting = (await overviewOf(releases)).releases.waiting.list;
    expect(waiting).toMatchObject([{ release, state: 'approved', waitsFor: 'go_live' }]);
    await releases.act(release, 'schedule', { at: isoAt(60 * minuteMs) });
    const { active } = (await overviewOf(releases)).releases;
    expect(active).toMatchObject({ total: 1, list: [{ release, state: 'scheduled', changes: 1 }] });
    const draft = await releases.make(['shop'], { title: 'Spring' });
    const mine = (await overviewOf(releases)).releases.waiting;
    expect(mine).toMatchObject({ total: 1, list: [{ release: draft, waitsFor: 'submit' }] });
    expect((await overviewOf(releases, editor)).releases.waiting.total).toBe(0);
  });

  it('shows owners the releases of editors in a protected environment without approvals', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '1');
    await releases.api.dev('PATCH', '', { protected: true });
    const editor = await tokenOf(releases.api, 'editor');
    const made = await releases.api.dev('POST', '/releases', { title: 'Spring' }, editor);
    const { waiting } = (await overviewOf(releases)).releases;
    expect(waiting).toMatchObject({
      total: 1,
      list: [{ release: made.body.release, state: 'draft', waitsFor: 'go_live' }],
    });
    const own = (await overviewOf(releases, editor)).releases.waiting.list;
    expect(own).toMatchObject([{ waitsFor: 'submit' }]);
  });

  it('shows releases to those who can approve them, until they have', async () => {
    const game = await ReviewedGame.start(2);
    const release = await game.submitted('ann');
    const waitingOf = async (name: string) =>
      (await overviewOf(game.releases, game.token(name))).releases.waiting.list;
    expect(await waitingOf('bob')).toMatchObject([{ release, waitsFor: 'approve' }]);
    expect(await waitingOf('ann')).toEqual([]);
    await game.approve('bob', release);
    expect(await waitingOf('bob')).toEqual([]);
    expect(await waitingOf('olga')).toHaveLength(1);
    await game.add('vic', { role: 'viewer' });
    expect(await waitingOf('vic')).toEqual([]);
  });

  it('lists running experiments with what was computed last, and never waits for it', async () => {
    const releases = await Releases.start();
    const { api } = releases;
    await publish(api, [priceTest]);
    await makeExperiment(api);
    expect((await overviewOf(releases)).experiments.total).toBe(0);
    await api.dev('POST', '/experiments/prices/start', {});
    const first = (await overviewOf(releases)).experiments;
    expect(first).toMatchObject({ total: 1, list: [{ id: 'prices', phase: 1, lead: null }] });
    const computed = (await api.dev('GET', '/experiments/prices/results')).body.computedAt;
    const second = (await overviewOf(releases)).experiments.list[0];
    expect(second?.lead).toEqual({
      ...{ asOf: computed, dataUntil: null, health: 'no_data', kind: 'waiting' },
      text: 'No players seen yet',
      variants: [
        { name: 'control', players: null },
        { name: 'cheap', players: null },
      ],
    });
  });

  it('computes old leads again in the background', async () => {
    const releases = await Releases.start();
    const { api } = releases;
    await publish(api, [priceTest]);
    await makeExperiment(api);
    await api.dev('POST', '/experiments/prices/start', {});
    const asOf = async (): Promise<string | null> =>
      (await overviewOf(releases)).experiments.list[0]?.lead?.asOf ?? null;
    const computedAt = async (expected: string): Promise<void> =>
      expect.poll(asOf, { timeout: 10_000 }).toBe(expected);
    await computedAt(isoAt(0));
    releases.pass(leadMsMax - 1);
    await computedAt(isoAt(0));
    releases.pass(1);
    await computedAt(isoAt(leadMsMax));
  });

  it('shows failing webhooks of the environment to owners of the server only', async () => {
    const releases = await Releases.start();
    const { api } = releases;
    const make = async (path: string, environments: string[] | null): Promise<string> => {
      const body = { url: `https://hooks.example/${path}`, environments };
      return (await api.call('POST', '/admin/v1/webhooks', body)).body.id as string;
    };
    const failing = await make('secret-path', ['dev']);
    await make('fine', null);
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const elsewhere = await make('elsewhere', ['live']);
    await releases.store.write(tester, async ({ db }) => {
      await db
        .updateTable('webhooks')
        .set({ failures: 3, failingSince: startMs })
        .where('id', 'in', [failing, elsewhere])
        .execute();
    });
    expect((await overviewOf(releases)).webhooks).toEqual({
      total: 1,
      list: [
        {
          ...{ id: failing, origin: 'https://hooks.example', description: '', enabled: true },
          ...{ failures: 3, failingSince: isoAt(0) },
        },
      ],
    });
    expect((await overviewOf(releases, await tokenOf(api, 'editor'))).webhooks).toBeNull();
    const body = { name: 'olga', role: 'owner', environments: ['dev'] };
    const { token } = (await api.call('POST', '/admin/v1/users', body)).body;
    expect((await overviewOf(releases, token)).webhooks).toBeNull();
  });
});

describe('the drift of an environment', () => {
  async function synced(): Promise<Releases> {
    const releases = await Releases.start();
    const { api } = releases;
    await api.call('POST', '/admin/v1/environments', { id: 'live', name: 'Live' });
    await releases.put('shop', '1');
    await releases.put('ads', '1');
    await api.call('POST', '/admin/v1/environments/live/sync', { from: 'dev' });
    return releases;
  }

  const none = { changed: 0, conflicts: 0, onlyThere: 0, contents: [] };

  it('says what a sync would bring, from both sides, and follows each publish', async () => {
    const releases = await synced();
    expect((await overviewOf(releases)).drift).toEqual([{ from: 'dev', to: 'live', ...none }]);
    await releases.put('shop', '2');
    await releases.draft('ads', '2');
    const changed = { from: 'dev', to: 'live', changed: 1, conflicts: 0, onlyThere: 0 };
    const contents = [{ id: 'shop', conflict: false, author: 'owner', savedAt: isoAt(0) }];
    for (const env of ['dev', 'live']) {
      expect((await overviewOf(releases, undefined, env)).drift).toEqual([
        { ...changed, contents },
      ]);
    }
  });

  it('names hotfixes, which a sync would cover, first', async () => {
    const releases = await synced();
    const { api } = releases;
    await releases.put('ads', '2');
    await releases.put('shop', '2');
    await api.call('PUT', '/admin/v1/environments/live/contents/shop', { text: '3' });
    await api.call('PUT', '/admin/v1/environments/live/contents/own', { text: '3' });
    const [drift] = (await overviewOf(releases)).drift;
    expect(drift).toMatchObject({ changed: 2, conflicts: 1, onlyThere: 1 });
    expect(drift?.contents.map(({ id, conflict }) => [id, conflict])).toEqual([
      ['shop', true],
      ['ads', false],
    ]);
  });

  it('does not speak of environments that the reader does not see', async () => {
    const releases = await synced();
    const body = { name: 'vic', role: 'viewer', environments: ['dev'] };
    const { token } = (await releases.api.call('POST', '/admin/v1/users', body)).body;
    expect((await overviewOf(releases, token)).drift).toEqual([]);
  });
});
