/** A person whom the provider has confirmed: their user, their rights, and how long their session lasts. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { providerStepsAtOnceMax } from '../../../../src/management/limits/sessions.js';
import { type Admission, admitPerson } from '../../../../src/management/oidc/admit-person.js';
import { makeAttempt } from '../../../../src/management/oidc/attempt.js';
import { ProviderSteps } from '../../../../src/management/oidc/provider-steps.js';
import { type Harness, openStore, startApi, startMs, temporaryFolder } from '../harness.js';

const hourMs = 3_600_000;
const path = '/admin/v1';

interface Tested {
  readonly api: Harness;
  readonly clock: { ms: number };
}

async function start(): Promise<Tested> {
  const clock = { ms: startMs };
  const now = (): number => clock.ms;
  const store = await openStore(`${temporaryFolder()}/store.db`, now);
  return { api: await startApi({}, { store, now }), clock };
}

function admissionOf({ clock }: Tested, change: Partial<Admission> = {}): Admission {
  return {
    identity: { issuer: 'https://sso.example.com', subject: '42' },
    claims: { sub: '42', name: 'Ada' },
    rights: { role: 'editor', environments: null },
    attempt: makeAttempt('/', clock.ms),
    address: '192.0.2.1',
    cookie: randomBytes(32).toString('base64url'),
    sessionMs: 10 * hourMs,
    sessionIdleMs: 12 * hourMs,
    ...change,
  };
}

function me({ api }: Tested, { cookie }: Admission) {
  return api.browse('GET', `${path}/me`, {
    cookie: `loadout-${api.store.id.slice(0, 8)}=${cookie}`,
  });
}

describe('a person from the provider', () => {
  it('stays for so many hours at most, however busy they are', async () => {
    const tested = await start();
    const admission = admissionOf(tested);
    expect(await admitPerson(tested.api.store, admission)).toBeNull();
    const end = '2026-01-01T10:00:00.000Z';
    expect((await me(tested, admission)).body.session.expiresAt).toBe(end);
    for (let hour = 1; hour < 10; hour++) {
      tested.clock.ms += hourMs;
      expect((await me(tested, admission)).body.session.expiresAt).toBe(end);
    }
    tested.clock.ms += hourMs;
    expect((await me(tested, admission)).status).toBe(401);
  });

  it('has a role in the environments that there are, and in no other', async () => {
    const tested = await start();
    await tested.api.call('POST', `${path}/environments`, { id: 'dev', name: 'Dev' });
    const admission = admissionOf(tested, {
      rights: { role: 'owner', environments: ['dev', 'later'] },
    });
    await admitPerson(tested.api.store, admission);
    expect((await me(tested, admission)).body.environments).toEqual(['dev']);
  });

  it('is another one where issuer or subject differs, whatever their names', async () => {
    const tested = await start();
    const names: string[] = [];
    for (const identity of [
      { issuer: 'https://sso.example.com', subject: '42' },
      { issuer: 'https://sso.example.com', subject: '43' },
      { issuer: 'https://other.example.com', subject: '42' },
      { issuer: 'https://sso.example.com', subject: '42' },
    ]) {
      const admission = admissionOf(tested, { identity });
      await admitPerson(tested.api.store, admission);
      names.push((await me(tested, admission)).body.name);
    }
    expect(names).toEqual(['Ada', 'Ada (2)', 'Ada (3)', 'Ada']);
  });

  it('signs in once with an attempt, and at the same time as well', async () => {
    const tested = await start();
    const attempt = makeAttempt('/', tested.clock.ms);
    const results = await Promise.all(
      [0, 1, 2, 3].map(() => admitPerson(tested.api.store, admissionOf(tested, { attempt }))),
    );
    expect(results.sort()).toEqual(['attempt_ended', 'attempt_ended', 'attempt_ended', null]);
    // What is spent is forgotten once it would have expired.
    tested.clock.ms += 11 * 60_000;
    await admitPerson(tested.api.store, admissionOf(tested));
    const rows = await tested.api.store.read((db) =>
      db.selectFrom('spentSignIns').selectAll().execute(),
    );
    expect(rows.length).toBe(1);
  });

  it('does not count as the last owner, who must get in without the provider', async () => {
    const tested = await start();
    const rights = { role: 'owner', environments: null } as const;
    const admission = admissionOf(tested, { rights });
    await admitPerson(tested.api.store, admission);
    const { body } = await tested.api.call('GET', `${path}/users`);
    const local = body.users.find(({ origin }: { origin: string }) => origin === 'local');
    const removed = await tested.api.call('DELETE', `${path}/users/${local.id}`);
    expect([removed.status, removed.body.code]).toEqual([409, 'last_owner']);
  });

  it('is refused without rights; who was never here leaves no user behind', async () => {
    const tested = await start();
    const admission = admissionOf(tested, { rights: null });
    expect(await admitPerson(tested.api.store, admission)).toBe('no_group');
    const { body } = await tested.api.call('GET', `${path}/users`);
    expect(body.users.length).toBe(1);
    expect(
      (await tested.api.call('GET', `${path}/audit?action=session.refuse`)).body.events,
    ).toEqual([]);
  });
});

describe('the steps that one address may take', () => {
  it('are bounded, and leave others theirs', () => {
    const steps = new ProviderSteps(startMs);
    const taken = Array.from({ length: 2 * providerStepsAtOnceMax }, () =>
      steps.take('192.0.2.1', startMs),
    );
    expect(taken.filter(Boolean).length).toBe(providerStepsAtOnceMax);
    expect(steps.take('192.0.2.2', startMs)).toBe(true);
    expect(steps.take('192.0.2.1', startMs + 1_000)).toBe(true);
  });

  it('are bounded for all addresses together', () => {
    const steps = new ProviderSteps(startMs);
    const taken = Array.from({ length: 1_000 }, (_, index) =>
      steps.take(`198.18.${index >> 8}.${index & 255}`, startMs),
    );
    expect(taken.filter(Boolean).length).toBe(300);
  });
});
