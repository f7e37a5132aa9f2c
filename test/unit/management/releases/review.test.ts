/** Reviews: whose approvals count, what withdraws them, and that policies go the same way. */
import { describe, expect, it } from 'vitest';
import { changesAfter, ownerToken, startMs, tester } from '../harness.js';
import { minuteMs } from './harness.js';
import { ReviewedGame } from './people.js';

describe('a release in an environment that asks for approvals', () => {
  it('goes live once enough people who have no part in it approve it', async () => {
    const game = await ReviewedGame.start(2);
    const release = await game.submitted('ann');
    const first = await game.approve('bob', release);
    expect(first.body).toMatchObject({
      state: 'review',
      review: { approvals: [{ counts: true }] },
    });
    expect((await game.as('ann', 'POST', `/releases/${release}/live`, {})).body).toMatchObject({
      code: 'release_state',
      detail: `Release ${release} is in review: it can go live only while it is approved, scheduled, ramping, or paused.`,
    });
    const second = await game.approve('olga', release);
    expect(second.body.state).toBe('approved');
    const live = await game.as('ann', 'POST', `/releases/${release}/live`, {});
    expect(live.body).toMatchObject({ state: 'live', emergency: null });
    const { approvals } = (await game.releases.show(release)).review;
    expect(approvals).toMatchObject([
      { user: 'bob', counts: true, reason: '' },
      { user: 'olga', counts: true, reason: '' },
    ]);
    expect(await game.releases.events(release)).toEqual([
      ...['release.create', 'release.submit', 'release.approve', 'release.approve', 'release.live'],
    ]);
  });

  it('counts nobody twice', async () => {
    const game = await ReviewedGame.start(2);
    const release = await game.submitted('ann');
    for (let times = 0; times < 2; times += 1) {
      expect((await game.approve('bob', release)).body.state).toBe('review');
    }
  });

  it('is approved with its submission where no approvals are asked for', async () => {
    const game = await ReviewedGame.start(0);
    const release = await game.submitted('ann');
    expect((await game.releases.show(release)).state).toBe('approved');
  });

  it('is a draft again when it is sent back, and waits for reviewers when it is submitted again', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann');
    await game.approve('bob', release);
    const back = await game.as('cy', 'POST', `/releases/${release}/reject`, {
      comment: 'Too much',
    });
    expect(back.body).toMatchObject({
      state: 'draft',
      reason: 'Too much',
      review: { approvals: [] },
    });
    const again = await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    expect(again.body.state).toBe('review');
  });

  it('waits in the list of reviews of those who can approve it', async () => {
    const game = await ReviewedGame.start(2);
    await game.add('eve', { role: 'viewer' });
    const release = await game.submitted('ann');
    const waiting = async (token: string | undefined): Promise<number[]> => {
      const { body } = await game.releases.api.call('GET', '/admin/v1/reviews', undefined, token);
      return body.releases.map((one: { release: number }) => one.release);
    };
    expect(await waiting(game.token('bob'))).toEqual([release]);
    for (const name of ['ann', 'eve']) expect(await waiting(game.token(name))).toEqual([]);
    expect(await waiting(ownerToken)).toEqual([]);
    await game.approve('bob', release);
    expect(await waiting(game.token('bob'))).toEqual([]);
    expect(await waiting(game.token('cy'))).toEqual([release]);
  });
});

/** Each makes somebody whose approval is rejected, and gives the token that they approve with. */
const rejected: readonly (readonly [string, (game: ReviewedGame) => Promise<string>])[] = [
  ['the author of the revision', async (game) => game.person('ann').token],
  [
    'the author of a draft below it',
    async (game) => {
      await game.as('bob', 'PUT', '/contents/shop', { text: '{"gold":666}', publish: false });
      return game.person('bob').token;
    },
  ],
  ['the token of the server', async () => ownerToken],
  ['a program', async (game) => (await game.add('ci', { service: true, role: 'owner' })).token],
  [
    'a user that an author made',
    async (game) => {
      const { id } = game.person('ann');
      await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'owner' });
      const { token } = await game.add('mallory', {}, 'ann');
      await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'editor' });
      return token;
    },
  ],
  [
    'a user whose maker an author made, and deleted again',
    async (game) => {
      const { id } = game.person('ann');
      await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'owner' });
      const middle = await game.add('middle', { role: 'owner' }, 'ann');
      const { token } = await game.add('mallory', {}, 'middle');
      const path = `/admin/v1/users/${middle.id}`;
      await game.releases.api.call('DELETE', path, undefined, game.token('ann'));
      return token;
    },
  ],
  [
    'a program that an author declared a person',
    async (game) => {
      const { id } = game.person('ann');
      await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'owner' });
      const ci = await game.add('ci', { service: true });
      const path = `/admin/v1/users/${ci.id}`;
      await game.releases.api.call('PATCH', path, { service: false }, game.token('ann'));
      return ci.token;
    },
  ],
  [
    'a token that an author made',
    async (game) => {
      const { id } = game.person('ann');
      await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'owner' });
      const path = `/admin/v1/users/${game.person('bob').id}/tokens`;
      const made = await game.releases.api.call('POST', path, {}, game.token('ann'));
      return made.body.token as string;
    },
  ],
];

