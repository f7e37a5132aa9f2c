/** Signing in through a real OpenID provider over HTTP, and what a hostile one, a hostile page or a hostile browser gets. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CookieJar, locationOf } from '../../support/oidc/cookie-jar.js';
import {
  clientSecret,
  makeSigningKey,
  TestedProvider,
} from '../../support/oidc/tested-provider.js';
import { sharedServer, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import type { Answer } from '../../support/wire/exchange.js';
import { freeLoopbackPort } from '../../support/wire/loopback-port.js';

const roles = 'admins=owner;live-ops=editor;watchers=viewer';

let provider: TestedProvider;
let server: LoadoutServer;
let consoleUrl: string;

beforeAll(async () => {
  const adminPort = await freeLoopbackPort();
  consoleUrl = `http://127.0.0.1:${adminPort}`;
  provider = await TestedProvider.start({ consoleUrl });
  provider.groups.set('ada', ['live-ops', 'watchers', 'something else']);
  server = await startServer({
    listeners: 1,
    adminPort,
    flags: provider.flags(consoleUrl, roles),
    env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
  });
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});
afterEach(() => provider.tampers.clear());

async function me(jar: CookieJar): Promise<Answer> {
  return jar.send(`${consoleUrl}/admin/v1/me`);
}

/** @returns the code that the console is told; null: none, and where it goes on */
function failureIn(answer: Answer): string | null {
  expect(answer.status).toBe(302);
  const url = new URL(locationOf(answer, consoleUrl));
  expect(url.origin).toBe(consoleUrl);
  return url.searchParams.get('sign-in-failure');
}

async function expectRejected(jar: CookieJar, callback: string, code = 'rejected'): Promise<void> {
  expect(failureIn(await jar.send(callback))).toBe(code);
  expect((await me(jar)).status).toBe(401);
}

