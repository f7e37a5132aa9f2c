/** The console as the admin listener serves it: its page, its files, and what stays a refusal. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answer as Sent, send } from '../../../support/wire/exchange.js';
import { type Harness, startApi, temporaryFolder } from '../harness.js';

const compress = fileURLToPath(
  new URL('../../../../src/console/compress-assets.mjs', import.meta.url),
);

const script = `console.log(${JSON.stringify('hello '.repeat(500))})`;
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** What a build leaves, made up. */
function makeConsole(): string {
  const folder = join(temporaryFolder(), 'console');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const page = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><div id="root">';
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets', 'index-1a2b3c.js'), script);
  writeFileSync(join(folder, 'assets', 'index-4d5e6f.css'), 'a{color:red}');
  execFileSync(process.execPath, [compress, folder]);
  return folder;
}

async function startConsole(): Promise<{ api: Harness; folder: string }> {
  const folder = makeConsole();
  return { api: await startApi({}, { consoleFolder: folder }), folder };
}

/** As it is on the wire: `fetch` would take paths apart and decode bodies. */
function get(api: Harness, path: string, headers: Record<string, string> = {}): Promise<Sent> {
  return send(api.url, path, { headers });
}

function expectRefused(answer: Sent, status: number, code: string): void {
  expect([answer.status, answer.header('content-type')]).toEqual([
    status,
    'application/problem+json',
  ]);
  expect(answer.json.code).toBe(code);
}

