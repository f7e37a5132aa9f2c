/** SIGHUP replaces the delivery processes one by one: new certificates, and no accepted request dropped. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate.js';
import { type Environment, makeEnvironment } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { send } from '../support/exchange.js';
import { listenersOf } from '../support/process-tree.js';
import { head, openConnection } from '../support/raw-connection.js';
import { type LoadoutServer, makeDataFolder, startServer } from '../support/server.js';

const replaceMillisMax = 15_000;

let server: LoadoutServer;
let game: Environment;

afterEach(() => server.stop());

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
  it('replaces every listener while requests are answered and edits go on', async () => {
    server = await startServer();
    game = await makeEnvironment(server);
    await game.put('shop', '0');
    const slow = await openConnection(server.deliveryPort);
    const headers = [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    await slow.write(`${head('POST', '/api/v1/config/shop', headers)}{`);

    let over = false;
    let broken = 0;
    const wrong: string[] = [];
    const play = async (): Promise<void> => {
      while (!over) {
        try {
          const answer = await game.plain('shop');
          if (answer.status !== 200) wrong.push(`${answer.status} ${answer.text}`);
        } catch {
          broken += 1; // a connection that was not accepted yet when its listener closed
        }
      }
    };
    const players = [play(), play(), play(), play()];
    const replaced = hangUp();
    for (let n = 1; n <= 20; n++) {
      await game.put('shop', `${n}`);
      const read = (): Promise<string> => game.plain('shop').then((answer) => answer.text);
      expect(await read().catch(read)).toBe(`${n}`);
    }
    await slow.write('}');
    const answer = await slow.read();
    expect(answer.status).toBe(200);
    slow.close();
    await replaced;
    over = true;
    await Promise.all(players);
    expect(wrong).toEqual([]);
    expect(broken).toBeLessThan(40);
  });

  it('takes up a new certificate', async () => {
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    try {
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
      await expect(send(server.deliveryUrl, '/healthz', { ca: old })).rejects.toThrow(
        /certificate/,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
