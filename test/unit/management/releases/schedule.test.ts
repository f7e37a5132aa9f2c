/** Scheduling: what is rejected at once rather than at its time, and whose word a schedule is when its time comes. */
import { describe, expect, it } from 'vitest';
import { minuteMs, Releases } from './harness.js';
import { ReviewedGame } from './people.js';

const steps = [{ percent: 10, holdMinutes: 10 }];
const query = { query: 'rate(crashes[5m])', above: 5, minutes: 2, noData: 'ignore' };

function inAnHour({ nowMs }: Releases): { readonly at: string } {
  return { at: new Date(nowMs + 60 * minuteMs).toISOString() };
}

/** A release of a draft of `shop`. @param submit it is approved then, as nothing asks for approvals */
async function made(releases: Releases, submit: boolean, more: object = {}): Promise<number> {
  await releases.draft('shop', '{"gold":2}');
  const release = await releases.make(['shop'], more);
  if (submit) await releases.act(release, 'submit');
  return release;
}

describe.each([
  ['a draft', false],
  ['an approved release', true],
])('%s is not scheduled', (_state, submit) => {
  it('with a change whose content was edited or deleted since', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '{"gold":1}');
    const release = await made(releases, submit);
    await releases.put('shop', '{"gold":3}');
    const edited = await releases.act(release, 'schedule', inAnHour(releases));
    expect([edited.status, edited.body.code]).toEqual([409, 'release_conflict']);
    releases.pass(1);
    await releases.api.dev('DELETE', '/contents/shop');
    const deleted = await releases.act(release, 'schedule', inAnHour(releases));
    expect([deleted.status, deleted.body.code]).toEqual([409, 'release_conflict']);
    expect((await releases.show(release)).state).toBe(submit ? 'approved' : 'draft');
  });

  it('with content that its schema rejects by now', async () => {
    const releases = await Releases.start();
    const release = await made(releases, submit);
    await releases.draft('shop', '{"gems":2}', { schema: { required: ['gems'] } });
    const { status, body } = await releases.act(release, 'schedule', inAnHour(releases));
    expect([status, body.code]).toEqual([400, 'release_invalid']);
    expect(body.errors[0].path).toMatch(/^shop\//);
  });
});

describe('a release is scheduled', () => {
  it('only with something to deliver', async () => {
    const releases = await Releases.start();
    const release = await releases.make([]);
    const { status, body } = await releases.act(release, 'schedule', inAnHour(releases));
    expect([status, body.code]).toEqual([400, 'release_invalid']);
  });

  it('on a server that can ask the query of its brake, if it ramps', async () => {
    const releases = await Releases.start();
    const ramped = await made(releases, false, { steps, brake: { query } });
    const { status, body } = await releases.act(ramped, 'schedule', inAnHour(releases));
    expect([status, body.code]).toEqual([400, 'release_invalid']);
    expect(body.errors).toMatchObject([{ path: 'brake.query' }]);
    const atOnce = await made(releases, false, { brake: { query } });
    expect((await releases.act(atOnce, 'schedule', inAnHour(releases))).body.state).toBe(
      'scheduled',
    );
  });

  it('beside a ramp of the same content, which may have ended by then', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '{"gold":1}');
    const first = await made(releases, false, { steps });
    const second = await made(releases, false);
    await releases.act(first, 'start');
    const { body } = await releases.act(second, 'schedule', inAnHour(releases));
    expect(body).toMatchObject({ state: 'scheduled', overlaps: [first] });
  });
});

/** What becomes of the user that has scheduled a release, and what the release says then. */
const lostRights: readonly (readonly [string, object | null, RegExp])[] = [
  ['was deleted', null, /"ann" .* was deleted.* schedule it again/],
  ['may only look', { role: 'viewer' }, /"ann" .* may not edit "dev".* schedule it again/],
  ['sees other environments', { environments: [] }, /"ann" .* may not edit "dev"/],
];

async function scheduledByAnn(game: ReviewedGame): Promise<number> {
  const release = await game.submitted('ann', false);
  const path = `/releases/${release}/schedule`;
  expect((await game.as('ann', 'POST', path, inAnHour(game.releases))).status).toBe(200);
  return release;
}

async function whenDue({ releases }: ReviewedGame, release: number) {
  releases.pass(60 * minuteMs);
  await releases.leader().runNow();
  return releases.show(release);
}

describe('a schedule where no approvals are asked for', () => {
  it.each(lostRights)('fails when the user that made it %s', async (_what, edit, reason) => {
    const game = await ReviewedGame.start(0);
    const release = await scheduledByAnn(game);
    const path = `/admin/v1/users/${game.person('ann').id}`;
    const { api } = game.releases;
    await (edit === null ? api.call('DELETE', path) : api.call('PATCH', path, edit));
    const failed = await whenDue(game, release);
    expect(failed).toMatchObject({ state: 'failed', schedule: null });
    expect(failed.reason).toMatch(reason);
    expect(await game.releases.events(release)).toContain('release.fail');
    expect(await game.releases.delivered('shop')).toEqual({
      ...{ live: '{"gold":1}', candidate: undefined },
    });
  });

  it('fails in an environment that is protected by now, unless an owner made it', async () => {
    const game = await ReviewedGame.start(0);
    const release = await scheduledByAnn(game);
    await game.releases.api.dev('PATCH', '', { protected: true });
    const failed = await whenDue(game, release);
    expect(failed.state).toBe('failed');
    expect(failed.reason).toMatch(/"ann" .* "dev" is protected: an owner can/);
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    const path = `/releases/${release}/schedule`;
    await game.as('olga', 'POST', path, inAnHour(game.releases));
    expect((await whenDue(game, release)).state).toBe('live');
  });

  it('is the word of the user that moved it last', async () => {
    const game = await ReviewedGame.start(0);
    const release = await scheduledByAnn(game);
    game.releases.pass(1);
    const path = `/releases/${release}/schedule`;
    await game.as('bob', 'POST', path, inAnHour(game.releases));
    await game.releases.api.call('DELETE', `/admin/v1/users/${game.person('ann').id}`);
    expect((await whenDue(game, release)).state).toBe('live');
  });

  it('may be that of a program, whose token may be gone by then', async () => {
    const game = await ReviewedGame.start(0);
    const { id, token } = await game.add('ci', { service: true });
    const release = await game.submitted('ann', false);
    const path = `/releases/${release}/schedule`;
    await game.as('ci', 'POST', path, inAnHour(game.releases));
    const tokens = `/admin/v1/users/${id}/tokens`;
    const { body } = await game.releases.api.call('GET', tokens);
    expect(token).not.toBe('');
    for (const one of body.tokens) await game.releases.api.call('DELETE', `${tokens}/${one.id}`);
    expect((await game.as('ci', 'GET', `/releases/${release}`)).status).toBe(401);
    expect((await whenDue(game, release)).state).toBe('live');
  });
});

it('a schedule where approvals are asked for depends on them, and not on the user that made it', async () => {
  const game = await ReviewedGame.start();
  const release = await game.submitted('ann');
  await game.approve('bob', release);
  const path = `/releases/${release}/schedule`;
  await game.as('ann', 'POST', path, inAnHour(game.releases));
  await game.releases.api.call('DELETE', `/admin/v1/users/${game.person('ann').id}`);
  expect((await whenDue(game, release)).state).toBe('live');
});
