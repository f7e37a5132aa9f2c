/** Which requests that publish have to be confirmed, by whom, and with what. */
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../harness.js';
import { Releases } from '../releases/harness.js';
import { ReviewedGame } from '../releases/people.js';

const gold = (severity: string) => [{ path: '/gold', max: 1_000, severity }];

/** `shop` is live with 10 gold, and its newest revision is a draft with 5,000. */
async function startWithDraft(guards: unknown = gold('block')): Promise<Releases> {
  const releases = await Releases.start();
  await releases.put('shop', '{"gold":10,"n":1}', { guards });
  await releases.draft('shop', '{"gold":5000,"n":1}');
  return releases;
}

const codes = (body: { readonly warnings: readonly { readonly code?: string }[] }) =>
  body.warnings.map(({ code }) => code);

describe('a request that publishes', () => {
  it('is a 200 with warnings where nothing asks for more', async () => {
    const releases = await Releases.start();
    await releases.put('shop', '{"gold":10}');
    const { status, body } = await releases.api.dev('PUT', '/contents/shop', {
      text: '{"gold":5000}',
    });
    expect([status, codes(body)]).toEqual([200, ['value_factor']]);
  });

  it('is rejected with a digest where a guard blocks, and accepted with that digest', async () => {
    const { api } = await startWithDraft();
    const path = '/contents/shop/publish';
    const asked = await api.dev('POST', path, {});
    expect([asked.status, asked.body.code]).toEqual([409, 'confirmation_required']);
    expect(asked.body.warnings).toContainEqual({
      ...{ content: 'shop', appVersion: '0.0.0', path: '/gold', kind: 'max', severity: 'block' },
      message: expect.stringContaining('5,000'),
    });
    const wrong = await api.dev('POST', path, { confirm: '0'.repeat(64) });
    expect([wrong.body.code, wrong.body.digest]).toEqual([
      'confirmation_required',
      asked.body.digest,
    ]);
    const { status, body } = await api.dev('POST', path, { confirm: asked.body.digest });
    expect([status, body.live, codes(body)]).toEqual([200, 2, ['guard', 'value_factor']]);
  });

  it('takes a release where a guard wants approval, confirmed or not', async () => {
    const { api } = await startWithDraft(gold('approve'));
    const asked = await api.dev('POST', '/contents/shop/publish', {});
    expect(asked.body).toMatchObject({ code: 'release_required', required: 1 });
    const { digest } = asked.body;
    const confirmed = await api.dev('POST', '/contents/shop/publish', { confirm: digest });
    expect(confirmed.body.code).toBe('release_required');
  });

  it('is not confirmed by a digest of other values, or of another live state', async () => {
    const { api } = await startWithDraft();
    const edit = { text: '{"gold":5000}' };
    const { digest: confirm } = (await api.dev('PUT', '/contents/shop', edit)).body;
    const other = await api.dev('PUT', '/contents/shop', { text: '{"gold":6000}', confirm });
    expect(other.body.code).toBe('confirmation_required');
    await api.dev('PUT', '/contents/shop', { text: '{"gold":900}', publish: true });
    const later = await api.dev('PUT', '/contents/shop', { ...edit, confirm });
    expect(later.body.code).toBe('confirmation_required');
    expect(later.body.digest).not.toBe(confirm);
  });

  it('is asked with strict, and in an environment that has findings confirmed', async () => {
    const { api } = await startWithDraft([]);
    const strict = await api.dev('POST', '/contents/shop/publish?strict=true', {});
    expect(strict.body).toMatchObject({ code: 'confirmation_required' });
    const set = await api.dev('PATCH', '', { confirm: true });
    expect(set.body.confirm).toBe(true);
    const asked = await api.dev('POST', '/contents/shop/publish', {});
    expect(asked.body).toMatchObject({ code: 'confirmation_required', digest: strict.body.digest });
    const harmless = await api.dev('PUT', '/contents/shop', { text: '{"gold":11,"n":1}' });
    expect(harmless.status).toBe(200);
  });

  it('says in a dry run what it would have confirmed; a draft is never asked', async () => {
    const { api } = await startWithDraft();
    const edit = { text: '{"gold":7000,"n":1}' };
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect([dry.status, dry.body.confirmation.required]).toEqual([200, true]);
    const draft = await api.dev('PUT', '/contents/shop', { ...edit, publish: false });
    expect([draft.status, codes(draft.body)]).toEqual([200, ['guard', 'value_factor']]);
    const { digest: confirm } = dry.body.confirmation;
    expect((await api.dev('PUT', '/contents/shop', { ...edit, confirm })).status).toBe(200);
  });

  it('goes back to what was live without a confirmation, and warns', async () => {
    const releases = await Releases.start();
    const { api } = releases;
    await releases.put('shop', '{"gold":5000}');
    releases.pass(1);
    await releases.put('shop', '{"gold":10}', { guards: gold('approve') });
    const back = await api.dev('POST', '/contents/shop/rollback?strict=true', { revision: 1 });
    expect([back.status, codes(back.body)]).toEqual([200, ['guard', 'value_factor']]);
    await api.dev('DELETE', '/contents/shop');
    expect((await api.dev('POST', '/contents/shop/restore')).status).toBe(200);
  });

  it('of a revision that was never live, a rollback is asked as any other', async () => {
    const releases = await startWithDraft();
    const { status, body } = await releases.api.dev('POST', '/contents/shop/rollback', {
      revision: 2,
    });
    expect([status, body.code]).toEqual([409, 'confirmation_required']);
  });
});