describe('an approval is rejected of', () => {
  it.each(rejected)('%s', async (_who, make) => {
    const game = await ReviewedGame.start();
    const token = await make(game);
    const release = await game.submitted('ann');
    const { digest } = (await game.releases.show(release)).review;
    const path = `/releases/${release}/approve`;
    const { status, body } = await game.releases.api.dev('POST', path, { digest }, token);
    expect([status, body.code]).toEqual([403, 'approval_forbidden']);
    expect((await game.releases.show(release)).state).toBe('review');
    expect((await game.approve('cy', release)).body.state).toBe('approved');
  });

  it('who made the release, put a change in, or rebased one', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann', false);
    await game.as('bob', 'PUT', '/contents/shop', { text: '{"gold":9}', publish: false });
    const put = [{ kind: 'content', id: 'shop' }];
    await game.as('cy', 'POST', `/releases/${release}/changes`, { put });
    await game.as('olga', 'POST', `/releases/${release}/changes`, { rebase: put });
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    for (const name of ['ann', 'bob', 'olga']) {
      expect((await game.approve(name, release)).body.code).toBe('approval_forbidden');
    }
    expect((await game.approve('otto', release)).body.state).toBe('approved');
  });

  it('who changed its steps or its brake', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann', false);
    const steps = [{ percent: 100, holdMinutes: 1 }];
    await game.as('bob', 'PATCH', `/releases/${release}`, { steps });
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    expect((await game.approve('bob', release)).body.code).toBe('approval_forbidden');
    expect((await game.approve('cy', release)).body.state).toBe('approved');
  });

  it('a user who came after the submission', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann');
    await game.add('late', { role: 'owner' });
    expect((await game.approve('late', release)).body.code).toBe('approval_forbidden');
  });

  it('an editor in a protected environment, where editors make and submit releases', async () => {
    const game = await ReviewedGame.start();
    await game.releases.api.dev('PATCH', '', { protected: true });
    const release = await game.submitted('ann');
    expect((await game.approve('bob', release)).body.code).toBe('approval_forbidden');
    expect((await game.approve('olga', release)).body.state).toBe('approved');
    const live = await game.as('ann', 'POST', `/releases/${release}/live`, {});
    expect(live.body.state).toBe('live');
  });
});

