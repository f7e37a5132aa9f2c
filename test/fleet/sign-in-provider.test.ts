/** Signing in through an OpenID provider where two servers share a store: a balancer sends each step to either. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { CookieJar } from '../support/oidc/cookie-jar.js';
import { clientSecret, TestedProvider } from '../support/oidc/tested-provider.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { previousCommit, previousProgram } from '../support/server/previous-build.js';
import { startServer } from '../support/server/server.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';

describe.skipIf(!hasPostgres)('a sign-in in a fleet', () => {
  it('begins at one server, ends at the other, counts at both, and is used once', async () => {
    const database = await freshDatabase();
    const adminPort = await freeLoopbackPort();
    const consoleUrl = `http://127.0.0.1:${adminPort}`;
    const provider = await TestedProvider.start({ consoleUrl });
    onTestFinished(() => provider.stop());
    provider.groups.set('ada', ['live-ops']);
    const start = async (port: number) => {
      const server = await startServer({
        ...{ listeners: 1, adminPort: port },
        flags: [...provider.flags(consoleUrl, 'live-ops=editor'), '--database', database],
        env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
      });
      onTestFinished(async () => {
        await server.stop();
      });
      return server;
    };
    const first = await start(0);
    // The address that the provider sends people back to.
    const second = await start(adminPort);
    const jar = new CookieJar();
    const callback = await jar.comeBack(first.adminUrl, 'ada');
    expect(callback).toContain(`${second.adminUrl}/auth/oidc/callback?`);
    const attempt = new Map(jar.cookies);
    expect((await jar.send(callback)).header('location')).toBe(`${consoleUrl}/`);
    for (const { adminUrl } of [first, second]) {
      const { json } = await jar.send(`${adminUrl}/admin/v1/me`);
      expect(json).toMatchObject({ name: 'ada', role: 'editor' });
    }
    // At the other one, with the cookie kept, and a provider that would take the code again.
    let taken = '';
    provider.tampers.set('/token', ({ status, text }, reply) => {
      if (taken === '' && status === 200) taken = text;
      reply.writeHead(200, { 'content-type': 'application/json' }).end(taken);
      return null;
    });
    const next = new CookieJar();
    for (const [name, value] of attempt) next.cookies.set(name, value);
    const again = await next.comeBack(first.adminUrl, 'ada');
    const kept = new Map(next.cookies);
    expect((await next.send(again)).header('location')).toBe(`${consoleUrl}/`);
    const thief = new CookieJar();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    const refused = await thief.send(again.replace(second.adminUrl, first.adminUrl));
    expect(refused.header('location')).toBe(`${consoleUrl}/?sign-in-failure=attempt_ended`);
  });

  it('counts at a server of the version before, which was there first', async () => {
    const database = await freshDatabase();
    const adminPort = await freeLoopbackPort();
    const consoleUrl = `http://127.0.0.1:${adminPort}`;
    const provider = await TestedProvider.start({ consoleUrl });
    onTestFinished(() => provider.stop());
    provider.groups.set('ada', ['live-ops']);
    const program = previousProgram(previousCommit);
    const older = await startServer({ program, listeners: 1, flags: ['--database', database] });
    onTestFinished(async () => {
      await older.stop();
    });
    const newer = await startServer({
      ...{ listeners: 1, adminPort },
      flags: [...provider.flags(consoleUrl, 'live-ops=editor'), '--database', database],
      env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
    });
    onTestFinished(async () => {
      await newer.stop();
    });
    const jar = new CookieJar();
    await jar.send(await jar.comeBack(consoleUrl, 'ada'));
    const { status, json } = await jar.send(`${older.adminUrl}/admin/v1/me`);
    expect([status, json.name, json.role]).toEqual([200, 'ada', 'editor']);
    const tokens = await older.admin('GET', `/admin/v1/users/${json.id}/tokens`);
    expect([tokens.status, tokens.json.tokens.length]).toEqual([200, 1]);
    // Leaving the groups ends the session there as well.
    provider.groups.set('ada', []);
    const next = new CookieJar();
    await next.send(await next.comeBack(consoleUrl, 'ada'));
    expect((await jar.send(`${older.adminUrl}/admin/v1/me`)).status).toBe(401);
  }, 600_000);
});
