/** The console of a real server: its page and files, signing in, and what ends a session. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder, serveUntilExit, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const path = '/admin/v1/session';
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const assets = fileURLToPath(new URL('../../../dist/console/assets/', import.meta.url));

let server: LoadoutServer;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
});
afterAll(() => server.stop());

function signIn(to: LoadoutServer, token = ownerToken, headers = {}): Promise<Answer> {
  return send(to.adminUrl, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-loadout-console': '1', ...headers },
    body: JSON.stringify({ token }),
  });
}

function cookieOf(answer: Answer): string {
  expect(answer.status, answer.text).toBe(201);
  return answer.header('set-cookie').split(';')[0] ?? '';
}

function ask(of: LoadoutServer, cookie: string, headers = {}): Promise<Answer> {
  return send(of.adminUrl, '/admin/v1/me', { headers: { cookie, ...headers } });
}

describe('the page', () => {
  it('is the same at every path that a person may open, and no refusal of the API', async () => {
    const page = await send(server.adminUrl, '/');
    expect([page.status, page.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.header('cache-control')).toBe('no-store');
    const deep = await send(server.adminUrl, '/env/production/contents/shop', { headers: html });
    const nonce = /name="csp-nonce" content="([^"]+)"/;
    expect(deep.text.replace(nonce, '')).toBe(page.text.replace(nonce, ''));
    expectRefusal(await send(server.adminUrl, '/env/production/contents/shop'), 404, 'not_found');
    expectRefusal(await send(server.adminUrl, '/admin/v1/x', { headers: html }), 404, 'not_found');
    expectRefusal(await send(server.adminUrl, '/assets/x.js', { headers: html }), 404, 'not_found');
  });

  it('holds a new nonce each time, which its policy names, and no script of its own', async () => {
    const policies = new Set<string>();
    for (let count = 0; count < 3; count++) {
      const page = await send(server.adminUrl, '/', { headers: html });
      const nonce = /name="csp-nonce" content="([\w+/=]{24})"/.exec(page.text)?.[1];
      const policy = page.header('content-security-policy');
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(page.text).not.toMatch(/<script(?![^>]* src="\/assets\/)|\son\w+=|<style|style="/);
      policies.add(policy);
    }
    expect(policies.size).toBe(3);
  });

  it('is made of files that are kept for ever, and sent compressed as they were built', async () => {
    const page = await send(server.adminUrl, '/', { headers: html });
    const named = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(named.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(0);
    expect(named.filter((file) => file.endsWith('.css')).length).toBeGreaterThan(0);
    for (const file of named) {
      const plain = await send(server.adminUrl, file);
      expect([file, plain.status]).toEqual([file, 200]);
      expect(plain.header('vary')).toBe('Accept-Encoding');
      expect(plain.header('x-content-type-options')).toBe('nosniff');
      if (!file.startsWith('/assets/')) continue;
      expect(plain.header('cache-control')).toBe('public, max-age=31536000, immutable');
      if (plain.bytes.byteLength < 1_024) continue;
      const brotli = await send(server.adminUrl, file, { headers: { 'accept-encoding': 'br' } });
      const gzip = await send(server.adminUrl, file, { headers: { 'accept-encoding': 'gzip' } });
      expect([brotli.header('content-encoding'), gzip.header('content-encoding')]).toEqual([
        'br',
        'gzip',
      ]);
      expect(brotli.header('content-type')).toBe(plain.header('content-type'));
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      expect(brotli.bytes.byteLength).toBeLessThan(gzip.bytes.byteLength);
    }
  });

  it('names nothing of another server', async () => {
    const page = await send(server.adminUrl, '/', { headers: html });
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const file of readdirSync(assets).filter((name) => name.endsWith('.css'))) {
      const { text } = await send(server.adminUrl, `/assets/${file}`);
      expect(text, file).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
    }
  });
});

describe('a session', () => {
  it('is a cookie that no script reads and no other site sends', async () => {
    const made = await signIn(server);
    expect(made.json).toMatchObject({ user: { name: 'owner', role: 'owner' } });
    expect(made.header('set-cookie')).toMatch(
      /^loadout-[0-9a-f]{8}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const hours = (Date.parse(made.json.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    const me = await ask(server, cookieOf(made));
    expect(me.json.session.expiresAt).toMatch(/^\d{4}-/);
  });

  it('is not shared with another server on the same host', async () => {
    const other = await startServer({ listeners: 1 });
    try {
      const cookies = [cookieOf(await signIn(server)), cookieOf(await signIn(other))];
      expect(cookies[0]?.split('=')[0]).not.toBe(cookies[1]?.split('=')[0]);
      // A browser sends both to each of them.
      const cookie = cookies.join('; ');
      expect((await ask(server, cookie)).status).toBe(200);
      expect((await ask(other, cookie)).status).toBe(200);
      expectRefusal(await ask(other, cookies[0] ?? ''), 401, 'invalid_token');
    } finally {
      await other.stop();
    }
  });

  it('ends with the token that made it', async () => {
    const made = await server.admin('POST', '/admin/v1/users', { name: 'eve', role: 'viewer' });
    const cookie = cookieOf(await signIn(server, made.json.token));
    const { token } = (await ask(server, cookie)).json;
    const user = `/admin/v1/users/${made.json.id}`;
    expect((await server.admin('DELETE', `${user}/tokens/${token.id}`)).status).toBe(200);
    const ended = await ask(server, cookie);
    expectRefusal(ended, 401, 'invalid_token');
    expect(ended.headers).not.toHaveProperty('set-cookie');
  });

  it('changes nothing for a page that is not the console', async () => {
    const cookie = cookieOf(await signIn(server));
    const create = (headers: Record<string, string>): Promise<Answer> =>
      send(server.adminUrl, '/admin/v1/environments', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: '{"id":"made-by-a-page"}',
      });
    const console = { 'x-loadout-console': '1' };
    expectRefusal(await create({}), 403, 'cross_site');
    expectRefusal(await create({ ...console, 'sec-fetch-site': 'same-site' }), 403, 'cross_site');
    expectRefusal(await signIn(server, ownerToken, { 'x-loadout-console': '' }), 403, 'cross_site');
    expectRefusal(await ask(server, cookie, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site');
    expect((await create({ ...console, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('is there after a restart by %s', async (signal) => {
    const data = makeDataFolder();
    const first = await startServer({ data, listeners: 1 });
    const cookie = cookieOf(await signIn(first));
    expect((await ask(first, cookie)).status).toBe(200);
    first.signal(signal);
    await first.exit;
    const second = await startServer({ data, listeners: 1 });
    try {
      expect((await ask(second, cookie)).json.name).toBe('owner');
      const out = await send(second.adminUrl, path, {
        method: 'DELETE',
        headers: { cookie, 'x-loadout-console': '1' },
      });
      expect([out.status, out.text]).toEqual([204, '']);
      expectRefusal(await ask(second, cookie), 401, 'invalid_token');
      const { events } = (await second.admin('GET', '/admin/v1/audit?action=session')).json;
      expect(events.map(({ action }: { action: string }) => action)).toEqual([
        'session.delete',
        'session.create',
      ]);
    } finally {
      await second.stop();
    }
  });
});

describe('--session-hours', () => {
  it('says how long a session lasts without use', async () => {
    const short = await startServer({ listeners: 1, flags: ['--session-hours', '1'] });
    try {
      const { expiresAt } = (await signIn(short)).json;
      const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(59);
      expect(minutes).toBeLessThanOrEqual(60);
    } finally {
      await short.stop();
    }
  });

  it.each(['0', '721', '1.5', 'x'])('is not %s', async (hours) => {
    const exit = await serveUntilExit({ flags: ['--session-hours', hours] });
    expect(exit.code).toBe(2);
    expect(exit.stderr).toContain('--session-hours');
  });
});