describe('approvals', () => {
  it('count from a user who has edited title and description alone', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann', false);
    const texts = { title: 'Summer sale', description: 'As agreed.' };
    expect((await game.as('bob', 'PATCH', `/releases/${release}`, texts)).status).toBe(200);
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    expect((await game.approve('bob', release)).body.state).toBe('approved');
  });

  it('are for what was looked at: any edit withdraws them', async () => {
    const game = await ReviewedGame.start(2);
    const release = await game.submitted('ann');
    const seen = (await game.releases.show(release)).review.digest;
    await game.approve('bob', release);
    const steps = [{ percent: 1, holdMinutes: 10 }];
    const edited = await game.as('ann', 'PATCH', `/releases/${release}`, { steps });
    expect(edited.body).toMatchObject({ state: 'draft', review: { approvals: [] } });
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    const late = await game.as('cy', 'POST', `/releases/${release}/approve`, { digest: seen });
    expect([late.status, late.body.code]).toEqual([409, 'release_changed']);
    const title = await game.as('ann', 'PATCH', `/releases/${release}`, { title: 'Another' });
    expect(title.body).toMatchObject({ state: 'review', title: 'Another' });
  });

  it('do not count once the release reaches more', async () => {
    const game = await ReviewedGame.start(0);
    const { releases } = game;
    await releases.api.dev('PUT', '/segments/us', { when: { country: 'US' } });
    await game.releases.api.dev('PATCH', '', { review: 1 });
    await game.as('ann', 'PUT', '/segments/us', { when: {}, publish: false });
    const changes = [{ kind: 'segment', name: 'us' }];
    const made = await game.as('ann', 'POST', '/releases', { title: 'Us', changes });
    const { release } = made.body;
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    expect((await game.approve('bob', release)).body.state).toBe('approved');
    const other = await game.submitted('cy', false);
    const mapping = [{ segment: 'us', merge: { gold: 2 } }];
    await game.as('cy', 'PUT', '/contents/shop', { mapping, publish: false });
    const put = [{ kind: 'content', id: 'shop' }];
    await game.as('cy', 'POST', `/releases/${other}/changes`, { put });
    await game.as('cy', 'POST', `/releases/${other}/submit`, {});
    await game.approve('bob', other);
    expect((await game.as('cy', 'POST', `/releases/${other}/live`, {})).body.state).toBe('live');
    const live = await game.as('ann', 'POST', `/releases/${release}/live`, {});
    expect(live.body).toMatchObject({ code: 'approvals_missing', missing: 1 });
    expect((await releases.show(release)).review.approvals).toMatchObject([{ counts: false }]);
  });

  it('of users who lost their rights do not count when the release goes live', async () => {
    const game = await ReviewedGame.start();
    const { api } = game.releases;
    for (const take of [
      (path: string) => api.call('PATCH', path, { role: 'viewer' }),
      (path: string) => api.call('PATCH', path, { service: true }),
      (path: string) => api.call('PATCH', path, { environments: [] }),
      (path: string) => api.call('DELETE', path),
    ]) {
      const release = await game.submitted('ann');
      const { id } = await game.add(`approver-${release}`);
      await game.as('ann', 'POST', `/releases/${release}/reject`, {});
      game.releases.pass(1);
      await game.as('ann', 'POST', `/releases/${release}/submit`, {});
      expect((await game.approve(`approver-${release}`, release)).body.state).toBe('approved');
      await take(`/admin/v1/users/${id}`);
      const live = await game.as('ann', 'POST', `/releases/${release}/live`, {});
      expect(live.body).toMatchObject({ code: 'approvals_missing', missing: 1 });
      await game.as('ann', 'POST', `/releases/${release}/cancel`, {});
    }
  });

  it('of a user who lost their rights pause a ramp at its next step', async () => {
    const game = await ReviewedGame.start();
    const release = await game.submitted('ann');
    await game.as('ann', 'POST', `/releases/${release}/reject`, {});
    const steps = [1, 10, 100].map((percent) => ({ percent, holdMinutes: 10 }));
    await game.as('ann', 'PATCH', `/releases/${release}`, { steps });
    const { id } = await game.add('approver');
    game.releases.pass(1);
    await game.as('ann', 'POST', `/releases/${release}/submit`, {});
    await game.approve('approver', release);
    expect((await game.as('ann', 'POST', `/releases/${release}/start`, {})).status).toBe(200);
    const leader = game.releases.leader();
    game.releases.pass(10 * minuteMs);
    await leader.runNow();
    expect(await game.releases.show(release)).toMatchObject({ state: 'ramping', percent: 10 });
    await game.releases.api.call('PATCH', `/admin/v1/users/${id}`, { role: 'viewer' });
    game.releases.pass(10 * minuteMs);
    await leader.runNow();
    const paused = await game.releases.show(release);
    expect(paused).toMatchObject({ state: 'paused', percent: 10 });
    expect(paused.reason).toContain('approval');
  });

  it('and an edit at once never leave an edited release approved', async () => {
    const game = await ReviewedGame.start();
    for (let round = 0; round < 8; round += 1) {
      const release = await game.submitted('ann');
      const { digest } = (await game.releases.show(release)).review;
      const edit = { steps: [{ percent: 1, holdMinutes: round }] };
      const both = [
        () => game.as('bob', 'POST', `/releases/${release}/approve`, { digest }),
        () => game.as('ann', 'PATCH', `/releases/${release}`, edit),
      ];
      if (round % 2 === 1) both.reverse();
      await Promise.all(both.map((act) => act()));
      const shown = await game.releases.show(release);
      expect([shown.state, shown.review.approvals]).toEqual(['draft', []]);
      await game.as('ann', 'POST', `/releases/${release}/cancel`, {});
    }
  });
});

