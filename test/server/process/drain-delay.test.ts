/**
 * Goal: a server that is told to end says so to balancers and to Kubernetes while it still serves, so that none of them sends a player
 * to a port that is closed. Method: a real server, its signals, and the checks that those use.
 */
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../src/management/serve/free-port.js';
import { eventually } from '../../support/eventually.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { listenersOf } from '../../support/server/process-tree.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

async function startDraining(seconds: number, listeners = 2): Promise<LoadoutServer> {
  const server = await startServer({ listeners, flags: ['--drain-delay', String(seconds)] });
  const game = await makeEnvironment(server);
  await game.put('shop', '{"gems":1}');
  server.signal('SIGTERM');
  await eventually('the server is not ready any more', 5_000, async () => {
    return (await send(server.adminUrl, '/readyz')).status === 503;
  });
  expect((await send(server.adminUrl, '/readyz')).json).toMatchObject({
    ...{ ready: false, draining: true, listeners },
  });
  await eventually('the delivery port says so', 5_000, async () => {
    return (await send(server.deliveryUrl, '/healthz')).text === '{"status":"draining"}';
  });
  expect((await send(server.deliveryUrl, '/healthz')).status).toBe(503);
  // New connections get what they ask for, and edits are made.
  expect((await game.plain('shop')).text).toBe('{"gems":1}');
  await game.put('shop', '{"gems":2}');
  expect((await game.plain('shop')).text).toBe('{"gems":2}');
  return server;
}

describe('--drain-delay', () => {
  it('has the server serve on for so long, and end with 0', async () => {
    const startedMs = performance.now();
    const server = await startDraining(4);
    expect((await server.exit).code).toBe(0);
    expect(performance.now() - startedMs).toBeGreaterThan(4_000);
  });

  it('is ended by a second signal', async () => {
    const server = await startDraining(600);
    server.signal('SIGTERM');
    const exit = await eventually('serve ends', 15_000, () => server.exit);
    expect(exit.code).toBe(0);
  });

  it('holds for a delivery process that takes the place of another meanwhile', async () => {
    const server = await startDraining(600, 1);
    const [first = 0] = listenersOf(server.pid, server.deliveryPort);
    process.kill(first, 'SIGKILL');
    await eventually('another one serves, and says so', 15_000, async () => {
      const answer = await send(server.deliveryUrl, '/healthz').catch(() => null);
      return answer?.text === '{"status":"draining"}';
    });
    expect(listenersOf(server.pid, server.deliveryPort)).not.toContain(first);
    await server.stop();
  });
});

describe('--metrics-port', () => {
  it('has the paths for monitoring, and nothing else', async () => {
    const port = await freePort('127.0.0.1', 0, 'metrics');
    const server = await startServer({ flags: ['--metrics-port', String(port)] });
    const url = `http://127.0.0.1:${port}`;
    const metrics = await send(url, '/metrics');
    expect([metrics.status, metrics.headers['content-type']]).toEqual([
      ...[200, 'text/plain; version=0.0.4; charset=utf-8'],
    ]);
    expect(metrics.text).toContain('loadout_listeners 2');
    expect((await send(url, '/readyz?verbose')).json).toMatchObject({ ready: true });
    expect((await send(url, '/healthz')).json).toEqual({ status: 'ok' });
    for (const path of ['/', '/admin/v1/me', '/openapi.json', '/metrics.json', '/metrics/']) {
      const { status, json } = await send(url, path);
      expect([path, status, json.code]).toEqual([path, 404, 'not_found']);
    }
    expect((await send(url, '/metrics', { method: 'POST' })).status).toBe(405);
    // The admin port keeps them.
    expect((await send(server.adminUrl, '/metrics')).status).toBe(200);
    const exit = await server.stop();
    expect(exit.stdout).toContain(`metrics   ${url}/`);
  });
});
