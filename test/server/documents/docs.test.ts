/** `/docs` in a browser's eyes: everything it needs comes from the admin listener, and its policy allows nothing else. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';

const server = sharedServer();

/** What the page's script hands to Swagger UI, when it runs with nothing but a page that has its elements. */
function pageConfig(script: string): Readonly<Record<string, unknown>> {
  let config: Readonly<Record<string, unknown>> = {};
  const element = { appendChild: () => undefined };
  const window = { location: { href: `${server.adminUrl}/docs` }, onload: (): void => undefined };
  const SwaggerUIBundle = Object.assign(
    (given: typeof config) => {
      config = given;
      return { initOAuth: () => undefined };
    },
    { presets: {}, plugins: {} },
  );
  const document = { createElement: () => ({}), querySelector: () => element };
  runInNewContext(script, { window, document, SwaggerUIBundle, SwaggerUIStandalonePreset: {} });
  window.onload();
  return config;
}

const get = (path: string) => send(server.adminUrl, path);

describe.each(['/docs', '/docs/'])('%s', (path) => {
  it('is a page that needs no token and loads nothing from elsewhere', async () => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.header('content-type')).toBe('text/html; charset=utf-8');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) {
      const { origin, pathname } = new URL(asset, server.adminUrl + path);
      expect(origin).toBe(server.adminUrl);
      expect((await get(pathname)).status, pathname).toBe(200);
    }
    // Whatever the policy forbids would only be seen as a broken page.
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });
});

describe('/docs', () => {
  it('shows both documents, and forgets the token with the page', async () => {
    const config = pageConfig((await get('/docs/static/swagger-initializer.js')).text);
    expect(config['urls']).toEqual([
      { url: '/openapi.json', name: 'Admin API' },
      { url: '/openapi-delivery.json', name: 'Delivery API' },
    ]);
    expect(config).toMatchObject({ persistAuthorization: false, validatorUrl: null });
  });

  it('sends the Content-Type that delivery wants, with the catalog GET too', async () => {
    const config = pageConfig((await get('/docs/static/swagger-initializer.js')).text);
    const sent = config['requestInterceptor'] as (request: object) => object;
    const url = `${server.deliveryUrl}/api/v1/env/catalog`;
    const headers = { 'Content-Type': 'application/json' };
    expect(sent({ url, headers: {} })).toEqual({ url, headers });
    const other = { url: `${server.adminUrl}/admin/v1/me`, headers: {} };
    expect(sent({ ...other, headers: {} })).toEqual(other);
  });

  it('runs no script but its own, sits in no frame, and talks to no server but this one', async () => {
    const policy = (await get('/docs')).header('content-security-policy');
    const rules = Object.fromEntries(
      policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
    );
    expect(rules).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'", server.deliveryUrl],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('can try delivery on the host by which it was reached, and believes no other Host', async () => {
    const asked = (host: string) => send(server.adminUrl, '/docs', { headers: { host } });
    const policyFor = async (host: string) => (await asked(host)).header('content-security-policy');
    const port = server.deliveryPort;
    expect(await policyFor('loadout.lan:8081')).toContain(`http://loadout.lan:${port}`);
    for (const host of ["a;script-src'*", 'a b', 'a,b', '<b>']) {
      expect(await policyFor(host)).toMatch(
        new RegExp(`connect-src 'self' http://127\\.0\\.0\\.1:${port}$`),
      );
    }
  });

  it('says where delivery is in its document', async () => {
    const { servers } = (await get('/openapi-delivery.json')).json;
    expect(servers).toEqual([{ url: server.deliveryUrl }]);
  });

  it('answers what it does not have as problem details', async () => {
    for (const path of ['/docs/static/none.js', '/docs/static/..%2f..%2fpackage.json', '/docs/x']) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.header('content-type'), path).toBe('application/problem+json');
    }
  });
});
