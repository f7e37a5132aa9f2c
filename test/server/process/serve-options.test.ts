/** Options of `serve` that change the delivery port: TLS, the lenient catalog, CORS origins and limits. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, serveUntilExit, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';
import { send } from '../../support/wire/exchange.js';
import { expectInvalid, expectRefusal } from '../../support/wire/refusal.js';

describe('--tls-cert and --tls-key', () => {
  let folder: string;
  let server: LoadoutServer;
  let game: Environment;
  let ca: string;

  beforeAll(async () => {
    folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    ca = readFileSync(cert, 'utf8');
    server = await startServer({ flags: ['--tls-cert', cert, '--tls-key', key] });
    game = await makeEnvironment(server);
    await game.put('shop', '{"price":1.10}');
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('deliver over https with that certificate, on every listener', async () => {
    expect(server.deliveryUrl).toMatch(/^https:/);
    for (let i = 0; i < 8; i++) {
      const answer = await send(server.deliveryUrl, '/api/v1/config/shop', {
        method: 'POST',
        headers: { 'x-api-key': game.key, 'content-type': 'application/json' },
        body: '{}',
        ca,
      });
      expect(answer.text).toBe('{"price":1.10}');
    }
    const healthz = await send(server.deliveryUrl, '/healthz', { ca });
    expect(healthz.status).toBe(200);
  });

  it('refuse without TLS and to those who do not trust the certificate', async () => {
    const plain = server.deliveryUrl.replace('https:', 'http:');
    await expect(send(plain, '/healthz')).rejects.toThrow();
    await expect(send(server.deliveryUrl, '/healthz')).rejects.toThrow(/certificate/i);
  });

  it('refuse to start with a file that is not there, and say which', async () => {
    const missing = join(folder, 'none.pem');
    const exit = await serveUntilExit({ flags: ['--tls-cert', missing, '--tls-key', missing] });
    expect(exit.code).toBeGreaterThan(0);
    expect(exit.stderr).toContain('none.pem');
    expect(exit.stdout).not.toMatch(/^ready$/m);
  });
});

describe('--lenient-catalog', () => {
  let server: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    server = await startServer({ flags: ['--lenient-catalog'] });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
  });
  afterAll(() => server.stop());

  it('answers the catalog without Content-Type, and with it', async () => {
    const headers = { 'x-api-key': game.key };
    const lenient = await send(server.deliveryUrl, '/api/v1/env/catalog', { headers });
    expect(lenient.status).toBe(200);
    expect(lenient.text).toBe((await game.catalog()).text);
  });

  it('still refuses a wrong Content-Type, and its absence on the content endpoints', async () => {
    const wrong = await game.catalog({ 'content-type': 'text/plain' });
    expectRefusal(wrong, 400, 'invalid_content_type');
    const absent = await send(server.deliveryUrl, '/api/v1/config/shop', {
      method: 'POST',
      headers: { 'x-api-key': game.key },
      body: '{}',
    });
    expectRefusal(absent, 400, 'invalid_content_type');
  });
});

describe('--cors-origins', () => {
  let server: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    const origins = 'https://game.example,https://beta.example:8443';
    server = await startServer({ flags: ['--cors-origins', origins] });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
  });
  afterAll(() => server.stop());

  it('lets those origins in, naming the one that asked', async () => {
    for (const origin of ['https://game.example', 'https://beta.example:8443']) {
      const answers = [
        await game.ask('POST', '/api/v1/config/shop', '{}', { origin }),
        await game.ask('POST', '/api/v1/config/shop', '[]', { origin }),
        await send(server.deliveryUrl, '/api/v1/config/shop', {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        }),
      ];
      for (const answer of answers) {
        expect(answer.header('access-control-allow-origin')).toBe(origin);
        expect(answer.header('vary').toLowerCase()).toContain('origin');
      }
    }
  });

  it('lets no other origin in, and says that the answer depends on it', async () => {
    for (const origin of ['https://evil.example', 'http://game.example', 'null']) {
      const answer = await game.ask('POST', '/api/v1/config/shop', '{}', { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.header('vary').toLowerCase()).toContain('origin');
    }
  });
});

describe('the limits are options:', () => {
  let server: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    const flags = [
      ...['--body-bytes-max', '2000', '--ids-max', '2'],
      ...['--combine-bytes-max', '6000'],
      ...['--text-bytes-max', '5000', '--text-levels-max', '3'],
    ];
    server = await startServer({ flags });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
  });
  afterAll(() => server.stop());

  it('--body-bytes-max', async () => {
    const body = (bytes: number): string => JSON.stringify({ u: 'x'.repeat(bytes - 8) });
    expect((await game.plain('shop', body(2_000))).status).toBe(200);
    expectRefusal(await game.plain('shop', body(2_001)), 413, 'body_too_large');
  });

  it('--ids-max', async () => {
    expect((await game.combine(['shop', 'a'])).status).toBe(200);
    expectRefusal(await game.combine(['shop', 'a', 'b']), 400, 'invalid_query');
  });

  it('--combine-bytes-max, which a single content may pass', async () => {
    const text = (bytes: number): string => JSON.stringify('"'.repeat((bytes - 2) / 2));
    await game.put('quotes', text(5_000));
    await game.put('half', text(2_500));
    const forms = ['', '&dynamic=true', '&dynamic=true&responseType=serialized'];
    for (const form of forms) {
      const single = await game.combine(['quotes'], {}, form);
      expect(single.status).toBe(200);
      expect(single.text.length).toBeGreaterThan(form.endsWith('serialized') ? 6_000 : 4_999);
    }
    expect((await game.combine(['half', 'HALF'])).status).toBe(200);
    const gzip = await game.ask('POST', '/api/v1/combine/?c=["quotes","half"]', '{}', {
      'accept-encoding': 'gzip',
    });
    expect(gzip.status).toBe(200);
    for (const ids of [
      ['quotes', 'half'],
      ['quotes', 'QUOTES'],
    ]) {
      expectRefusal(await game.combine(ids), 400, 'invalid_query');
    }
    const serialized = await game.combine(
      ['half', 'HALF'],
      {},
      '&dynamic=true&responseType=serialized',
    );
    expectRefusal(serialized, 400, 'invalid_query');
  });

  it('--text-bytes-max', async () => {
    const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
    await game.put('long', text(5_000));
    expectInvalid(await game.tryPut('long', { text: text(5_001) }));
    expect((await game.plain('long')).text).toBe(text(5_000));
  });

  it('--text-levels-max', async () => {
    await game.put('deep', '[[[1]]]');
    expectInvalid(await game.tryPut('deep', { text: '[[[[1]]]]' }));
    expect((await game.plain('deep')).text).toBe('[[[1]]]');
  });
});

describe('--native', () => {
  it.each(['on', 'off'])(
    '%s: management and delivery do the same, and say by what',
    async (choice) => {
      const server = await startServer({ flags: ['--native', choice] });
      try {
        const game = await makeEnvironment(server);
        const saved = await game.put('shop', '{"price":1.10, // dollars\n"gems":[1, 2]}');
        const { json } = await game.wrapped('shop');
        expect(json).toMatchObject({ data: { price: 1.1, gems: [1, 2] }, hash: saved.hash });
        const broken = await game.tryPut('shop', { text: '{\n  "price": 1.1,\n  "gems" 2}' });
        expect(broken.json.errors).toEqual([
          expect.objectContaining({ path: 'text', line: 3, column: 10 }),
        ]);
        const metrics = await server.admin('GET', '/metrics');
        expect(metrics.text).toMatch(
          new RegExp(`^loadout_native.* ${choice === 'on' ? 1 : 0}$`, 'm'),
        );
      } finally {
        await server.stop();
      }
    },
  );
});
