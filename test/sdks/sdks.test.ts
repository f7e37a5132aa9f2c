/**
 * Goal: the official SDKs work with Loadout, unmodified. Method: each runs in a process of its own and asks its built-in hosts
 * through an HTTPS proxy (`HTTPS_PROXY`), which leads to a real server with a certificate for these hosts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { makeCertificate } from '../support/wire/certificate.js';
import { send } from '../support/wire/exchange.js';
import { cases, expectedOf } from './cases.js';
import { Driver } from './driver.js';
import { makeGame } from './game.js';
import { HttpsProxy } from './https-proxy.js';
import { sdks } from './sdks.js';

const [readHost, writeHost] = ['api.getjoystick.com', 'capi.getjoystick.com'] as const;

let game: Environment;
let proxy: HttpsProxy;
let certPath: string;

beforeAll(async () => {
  const folder = makeDataFolder();
  certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  makeCertificate(certPath, keyPath, [`DNS:${readHost}`, `DNS:${writeHost}`, 'IP:127.0.0.1']);
  const server = await startServer({ flags: ['--tls-cert', certPath, '--tls-key', keyPath] });
  game = await makeGame(server);
  proxy = await HttpsProxy.start([readHost, writeHost], server.deliveryPort);
});
afterAll(() => proxy?.stop());

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('the SDK for %s', (_name, sdk) => {
  const missing = sdk.whyNot();
  if (missing !== null) console.warn(`skipped: the SDK for ${sdk.name}, since ${missing}`);
  describe.skipIf(missing !== null)('gets', () => {
    let driver: Driver;
    beforeAll(() => {
      driver = new Driver(sdk, proxy.url, certPath);
    });
    afterAll(() => driver?.stop());

    it.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, sdkCase) => {
      const { client, call } = sdkCase;
      const expected = expectedOf(sdkCase, sdk.name);
      const outcome = await driver.call({ apiKey: game.key, ...client }, call);
      expect(outcome).toEqual(
        'error' in expected
          ? { error: expected.error, message: expect.stringMatching(expected.message) }
          : expected,
      );
    });

    it('an edit when it refreshes, and what it cached until then', async () => {
      const id = `news-${sdk.name}`;
      const client = { apiKey: game.key };
      await game.put(id, '1');
      expect(await driver.call(client, { method: 'one', id })).toEqual({ value: 1 });
      await game.put(id, '2');
      expect(await driver.call(client, { method: 'one', id })).toEqual({ value: 1 });
      const options = { refresh: true };
      expect(await driver.call(client, { method: 'one', id, options })).toEqual({ value: 2 });
    });

    it('nothing from a host but those that are built in', () => {
      expect(new Set(proxy.asked)).toEqual(new Set([`${readHost}:443`, `${writeHost}:443`]));
    });
  });
});

describe('publishing with the key of a game', () => {
  const path = '/api/v1/config/Shop';
  const ask = (method: string, body: string) =>
    send(game.server.deliveryUrl, path, {
      method,
      headers: { 'X-Api-Key': game.key, 'Content-Type': 'application/json' },
      body,
      ca: readFileSync(certPath, 'utf8'),
    });

  it('is refused with a problem, and changes nothing', async () => {
    const refusal = await ask('PUT', '{"d":"a price","c":{"price":0},"m":[]}');
    expect(refusal.status).toBe(405);
    expect(refusal.header('allow')).toMatch(/\bPOST\b/);
    expect(refusal.header('content-type')).toBe('application/problem+json');
    expect(refusal.json).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect((await ask('POST', '{}')).json).toEqual({ price: 1.5, items: ['sword'] });
  });
});