describe('a review policy', () => {
  const settings = (edit: object): object => ({ kind: 'environment', edit });

  it('is lowered by a release that owners approve, and by nothing else', async () => {
    const game = await ReviewedGame.start();
    const body = { title: 'Trust', changes: [settings({ review: 0 })] };
    const { release } = (await game.as('olga', 'POST', '/releases', body)).body;
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    expect((await game.approve('bob', release)).body.code).toBe('approval_forbidden');
    const emergency = { emergency: { reason: 'Hurry' } };
    const alone = await game.as('olga', 'POST', `/releases/${release}/live`, emergency);
    expect(alone.body.code).toBe('approvals_missing');
    expect((await game.approve('otto', release)).body.state).toBe('approved');
    await game.as('olga', 'POST', `/releases/${release}/live`, {});
    expect((await game.releases.api.dev('GET', '')).body.review).toBe(0);
    expect((await game.as('ann', 'PUT', '/contents/shop', { text: '{}' })).status).toBe(200);
  });

  it('keeps protection and the environment itself, too', async () => {
    const game = await ReviewedGame.start();
    const { api } = game.releases;
    await api.dev('PATCH', '', { protected: true });
    for (const [method, body] of [
      ['PATCH', { protected: false }],
      ['DELETE', undefined],
    ] as const) {
      expect((await api.dev(method, '', body)).body.code).toBe('release_required');
    }
    const body = { title: 'End', changes: [settings({ delete: true })] };
    const { release } = (await game.as('olga', 'POST', '/releases', body)).body;
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    await game.approve('otto', release);
    const live = await game.as('olga', 'POST', `/releases/${release}/live`, {});
    expect([live.status, live.body.state]).toEqual([200, 'live']);
    expect((await api.dev('GET', '')).body.code).toBe('environment_not_found');
  });

  it('deletes no environment in which another release ramps', async () => {
    const game = await ReviewedGame.start();
    const ramp = await game.submitted('ann', false);
    const steps = [{ percent: 1, holdMinutes: 10 }];
    await game.as('ann', 'PATCH', `/releases/${ramp}`, { steps });
    await game.as('ann', 'POST', `/releases/${ramp}/submit`, {});
    await game.approve('bob', ramp);
    await game.as('ann', 'POST', `/releases/${ramp}/start`, {});
    const body = { title: 'End', changes: [settings({ delete: true })] };
    const { release } = (await game.as('olga', 'POST', '/releases', body)).body;
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    await game.approve('otto', release);
    const live = await game.as('olga', 'POST', `/releases/${release}/live`, {});
    expect([live.body.code, live.body.release]).toEqual(['release_active', ramp]);
    expect((await game.releases.show(ramp)).state).toBe('ramping');
  });

  it('is no way for editors to change an environment that asks for none', async () => {
    const game = await ReviewedGame.start(0);
    const body = { title: 'Mine', changes: [settings({ protected: true })] };
    const made = await game.as('ann', 'POST', '/releases', body);
    expect([made.status, made.body.code]).toEqual([400, 'invalid_body']);
  });

  it('is not switched on while a server of an older version lives', async () => {
    const game = await ReviewedGame.start(0);
    const { api, store, nowMs } = game.releases;
    await store.write(tester, async ({ db }) => {
      const node = { id: 'old', name: 'old-1', address: '', version: '1.0.0', sequence: 0 };
      const times = { startedAt: startMs, seenAt: nowMs };
      await db
        .insertInto('nodes')
        .values({ ...node, ...times, serving: 1, schema: 7 })
        .execute();
    });
    const early = await api.dev('PATCH', '', { review: 1 });
    expect([early.status, early.body.code]).toEqual([503, 'upgrade_in_progress']);
    expect((await api.dev('GET', '')).body.review).toBe(0);
    game.releases.pass(60_000);
    expect((await api.dev('PATCH', '', { review: 1 })).body.review).toBe(1);
    const { writersMin } = await store.read((db) =>
      db.selectFrom('storeState').select('writersMin').executeTakeFirstOrThrow(),
    );
    expect(writersMin).toBe(8);
  });
});

describe('an emergency', () => {
  const now = { emergency: { reason: 'Shop is down' } };

  it('is for owners, loud, and stops what ramps beside it in the same commit', async () => {
    const game = await ReviewedGame.start();
    const { releases } = game;
    const ramping = await game.submitted('ann', false);
    const steps = [{ percent: 1, holdMinutes: 10 }];
    await game.as('ann', 'PATCH', `/releases/${ramping}`, { steps });
    await game.as('ann', 'POST', `/releases/${ramping}/submit`, {});
    await game.approve('bob', ramping);
    await game.as('ann', 'POST', `/releases/${ramping}/start`, {});
    const release = await game.submitted('ann', false);
    const path = `/releases/${release}/live`;
    expect((await game.as('ann', 'POST', path, now)).body.code).toBe('forbidden');
    const before = await releases.store.sequence();
    const live = await game.as('olga', 'POST', path, now);
    expect(live.body).toMatchObject({ state: 'live', emergency: 'Shop is down' });
    expect(live.body.sequence).toBe(before + 1);
    expect((await releases.show(ramping)).state).toBe('stopped');
    const shown = await releases.api.dev('GET', '');
    expect(shown.body.emergency).toMatchObject({ release, by: 'olga', reason: 'Shop is down' });
    expect(await releases.events(release)).toContain('release.emergency');
    const audit = await releases.api.call('GET', '/admin/v1/audit?action=release.emergency');
    expect(audit.body.events).toMatchObject([{ name: String(release), userName: 'olga' }]);
    releases.pass(24 * 3_600_000);
    expect((await releases.api.dev('GET', '')).body.emergency).toBeNull();
    expect(await changesAfter(releases.store, before)).toHaveLength(1);
  });
});