describe('guards of a content', () => {
  it('are shown as they were sent, stay when left out, and go with an empty list', async () => {
    const { api } = await startWithDraft();
    expect((await api.dev('GET', '/contents/shop')).body.guards).toEqual(gold('block'));
    await api.dev('PUT', '/contents/shop', { description: 'x' });
    expect((await api.dev('GET', '/contents/shop')).body.guards).toEqual(gold('block'));
    await api.dev('PUT', '/contents/shop', { guards: [] });
    expect((await api.dev('GET', '/contents/shop')).body.guards).toEqual([]);
  });

  it.each([
    [{ path: 'gold', min: 0, severity: 'warn' }, 'guards[0].path'],
    [{ path: '/gold', min: 2, max: 1, severity: 'warn' }, 'guards[0]'],
    [{ path: '/gold', severity: 'warn' }, 'guards[0]'],
    [{ path: '/gold', maxChange: {}, severity: 'warn' }, 'guards[0].maxChange'],
    [{ path: '/gold', enum: Array(101).fill(1), severity: 'warn' }, 'guards[0].enum'],
    [{ path: `/${'x'.repeat(1_024)}`, min: 0, severity: 'warn' }, 'guards[0].path'],
  ])('are rejected where they say nothing: %j', async (guard, path) => {
    const { api } = await Releases.start();
    const { status, body } = await api.dev('PUT', '/contents/shop', {
      ...{ text: '{}', guards: [guard] },
    });
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  it('weaker than they were take a release where the environment asks for approvals', async () => {
    const { api } = await startWithDraft();
    await api.dev('PATCH', '', { review: 1 });
    const weaker = await api.dev('PUT', '/contents/shop', { guards: gold('warn') });
    expect(weaker.body).toMatchObject({ code: 'release_required', required: 1 });
    const stronger = [...gold('approve'), { path: '/n', type: 'number', severity: 'block' }];
    expect((await api.dev('PUT', '/contents/shop', { guards: stronger })).status).toBe(200);
  });

  it('belong to owners in a protected environment', async () => {
    const { api } = await startWithDraft();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PATCH', '', { protected: true });
    const edited = await api.dev('PUT', '/contents/shop', { guards: [] }, editor);
    expect(edited.status).toBe(403);
  });
});

describe('a release', () => {
  const act = async (releases: Releases, release: number, name: string, body: unknown = {}) =>
    releases.act(release, name, body as Record<string, unknown>);

  it('asks when it goes live, and keeps what was confirmed', async () => {
    const releases = await startWithDraft();
    const release = await releases.make(['shop']);
    const asked = await act(releases, release, 'live');
    expect(asked.body.code).toBe('confirmation_required');
    const live = await act(releases, release, 'live', { confirm: asked.body.digest });
    expect(live.body).toMatchObject({ state: 'live', confirmed: asked.body.digest });
    expect(live.body.findings).toHaveLength(2);
  });

  it('asks when it is scheduled, and not again when it goes live', async () => {
    const releases = await startWithDraft();
    const release = await releases.make(['shop']);
    const at = '2099-01-01T00:00:00Z';
    const asked = await act(releases, release, 'schedule', { at });
    expect(asked.body.code).toBe('confirmation_required');
    const confirm = asked.body.digest;
    const scheduled = await act(releases, release, 'schedule', { at, confirm });
    expect(scheduled.body).toMatchObject({ state: 'scheduled', confirmed: confirm });
    expect((await act(releases, release, 'live')).status).toBe(200);
  });

  it('needs the approval of a second person where a guard wants it, without a policy', async () => {
    const game = await ReviewedGame.start(0);
    await game.as('olga', 'PUT', '/contents/shop', { guards: gold('approve') });
    const edit = { text: '{"gold":5000}', publish: false };
    await game.as('ann', 'PUT', '/contents/shop', edit);
    const changes = [{ kind: 'content', id: 'shop' }];
    const made = await game.as('ann', 'POST', '/releases', { title: 'Winter', changes });
    const run = (name: string, action: string, body: object = {}) =>
      game.as(name, 'POST', `/releases/${made.body.release}/${action}`, body);
    expect((await run('ann', 'live')).body.code).toBe('approvals_missing');
    const { digest: confirm } = (await run('ann', 'submit')).body;
    const submitted = await run('ann', 'submit', { confirm });
    expect(submitted.body).toMatchObject({ state: 'review', confirmed: confirm });
    expect(submitted.body.review.required).toBe(1);
    const { digest } = submitted.body.review;
    expect((await run('ann', 'approve', { digest })).body.code).toBe('approval_forbidden');
    expect((await run('bob', 'approve', { digest })).body.state).toBe('approved');
    expect((await run('ann', 'live')).body.state).toBe('live');
    expect((await run('ann', 'revert', { force: true })).body.state).toBe('reverted');
  });

  it('loses its confirmation with an edit', async () => {
    const releases = await startWithDraft();
    const release = await releases.make(['shop']);
    const { digest: confirm } = (await act(releases, release, 'submit')).body;
    await act(releases, release, 'submit', { confirm });
    const steps = [{ percent: 10, holdMinutes: 1 }];
    const edited = await releases.api.dev('PATCH', `/releases/${release}`, { steps });
    expect(edited.body).toMatchObject({ state: 'draft', confirmed: null, findings: [] });
    expect((await act(releases, release, 'start')).body.code).toBe('confirmation_required');
  });
});