describe('a sign-in', () => {
  it('goes to the provider with PKCE, state and nonce, and comes back to the page it began at', async () => {
    const jar = new CookieJar();
    const authorize = new URL(await jar.begin(consoleUrl, '/environments/production?tab=keys'));
    expect(authorize.origin).toBe(provider.issuer);
    const query = Object.fromEntries(authorize.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      scope: 'openid profile groups',
      code_challenge_method: 'S256',
      redirect_uri: `${consoleUrl}/auth/oidc/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(query[name]).toMatch(/^[\w-]{43}$/);
    }
    const callback = await jar.signInAtProvider(authorize.href, 'ada');
    const back = await jar.send(callback);
    expect(back.header('location')).toBe(`${consoleUrl}/environments/production?tab=keys`);
    expect(back.header('cache-control')).toBe('no-store');
    expect(back.header('referrer-policy')).toBe('no-referrer');
    expect(back.headers['set-cookie']?.join('\n')).toMatch(
      /loadout-[0-9a-f]{8}=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/m,
    );
    const { json } = await me(jar);
    expect(json).toMatchObject({
      ...{ name: 'ada', role: 'editor', environments: null, origin: 'provider', service: false },
      token: { source: 'provider' },
    });
    const hours = (Date.parse(json.session.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(9.9);
    expect(hours).toBeLessThanOrEqual(10);
  });

  it('is the same user each time, whose role follows the groups in every session at once', async () => {
    provider.groups.set('grace', ['watchers']);
    const [first, second] = [new CookieJar(), new CookieJar()];
    await first.send(await first.comeBack(consoleUrl, 'grace'));
    const before = (await me(first)).json;
    expect(before.role).toBe('viewer');
    provider.groups.set('grace', ['admins', 'watchers']);
    await second.send(await second.comeBack(consoleUrl, 'grace'));
    const after = (await me(first)).json;
    expect([after.id, after.role]).toEqual([before.id, 'owner']);
    const { json } = await server.admin('GET', `/admin/v1/audit?action=user.update`);
    expect(json.events[0]).toMatchObject({ name: before.id, userName: 'system' });
  });

  it('is refused without a group, and ends the sessions and tokens of before', async () => {
    provider.groups.set('linus', ['admins']);
    const jar = new CookieJar();
    await jar.send(await jar.comeBack(consoleUrl, 'linus'));
    const { id } = (await me(jar)).json;
    const made = await server.admin('POST', `/admin/v1/users/${id}/tokens`, { label: 'laptop' });
    expect(made.status).toBe(201);
    const withToken = { headers: { authorization: `Bearer ${made.json.token}` } };
    const bare = new CookieJar();
    expect((await bare.send(`${consoleUrl}/admin/v1/me`, withToken)).status).toBe(200);
    provider.groups.set('linus', ['another team']);
    const later = new CookieJar();
    await expectRejected(later, await later.comeBack(consoleUrl, 'linus'), 'no_group');
    expect((await me(jar)).status).toBe(401);
    expect((await bare.send(`${consoleUrl}/admin/v1/me`, withToken)).status).toBe(401);
    const { json } = await server.admin('GET', '/admin/v1/audit?action=session.refuse');
    expect(json.events[0]).toMatchObject({ name: id, details: { userName: 'linus' } });
  });

  it('never becomes a user that is there already, whatever the person is called', async () => {
    provider.groups.set('owner', ['watchers']);
    const jar = new CookieJar();
    await jar.send(await jar.comeBack(consoleUrl, 'owner'));
    expect((await me(jar)).json).toMatchObject({ name: 'owner (2)', role: 'viewer' });
  });

  it('makes users whose role the provider has, and who can be removed', async () => {
    provider.groups.set('margaret', ['live-ops']);
    const jar = new CookieJar();
    await jar.send(await jar.comeBack(consoleUrl, 'margaret'));
    const path = `/admin/v1/users/${(await me(jar)).json.id}`;
    expect((await server.admin('PATCH', path, { role: 'owner' })).json.code).toBe(
      'user_of_provider',
    );
    expect((await server.admin('GET', `${path}/tokens`)).json.tokens).toEqual([]);
    expect((await server.admin('DELETE', path)).status).toBe(200);
    expect((await me(jar)).status).toBe(401);
  });

  it('ends here with the session, and at the provider where it offers that', async () => {
    const jar = new CookieJar();
    await jar.send(await jar.comeBack(consoleUrl, 'ada'));
    const headers = { 'x-loadout-console': '1' };
    const ended = await jar.send(`${consoleUrl}/admin/v1/session`, { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    expect((await me(jar)).status).toBe(401);
    const url = new URL(locationOf(await jar.send(`${consoleUrl}/auth/oidc/sign-out`), consoleUrl));
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'loadout-console',
      post_logout_redirect_uri: `${consoleUrl}/`,
    });
  });
});

describe('a provider that is hostile', () => {
  const hour = 3_600;
  const now = (): number => Math.floor(Date.now() / 1_000);
  const changes = {
    'another audience': (claims) => ({ ...claims, aud: 'another-client' }),
    'more audiences without azp': (claims) => ({ ...claims, aud: ['loadout-console', 'other'] }),
    'another azp': (claims) => ({ ...claims, azp: 'another-client' }),
    'an end that has passed': (claims) => ({ ...claims, iat: now() - hour, exp: now() - 60 }),
    'no end': ({ exp: _exp, ...claims }) => claims,
    'no time of issue': ({ iat: _iat, ...claims }) => claims,
    'another nonce': (claims) => ({ ...claims, nonce: 'another-nonce' }),
    'no nonce': ({ nonce: _nonce, ...claims }) => claims,
    'another issuer': (claims) => ({ ...claims, iss: 'https://accounts.example.com' }),
    'no subject': ({ sub: _sub, ...claims }) => claims,
    'a key that it does not publish': async (claims) =>
      provider.sign(claims, await makeSigningKey('unknown')),
    'another key under the name of its own': async (claims) =>
      provider.sign(claims, await makeSigningKey('first')),
    'no signature': async (claims) => unsigned(claims, 'none'),
    'the client secret as its key': async (claims) => {
      const { SignJWT } = await import('jose');
      const key = new TextEncoder().encode(clientSecret);
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key);
    },
  } satisfies Readonly<Record<string, Parameters<TestedProvider['swapIdToken']>[0]>>;

  it.each(Object.entries(changes))('gets nowhere with %s', async (_name, change) => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.swapIdToken(change);
    await expectRejected(jar, callback);
  });

  it('is believed again when nothing is changed but the signature is made anew', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.swapIdToken((claims) => claims);
    expect(failureIn(await jar.send(callback))).toBeNull();
    expect((await me(jar)).status).toBe(200);
  });

  it('may replace its keys at any time', async () => {
    const next = await makeSigningKey('second');
    provider.tampers.set('/jwks', () => JSON.stringify({ keys: [next.publicJwk] }));
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.swapIdToken((claims) => provider.sign(claims, next));
    expect(failureIn(await jar.send(callback))).toBeNull();
    // What its earlier key has signed is not believed any more.
    const later = new CookieJar();
    const again = await later.comeBack(consoleUrl, 'ada');
    provider.swapIdToken((claims) => claims);
    await expectRejected(later, again);
  });

  it('cannot send an id token without an end to it', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.tampers.set('/token', (_response, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const piece = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (!reply.destroyed && reply.write(piece));
        if (!reply.destroyed) reply.once('drain', write);
      };
      write();
      return null;
    });
    await expectRejected(jar, callback, 'provider_away');
  });

  it('is given up when it does not respond, or only byte by byte', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.tampers.set('/token', (_response, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => reply.write(' '), 500);
      reply.once('close', () => clearInterval(timer));
      return null;
    });
    const began = Date.now();
    await expectRejected(jar, callback, 'provider_away');
    expect(Date.now() - began).toBeLessThan(20_000);
  });

  it('cannot have the secret sent elsewhere by a redirect', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.tampers.set('/token', (_response, reply) => {
      reply.writeHead(307, { location: `${provider.issuer}/elsewhere` }).end();
      return null;
    });
    await expectRejected(jar, callback);
    expect(provider.asked).not.toContain('/elsewhere');
  });

  it.each([
    ['names groups elsewhere, as for people in too many', { _claim_names: { groups: 'src1' } }],
    ['sends groups that are no text', { groups: [{ id: 1 }] }],
  ])('%s: that is said', async (_name, claims) => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.swapIdToken(({ groups: _groups, ...others }) => ({ ...others, ...claims }));
    await expectRejected(jar, callback, 'groups_unreadable');
  });

  it('logs what was wrong by its code, without claims, codes or tokens', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    provider.swapIdToken((claims) => ({ ...claims, aud: 'an-audience-to-look-for' }));
    await expectRejected(jar, callback);
    const lines = server.stderr.split('\n').filter((line) => line.includes('oidc_sign_in_failed'));
    expect(lines.at(-1)).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED');
    expect(server.stderr).not.toContain('an-audience-to-look-for');
    expect(server.stderr).not.toContain(new URL(callback).searchParams.get('code'));
    expect(server.stderr).not.toContain(clientSecret);
  });
});

describe('a callback', () => {
  it('counts once', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    const kept = new Map(jar.cookies);
    expect(failureIn(await jar.send(callback))).toBeNull();
    expect(failureIn(await jar.send(callback))).toBe('attempt_ended');
    // A browser that keeps the cookie nevertheless: the provider takes the code once only.
    const thief = new CookieJar();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    await expectRejected(thief, callback);
  });

  it('counts once even if the provider takes a code twice', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    const kept = new Map(jar.cookies);
    let taken: string | null = null;
    provider.tampers.set('/token', ({ status, text }, reply) => {
      taken ??= status === 200 ? text : null;
      reply.writeHead(200, { 'content-type': 'application/json' }).end(taken);
      return null;
    });
    expect(failureIn(await jar.send(callback))).toBeNull();
    const thief = new CookieJar();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    await expectRejected(thief, callback, 'attempt_ended');
  });

  it('counts in the browser alone that began it', async () => {
    const [attacker, victim] = [new CookieJar(), new CookieJar()];
    const callback = await attacker.comeBack(consoleUrl, 'ada');
    await expectRejected(victim, callback, 'attempt_ended');
    // Nor with an attempt of the victim's own.
    await victim.begin(consoleUrl);
    await expectRejected(victim, callback, 'attempt_ended');
  });

  it('is rejected with another state, another issuer, or the code of another attempt', async () => {
    const tampered: readonly ((url: URL) => void)[] = [
      (url) => url.searchParams.set('state', `${url.searchParams.get('state')}`.replace(/.$/, '~')),
      (url) => url.searchParams.delete('state'),
      (url) => url.searchParams.append('state', 'x'),
      (url) => url.searchParams.set('iss', 'https://accounts.example.com'),
      (url) => url.searchParams.delete('iss'),
      (url) => url.searchParams.set('code', 'another-code'),
      (url) => url.searchParams.append('code', 'another-code'),
    ];
    for (const tamper of tampered) {
      const jar = new CookieJar();
      const url = new URL(await jar.comeBack(consoleUrl, 'ada'));
      tamper(url);
      expect(failureIn(await jar.send(url.href)), url.search).toMatch(/^(rejected|attempt_ended)$/);
      expect((await me(jar)).status).toBe(401);
    }
    // The code of one's own other attempt has another verifier and another nonce.
    const jar = new CookieJar();
    const first = new URL(await jar.comeBack(consoleUrl, 'ada'));
    const second = new URL(await jar.comeBack(consoleUrl, 'ada'));
    second.searchParams.set('code', first.searchParams.get('code') ?? '');
    await expectRejected(jar, second.href);
  });

  it('is rejected with a cookie that this server did not make', async () => {
    const jar = new CookieJar();
    const callback = await jar.comeBack(consoleUrl, 'ada');
    for (const [name, value] of jar.cookies) {
      if (!name.includes('-sign-in-')) continue;
      const [payload = '', mac = ''] = value.split('.');
      const attempt = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const changed = JSON.stringify({
        ...attempt,
        returnPath: '//evil.example',
        expiresAtMs: 9e15,
      });
      jar.cookies.set(name, `${Buffer.from(changed).toString('base64url')}.${mac}`);
    }
    await expectRejected(jar, callback, 'attempt_ended');
  });

  it('says that consent was denied, and nothing else of what the provider says', async () => {
    const jar = new CookieJar();
    const authorize = new URL(await jar.begin(consoleUrl, '/people'));
    const query = new URLSearchParams({
      ...{ error: 'access_denied', error_description: '<b>Call +1 555 0100</b>' },
      ...{ state: authorize.searchParams.get('state') ?? '', iss: provider.issuer },
    });
    const back = await jar.send(`${consoleUrl}/auth/oidc/callback?${query}`);
    expect(back.header('location')).toBe(`${consoleUrl}/people?sign-in-failure=denied`);
  });
});

describe('a start', () => {
  it.each([
    ...['//evil.example', '/\\evil.example', 'https://evil.example', '/a/..//evil.example'],
    ...['/\t/evil.example', 'javascript:alert(1)', '/auth/oidc/start', '/admin/v1/me', ''],
  ])('goes on within the console, whatever the link says: %j', async (given) => {
    const jar = new CookieJar();
    const authorize = await jar.begin(consoleUrl, given);
    const back = await jar.send(await jar.signInAtProvider(authorize, 'ada'));
    expect(back.header('location')).toMatch(new RegExp(`^${consoleUrl}/(?!/)`));
    expect(new URL(back.header('location')).pathname).not.toMatch(/^\/(auth|admin|\/)/);
  });

  it('does not take the redirect from the Host header, nor from a proxy nobody trusts', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    ]) {
      const answer = await new CookieJar().send(`${consoleUrl}/auth/oidc/start`, { headers });
      const url = new URL(locationOf(answer, consoleUrl));
      expect(url.href).not.toContain('evil');
      expect([provider.issuer, consoleUrl]).toContain(url.origin);
    }
  });

  it('is not begun by another page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const jar = new CookieJar();
    const answer = await jar.send(`${consoleUrl}/auth/oidc/start`, { headers });
    expect(answer.header('location')).toBe(`${consoleUrl}/`);
    expect(jar.cookies.size).toBe(0);
  });

  it('is no place for HEAD, and takes no other method', async () => {
    for (const method of ['HEAD', 'POST']) {
      const answer = await new CookieJar().send(`${consoleUrl}/auth/oidc/start`, { method });
      expect([method, answer.status]).toEqual([method, 405]);
    }
  });
});

describe('attempts of one browser', () => {
  it('are few, whatever tabs were left, and the newest of them counts', async () => {
    const jar = new CookieJar();
    const page = `/environments/production?filter=${'x'.repeat(900)}`;
    for (let count = 0; count < 12; count++) await jar.begin(consoleUrl, page);
    expect(jar.cookies.size).toBe(4);
    const callback = await jar.comeBack(consoleUrl, 'ada');
    expect(failureIn(await jar.send(callback))).toBeNull();
  });

  it('cannot be spent by other pages, which have no cookie of one', async () => {
    const jar = new CookieJar();
    for (let count = 0; count < 80; count++) {
      const answer = await jar.send(`${consoleUrl}/auth/oidc/callback?code=${count}`);
      expect(failureIn(answer)).toBe('attempt_ended');
    }
    expect(failureIn(await jar.send(await jar.comeBack(consoleUrl, 'ada')))).toBeNull();
  });
});

describe('a server whose provider is away', () => {
  it('starts, serves, lets tokens in, and signs in once the provider is back', async () => {
    const adminPort = await freeLoopbackPort();
    const url = `http://127.0.0.1:${adminPort}`;
    const port = await freeLoopbackPort();
    const issuer = `http://127.0.0.1:${port}`;
    const away = await startServer({
      ...{ listeners: 1, adminPort },
      flags: [...provider.flags(url, roles), '--oidc-issuer', issuer],
      env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
    });
    let back: TestedProvider | null = null;
    try {
      const jar = new CookieJar();
      const failed = await jar.send(`${url}/auth/oidc/start?return=%2Fpeople`);
      expect(failed.header('location')).toBe(`${url}/people?sign-in-failure=provider_away`);
      expect((await away.admin('GET', '/admin/v1/me')).json.role).toBe('owner');
      back = await TestedProvider.start({ consoleUrl: url, port });
      back.groups.set('ada', ['watchers']);
      await jar.send(await jar.comeBack(url, 'ada'));
      expect((await jar.send(`${url}/admin/v1/me`)).json.role).toBe('viewer');
    } finally {
      await away.stop();
      await back?.stop();
    }
  });
});

describe('groups that only userinfo has', () => {
  it('are asked for there', async () => {
    const adminPort = await freeLoopbackPort();
    const url = `http://127.0.0.1:${adminPort}`;
    const other = await TestedProvider.start({ consoleUrl: url, groupsInUserinfo: true });
    other.groups.set('ada', ['watchers']);
    const its = await startServer({
      ...{ listeners: 1, adminPort, flags: other.flags(url, roles) },
      env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
    });
    try {
      const jar = new CookieJar();
      await jar.send(await jar.comeBack(url, 'ada'));
      expect((await jar.send(`${url}/admin/v1/me`)).json.role).toBe('viewer');
      expect(other.asked).toContain('/me');
    } finally {
      await its.stop();
      await other.stop();
    }
  });
});

describe('a server without a provider', () => {
  it('offers none, has no such routes, and has not loaded the library', async () => {
    const plain = sharedServer();
    const headers = { 'x-loadout-console': '1' };
    const jar = new CookieJar();
    const ways = await jar.send(`${plain.adminUrl}/admin/v1/session/ways`, { headers });
    expect(ways.json).toEqual({ provider: null });
    const asPage = { headers: { accept: 'text/html' } };
    for (const step of ['start', 'callback?code=x&state=y', 'sign-out']) {
      expect((await jar.send(`${plain.adminUrl}/auth/oidc/${step}`, asPage)).status).toBe(404);
    }
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'));
    const [library = 'none', ...others] = files.filter((file) =>
      read(file).includes('oauth4webapi/v'),
    );
    expect([library, ...others]).toEqual([expect.stringMatching(/\.js$/)]);
    // Only an `import()` names it, which runs when somebody signs in.
    const statically = new RegExp(`^(?:import|export)\\b[^;]*["']\\./${library}["'];`, 'm');
    expect(files.filter((file) => statically.test(read(file)))).toEqual([]);
    expect(files.filter((file) => read(file).includes(`import("./${library}")`)).length).toBe(1);
  });
});

describe('the rates', () => {
  it('bound what one address may make the server ask of the provider', async () => {
    const jar = new CookieJar();
    let failure: string | null = null;
    for (let count = 0; count < 200 && failure === null; count++) {
      const answer = await jar.send(`${consoleUrl}/auth/oidc/start`);
      failure = new URL(locationOf(answer, consoleUrl)).searchParams.get('sign-in-failure');
      jar.cookies.clear();
    }
    expect(failure).toBe('too_many');
    expect((await server.admin('GET', '/admin/v1/me')).status).toBe(200);
  });
});

const dist = new URL('../../../dist/', import.meta.url);

function read(file: string): string {
  return readFileSync(new URL(file, dist), 'utf8');
}

function unsigned(claims: Readonly<Record<string, unknown>>, alg: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg })}.${part(claims)}.`;
}
