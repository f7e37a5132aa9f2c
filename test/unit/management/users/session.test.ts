/** Signing in at the console with a token: what the cookie is worth, for how long, and to whom. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signInsAtOnceMax } from '../../../../src/contract/limits.js';
import {
  lastUsedEveryMsMax,
  sessionsPerUserMax,
  signInTokensMax,
} from '../../../../src/management/limits/sessions.js';
import { SignIns } from '../../../../src/management/session/sign-ins.js';
import {
  type Answer,
  type Harness,
  openStore,
  ownerToken,
  startApi,
  startMs,
  temporaryFolder,
  tokenOf,
} from '../harness.js';

const path = '/admin/v1/session';
const me = '/admin/v1/me';
const fromConsole = { 'x-loadout-console': '1' };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function signIn(
  api: Harness,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return api.browse('POST', path, { ...fromConsole, ...headers }, { token });
}

/** `name=value`, as a browser sends it back. */
function cookieOf(answer: Answer): string {
  expect(answer.status, answer.text).toBe(201);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function expectEnded(api: Harness, cookie: string): Promise<void> {
  const ended = await api.browse('GET', me, { cookie });
  expect([ended.status, ended.body.code]).toEqual([401, 'invalid_token']);
  // A late answer must not clear the cookie of whoever has signed in since.
  expect(ended.headers.getSetCookie()).toEqual([]);
}

async function sessionEvents(api: Harness): Promise<{ action: string; userName: string }[]> {
  return (await api.call('GET', '/admin/v1/audit?action=session')).body.events;
}

/** A store and an API whose clock a test moves. */
async function startWithClock(
  sessionIdleMs?: number,
  file: string = join(temporaryFolder(), 'store.db'),
): Promise<{ api: Harness; clock: { ms: number }; file: string }> {
  const clock = { ms: startMs };
  const now = (): number => clock.ms;
  const store = await openStore(file, now);
  const more = sessionIdleMs === undefined ? {} : { sessionIdleMs };
  return { api: await startApi({}, { store, now, ...more }), clock, file };
}

describe('signing in', () => {
  it('takes a token, says who it is of, and sets a cookie that stands for it', async () => {
    const api = await startApi();
    const token = await tokenOf(api, 'editor');
    const made = await signIn(api, token);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      user: expect.objectContaining({
        name: 'the editor',
        role: 'editor',
        token: expect.objectContaining({ source: 'made' }),
        session: { expiresAt: '2026-01-01T12:00:00.000Z' },
      }),
      expiresAt: '2026-01-01T12:00:00.000Z',
    });
    const [set = '', ...others] = made.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(set).toMatch(
      new RegExp(
        `^loadout-${api.store.id.slice(0, 8)}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    const { status, body } = await api.browse('GET', me, { cookie: cookieOf(made) });
    expect([status, body]).toEqual([200, made.body.user]);
    // What is kept tells nobody the cookie.
    const rows = await api.store.read((db) => db.selectFrom('sessions').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(set.split(/[=;]/)[1]);
  });

  it('is refused with a token that nobody has', async () => {
    const api = await startApi();
    const wrong = await signIn(api, 'a-token-that-nobody-has');
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_token']);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(257) }, { token: 'a', more: 1 }])(
    'is refused when it is not asked for as the document says: %j',
    async (body) => {
      const api = await startApi();
      const refused = await api.browse('POST', path, fromConsole, body);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
    },
  );

  it('reads no more than a token takes before it knows who asks', async () => {
    const api = await startApi();
    const refused = await api.browse('POST', path, fromConsole, { token: 'x'.repeat(20_000) });
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
  });

  it('is slowed down together with wrong tokens in a header, and no way around them', async () => {
    const api = await startApi({}, { wrongTokens: { atOnceMax: 3, atOnceMaxOverall: 100 } });
    for (const token of ['wrong-1', 'wrong-2']) expect((await signIn(api, token)).status).toBe(401);
    expect((await api.call('GET', me, undefined, 'wrong-3')).status).toBe(401);
    const slowed = await signIn(api, 'wrong-4');
    expect([slowed.status, slowed.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    // The owner's token was right lately, and signs in all the same.
    expect((await signIn(api, ownerToken)).status).toBe(201);
  });

  it('is slowed down when a token does it again and again, and no other token with it', async () => {
    const { api, clock } = await startWithClock();
    const editor = await tokenOf(api, 'editor');
    for (let count = 0; count < signInsAtOnceMax; count += 1) {
      expect((await signIn(api, ownerToken)).status).toBe(201);
    }
    const slowed = await signIn(api, ownerToken);
    expect([slowed.status, slowed.body.code]).toEqual([429, 'rate_limited']);
    expect(slowed.headers.get('retry-after')).toBe('10');
    expect(slowed.headers.getSetCookie()).toEqual([]);
    expect(await sessionEvents(api)).toHaveLength(signInsAtOnceMax);
    expect((await signIn(api, editor)).status).toBe(201);
    clock.ms += 10_000;
    expect((await signIn(api, ownerToken)).status).toBe(201);
    expect((await signIn(api, ownerToken)).status).toBe(429);
  });

  it('is counted for so many tokens and no more: the one not seen longest is forgotten', () => {
    const signIns = new SignIns();
    for (let count = 0; count <= signInsAtOnceMax; count += 1) signIns.secondsToWait('first', 0);
    expect(signIns.secondsToWait('first', 0)).toBe(10);
    for (let count = 0; count < signInTokensMax; count += 1) signIns.secondsToWait(`${count}`, 0);
    expect(signIns.secondsToWait('first', 0)).toBe(0);
  });

  it('again ends the session that the browser had, which it forgets', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, await tokenOf(api, 'editor')));
    const second = cookieOf(await signIn(api, ownerToken, { cookie }));
    expect(second).not.toBe(cookie);
    await expectEnded(api, cookie);
    expect((await api.browse('GET', me, { cookie: second })).body.role).toBe('owner');
  });

  it('is told to the audit, and so is signing out, with who and from where, without a secret', async () => {
    const api = await startApi();
    const token = await tokenOf(api, 'editor');
    const cookie = cookieOf(await signIn(api, token));
    await api.browse('DELETE', path, { ...fromConsole, cookie });
    const events = await sessionEvents(api);
    expect(events).toEqual([
      expect.objectContaining({ action: 'session.delete', userName: 'the editor' }),
      expect.objectContaining({
        action: 'session.create',
        userName: 'the editor',
        address: '127.0.0.1',
        name: expect.stringMatching(/^session_[0-9a-f]{16}$/),
        details: expect.objectContaining({ prefix: token.slice(0, 8) }),
      }),
    ]);
    const text = JSON.stringify(events);
    expect(text).not.toContain(token);
    expect(text).not.toContain(cookie.split('=')[1]);
  });
});

describe('over https, as a proxy that is trusted says', () => {
  it('the cookie is Secure and bound to the host', async () => {
    const api = await startApi({}, { trustedProxies: ['127.0.0.1'] });
    const https = { 'x-forwarded-proto': 'https' };
    const made = await signIn(api, ownerToken, https);
    expect(made.headers.getSetCookie()[0]).toMatch(/^__Host-loadout-.*; HttpOnly; Secure; Same/);
    const cookie = cookieOf(made);
    expect((await api.browse('GET', me, { cookie, ...https })).status).toBe(200);
    expect((await api.browse('GET', me, { cookie })).status).toBe(401);
  });

  it('and nobody else is believed', async () => {
    const api = await startApi();
    const made = await signIn(api, ownerToken, { 'x-forwarded-proto': 'https' });
    expect(made.headers.getSetCookie()[0]).not.toContain('Secure');
  });
});

describe('a session', () => {
  it('may do what its user may, as of now', async () => {
    const api = await startApi();
    const made = await api.call('POST', '/admin/v1/users', { name: 'eve', role: 'editor' });
    const cookie = cookieOf(await signIn(api, made.body.token));
    const save = (): Promise<Answer> =>
      api.browse(
        'PUT',
        '/admin/v1/environments/dev/contents/shop',
        { ...fromConsole, cookie },
        { text: '1' },
      );
    expect((await save()).status).toBe(201);
    const user = `/admin/v1/users/${made.body.id}`;
    await api.call('PATCH', user, { role: 'viewer' });
    expect([(await save()).status, (await save()).body.code]).toEqual([403, 'forbidden']);
    await api.call('PATCH', user, { environments: [] });
    const hidden = await api.browse('GET', '/admin/v1/environments/dev', { cookie });
    expect(hidden.status).toBe(404);
    expect((await api.browse('GET', '/admin/v1/users', { cookie })).status).toBe(403);
  });

  it('counts after a token in the head, which needs nothing else', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, await tokenOf(api, 'viewer')));
    const headers = { cookie, authorization: `Bearer ${ownerToken}` };
    const { body } = await api.browse('GET', me, headers);
    expect([body.role, body.session]).toEqual(['owner', null]);
    const made = await api.browse('POST', '/admin/v1/environments', headers, { id: 'more' });
    expect(made.status).toBe(201);
    const wrong = await api.browse('GET', me, { cookie, authorization: 'Bearer wrong' });
    expect(wrong.status).toBe(401);
  });

  it('is not hidden by a proxy that wants a password of its own', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    const headers = { cookie, authorization: 'Basic c3R1ZGlvOnNlY3JldA==' };
    expect((await api.browse('GET', me, headers)).status).toBe(200);
  });

  it('ends with its token, and with its user', async () => {
    const api = await startApi();
    for (const of of ['token', 'user']) {
      const made = await api.call('POST', '/admin/v1/users', { name: `by ${of}`, role: 'owner' });
      const cookie = cookieOf(await signIn(api, made.body.token));
      const { body } = await api.browse('GET', me, { cookie });
      const user = `/admin/v1/users/${made.body.id}`;
      const gone = of === 'user' ? user : `${user}/tokens/${body.token.id}`;
      expect((await api.call('DELETE', gone)).status).toBe(200);
      await expectEnded(api, cookie);
    }
    const rows = await api.store.read((db) => db.selectFrom('sessions').selectAll().execute());
    expect(rows).toEqual([]);
  });

  it('ends by signing out, for which it need not be there any more', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    for (const headers of [{ cookie }, { cookie }, {}, { cookie: 'loadout-00000000=x' }]) {
      const out = await api.browse('DELETE', path, { ...fromConsole, ...headers });
      expect([out.status, out.text]).toEqual([204, '']);
      expect(out.headers.getSetCookie()[0]).toMatch(/^loadout-[0-9a-f]{8}=; Max-Age=0; Path=\//);
      await expectEnded(api, cookie);
    }
    expect(await sessionEvents(api)).toHaveLength(2);
  });

  it('takes with it what it is still being told', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    const stream = await fetch(`${api.url}/admin/v1/audit/stream`, { headers: { cookie } });
    expect(stream.status).toBe(200);
    await api.browse('DELETE', path, { ...fromConsole, cookie });
    // The end of the stream: what happened at last is not told any more.
    expect(await stream.text()).toBe('\n');
  });

  it('ends when it is not used for some hours, and not before', async () => {
    const { api, clock } = await startWithClock();
    const cookie = cookieOf(await signIn(api, ownerToken));
    clock.ms += 12 * hourMs - 1;
    const used = await api.browse('GET', me, { cookie });
    expect(used.body.session.expiresAt).toBe('2026-01-01T23:59:59.999Z');
    clock.ms += 12 * hourMs - 1;
    expect((await api.browse('GET', me, { cookie })).status).toBe(200);
    clock.ms += 12 * hourMs;
    await expectEnded(api, cookie);
  });

  it('is not used by what a page asks for while nobody is at it', async () => {
    const { api, clock } = await startWithClock(2 * hourMs);
    const cookie = cookieOf(await signIn(api, ownerToken));
    for (let asked = 0; asked < 3; asked += 1) {
      clock.ms += hourMs - 1;
      const answer = await api.browse('GET', me, { cookie, 'x-loadout-unattended': '1' });
      expect(answer.status).toBe(asked < 2 ? 200 : 401);
    }
    await expectEnded(api, cookie);
  });

  it('ends after 30 days, however much it is used', async () => {
    const { api, clock } = await startWithClock(30 * dayMs);
    const cookie = cookieOf(await signIn(api, ownerToken));
    clock.ms += 30 * dayMs - 1;
    const used = await api.browse('GET', me, { cookie });
    expect(used.body.session.expiresAt).toBe('2026-01-31T00:00:00.000Z');
    clock.ms += 1;
    await expectEnded(api, cookie);
  });

  it('is there after a restart, with the time of its last use', async () => {
    const first = await startWithClock();
    const cookie = cookieOf(await signIn(first.api, ownerToken));
    await first.api.browse('GET', me, { cookie });
    first.clock.ms += 11 * hourMs;
    await first.api.browse('GET', me, { cookie });
    await first.api.close();
    await first.api.lastUsed.close();
    const second = await startWithClock(undefined, first.file);
    second.clock.ms = startMs + 22 * hourMs;
    expect((await second.api.browse('GET', me, { cookie })).status).toBe(200);
  });

  it('is none at another store, by whatever name the cookie is sent', async () => {
    const first = await startWithClock();
    const cookie = cookieOf(await signIn(first.api, ownerToken));
    await first.api.close();
    // What a restore from a backup does.
    await first.api.store.write({ userId: '', name: '', role: 'owner', address: '' }, ({ db }) =>
      db
        .updateTable('storeState')
        .set({ storeId: `${first.api.store.id.slice(0, 8)}-another` })
        .execute(),
    );
    const second = await startWithClock(undefined, first.file);
    await expectEnded(second.api, cookie);
  });

  it('is one of a few for each user: the one not used for longest goes first', async () => {
    const { api, clock } = await startWithClock();
    const other = cookieOf(await signIn(api, await tokenOf(api, 'editor')));
    const cookies: string[] = [];
    for (let count = 0; count < sessionsPerUserMax; count++) {
      clock.ms += 10_000;
      cookies.push(cookieOf(await signIn(api, ownerToken)));
    }
    const [first = '', second = ''] = cookies;
    clock.ms += 10_000;
    expect((await api.browse('GET', me, { cookie: first })).status).toBe(200);
    await api.lastUsed.write();
    await signIn(api, ownerToken);
    await expectEnded(api, second);
    for (const cookie of [first, other]) {
      expect((await api.browse('GET', me, { cookie })).status).toBe(200);
    }
  });

  it('leaves nothing behind: who signs in sweeps up what has ended', async () => {
    const { api, clock } = await startWithClock();
    await signIn(api, ownerToken);
    clock.ms += 12 * hourMs + lastUsedEveryMsMax + 1;
    await signIn(api, await tokenOf(api, 'editor'));
    const rows = await api.store.read((db) => db.selectFrom('sessions').selectAll().execute());
    expect(rows).toHaveLength(1);
  });

  it('is not swept up while its last use waits to be written', async () => {
    const { api, clock } = await startWithClock();
    const cookie = cookieOf(await signIn(api, ownerToken));
    await api.browse('GET', me, { cookie });
    await api.lastUsed.write();
    // So soon after the first use this one waits.
    clock.ms += 60_000;
    await api.browse('GET', me, { cookie });
    clock.ms += 12 * hourMs - 1;
    await signIn(api, await tokenOf(api, 'editor'));
    expect((await api.browse('GET', me, { cookie })).status).toBe(200);
  });

  it.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}%`, 'A'.repeat(5_000)])(
    'is none when the cookie is %j',
    async (value) => {
      const api = await startApi();
      const cookie = `loadout-${api.store.id.slice(0, 8)}=${value}; =; ;;a`;
      const refused = await api.browse('GET', me, { cookie });
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_token']);
    },
  );

  it('keeps its answers from caches, and from pages of other origins', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    for (const { headers } of [
      await api.browse('GET', me, { cookie }),
      await api.call('GET', me),
    ]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('another page that makes the browser ask', () => {
  const expectCrossSite = ({ status, body }: Answer): void => {
    expect([status, body.code]).toEqual([403, 'cross_site']);
  };

  it('changes nothing with the cookie: it cannot send the header of the console', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    for (const header of [{}, { 'x-loadout-console': '' }, { 'x-loadout-console': '0' }]) {
      const sent = { cookie, ...header };
      expectCrossSite(await api.browse('POST', '/admin/v1/environments', sent, { id: 'more' }));
      expectCrossSite(await api.browse('DELETE', '/admin/v1/environments/dev', sent));
      expectCrossSite(await api.browse('DELETE', path, sent));
    }
    const { body } = await api.browse('GET', '/admin/v1/environments', { cookie });
    expect(body.environments).toMatchObject([{ id: 'dev' }]);
  });

  it('is told from the console by the browser, even on another port of the host', async () => {
    const api = await startApi();
    const cookie = cookieOf(await signIn(api, ownerToken));
    for (const site of ['cross-site', 'same-site', 'whatever']) {
      const sent = { ...fromConsole, cookie, 'sec-fetch-site': site };
      expectCrossSite(await api.browse('GET', me, sent));
      expectCrossSite(await api.browse('POST', '/admin/v1/environments', sent, { id: 'more' }));
      expectCrossSite(await api.browse('DELETE', path, sent));
      expectCrossSite(await signIn(api, ownerToken, { 'sec-fetch-site': site }));
    }
    for (const site of ['same-origin', 'none']) {
      const sent = { ...fromConsole, cookie, 'sec-fetch-site': site };
      expect((await api.browse('GET', me, sent)).status).toBe(200);
      const made = await api.browse('POST', '/admin/v1/environments', sent, { id: site });
      expect(made.status).toBe(201);
    }
  });

  it('signs nobody in', async () => {
    const api = await startApi();
    expectCrossSite(await api.browse('POST', path, {}, { token: ownerToken }));
  });

  it('is granted nothing when its browser asks beforehand', async () => {
    const api = await startApi();
    const preflight = await fetch(api.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://127.0.0.1:9',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-loadout-console',
      },
    });
    expect(preflight.status).toBe(405);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
  });
});