describe('the page', () => {
  it('is answered at / and at every path that the app may have', async () => {
    const { api } = await startConsole();
    expect((await get(api, '/')).text).toContain('<div id="root">');
    for (const path of [
      '/env/production/contents/shop.v2',
      '/sign-in?next=/env/dev',
      '/env/%2e%2e/contents/%F0%9F%98%80/',
      '/activity',
      '/health',
      '/administration',
    ]) {
      const answer = await get(api, path, html);
      expect([path, answer.status, answer.header('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
    const head = await send(api.url, '/activity', { method: 'HEAD', headers: html });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('is not what a program gets, nor what there is not below the paths of others', async () => {
    const { api } = await startConsole();
    for (const accept of ['', '*/*', 'application/json', 'image/png,*/*', 'text/htmlx']) {
      expectRefused(await get(api, '/activity', { accept }), 404, 'not_found');
    }
    for (const path of [
      ...['/admin', '/admin/v1/nothing', '/admin/v2?a', '/api/v1/config/shop', '/docs/nothing'],
      ...['/assets', '/assets/', '/assets/index-0.js', '/metrics/a', '/healthz/', '/openapi.yaml'],
    ]) {
      const answer = await get(api, path, html);
      if (path === '/healthz/') expect(answer.json).toEqual({ status: 'ok' });
      else expectRefused(answer, 404, 'not_found');
    }
    const posted = await send(api.url, '/activity', { method: 'POST', headers: html });
    expectRefused(posted, 404, 'not_found');
    expectRefused(await send(api.url, '/', { method: 'POST' }), 405, 'method_not_allowed');
  });

  it('lets in no script and no style but its own, and nobody frames it', async () => {
    const { api } = await startConsole();
    const answers = [await get(api, '/'), await get(api, '/env/dev', html)];
    const nonces = answers.map(({ text }) => /content="([^"]+)"/.exec(text)?.[1] ?? '');
    expect(new Set(nonces).size).toBe(2);
    for (const [index, answer] of answers.entries()) {
      const nonce = nonces[index] ?? '';
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect(answer.header('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(answer.header('permissions-policy')).toContain('camera=()');
    }
  });

  it('is that of a new build without a restart', async () => {
    const { api, folder } = await startConsole();
    writeFileSync(join(folder, 'index.html'), 'the new one');
    writeFileSync(join(folder, 'assets', 'new-7a8b9c.js'), 'new');
    expect((await get(api, '/')).text).toBe('the new one');
    expect((await get(api, '/assets/new-7a8b9c.js')).text).toBe('new');
  });
});

describe('a file of the console', () => {
  it('is kept by browsers for ever when its name says what is in it, else asked for again', async () => {
    const { api } = await startConsole();
    const asset = await get(api, '/assets/index-1a2b3c.js');
    expect([asset.status, asset.text]).toEqual([200, script]);
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    });
    const icon = await get(api, '/icon.svg');
    expect(icon.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
    });
    const again = await get(api, '/icon.svg', { 'if-none-match': icon.header('etag') });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is sent compressed as the caller takes it, and small ones as they are', async () => {
    const { api } = await startConsole();
    const path = '/assets/index-1a2b3c.js';
    const brotli = await get(api, path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(brotli.header('content-encoding')).toBe('br');
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(script);
    const gzip = await get(api, path, { 'accept-encoding': 'gzip' });
    expect(gzip.header('content-encoding')).toBe('gzip');
    expect(gunzipSync(gzip.bytes).toString()).toBe(script);
    for (const { headers } of [brotli, gzip]) {
      expect(headers).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
    }
    const plain = await get(api, path, { 'accept-encoding': 'identity' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const small = await get(api, '/assets/index-4d5e6f.css', { 'accept-encoding': 'br' });
    expect(small.headers).not.toHaveProperty('content-encoding');
    expect([small.text, small.header('content-type')]).toEqual([
      'a{color:red}',
      'text/css; charset=utf-8',
    ]);
  });

  it('is one of the folder and of no other', async () => {
    const { api, folder } = await startConsole();
    writeFileSync(join(folder, '..', 'store.db'), 'secret');
    writeFileSync(join(folder, 'assets', '.hidden'), 'secret');
    for (const path of [
      ...['/assets/../../store.db', '/assets/%2e%2e/%2e%2e/store.db', '/assets/..%2f..%2fstore.db'],
      ...['/assets/%2fetc%2fpasswd', '/assets//etc/passwd', '/assets/..%5c..%5cstore.db'],
      ...['/assets/.hidden', '/assets/%2ehidden', '/.hidden'],
      ...['/../store.db', '/%2e%2e/store.db', '/assets/%00', '/assets/%', '/assets/../index.html'],
    ]) {
      const answer = await get(api, path);
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      expect(answer.text).not.toContain('secret');
    }
  });

  it('takes no other method', async () => {
    const { api } = await startConsole();
    for (const path of ['/assets/index-1a2b3c.js', '/icon.svg']) {
      expectRefused(await send(api.url, path, { method: 'PUT' }), 405, 'method_not_allowed');
    }
  });
});

describe('without a console', () => {
  it('/ says what to do, and everything else is as ever', async () => {
    for (const consoleFolder of [undefined, join(temporaryFolder(), 'nothing')]) {
      const api = await startApi({}, consoleFolder === undefined ? {} : { consoleFolder });
      const answer = await get(api, '/', html);
      expectRefused(answer, 404, 'not_found');
      expect(answer.json.detail).toContain('npm run build');
      expectRefused(await get(api, '/activity', html), 404, 'not_found');
      expect((await api.dev('GET', '/contents')).status).toBe(200);
    }
  });

  it('says so too when it went while the server runs', async () => {
    const { api, folder } = await startConsole();
    rmSync(folder, { recursive: true });
    expectRefused(await get(api, '/env/dev', html), 404, 'not_found');
    expectRefused(await get(api, '/assets/index-1a2b3c.js'), 404, 'not_found');
    expect((await get(api, '/healthz')).status).toBe(200);
  });
});

describe('compressing', () => {
  it('leaves what does not gain alone, the page included, and nothing of an earlier build', () => {
    const folder = makeConsole();
    writeFileSync(join(folder, 'assets', 'index-4d5e6f.css.br'), 'of an earlier build');
    writeFileSync(join(folder, 'assets', 'face.woff2'), 'x'.repeat(5_000));
    execFileSync(process.execPath, [compress, folder]);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.sort()).toEqual([
      'assets',
      'assets/face.woff2',
      'assets/index-1a2b3c.js',
      'assets/index-1a2b3c.js.br',
      'assets/index-1a2b3c.js.gz',
      'assets/index-4d5e6f.css',
      'icon.svg',
      'index.html',
    ]);
  });
});
