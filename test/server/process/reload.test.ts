/** SIGHUP with something at stake: a request whose body is still coming, and a certificate that was renewed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { listenersOf } from '../../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';
import { send } from '../../support/wire/exchange.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';

const replaceMillisMax = 20_000;

let server: LoadoutServer;

afterEach(() => server.stop());

/** Resolves when every listener of before is gone and as many others are there. */
async function hangUp(): Promise<void> {
  const before = listenersOf(server.pid, server.deliveryPort);
  expect(before).toHaveLength(2);
  server.signal('SIGHUP');
  await eventually('two other listeners', replaceMillisMax, () => {
    const now = listenersOf(server.pid, server.deliveryPort);
    return now.length === 2 && !now.some((pid) => before.includes(pid));
  });
}

describe('SIGHUP', () => {
  it('lets a request finish whose body is still coming', async () => {
    server = await startServer();
    const game = await makeEnvironment(server);
    await game.put('shop', '{"price":1}');
    const headers = [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    const slow = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const connection = await openConnection(server.deliveryPort);
        await connection.write(`${head('POST', '/api/v1/config/shop', headers)}{`);
        return connection;
      }),
    );
    for (let i = 0; i < 8; i++) await game.plain('shop');
    const replaced = hangUp();
    await game.put('shop', '{"price":2}');
    for (const connection of slow) {
      await connection.write('}');
      // Its listener drains or has yet to: either way it is still in the barrier of the edit above.
      expect((await connection.read()).text).toBe('{"price":2}');
      connection.close();
    }
    await replaced;
    for (let i = 0; i < 8; i++) expect((await game.plain('shop')).text).toBe('{"price":2}');
  });

  it('takes up a renewed certificate', async () => {
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    server = await startServer({ flags: ['--tls-cert', cert, '--tls-key', key] });
    const old = readFileSync(cert, 'utf8');
    expect((await send(server.deliveryUrl, '/healthz', { ca: old })).status).toBe(200);
    makeCertificate(cert, key);
    await hangUp();
    const renewed = readFileSync(cert, 'utf8');
    for (let i = 0; i < 8; i++) {
      expect((await send(server.deliveryUrl, '/healthz', { ca: renewed })).status).toBe(200);
    }
    await expect(send(server.deliveryUrl, '/healthz', { ca: old })).rejects.toThrow(/certificate/);
  });
});
