/**
 * A listener that hangs never serves older content after management has answered: the answer waits for it, and when
 * that takes too long it is killed first. How: SIGSTOP makes it hang, the kernel goes on queueing its connections.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { isAlive, listenersOf } from '../support/server/process-tree.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';

let server: LoadoutServer;
let game: Environment;
let stalled: number;

beforeEach(async () => {
  server = await startServer();
  game = await makeEnvironment(server);
  await game.put('shop', '1');
  [stalled = 0] = listenersOf(server.pid, server.deliveryPort);
  process.kill(stalled, 'SIGSTOP');
});
afterEach(async () => {
  if (isAlive(stalled)) process.kill(stalled, 'SIGCONT');
  await server.stop();
});

describe('while a listener hangs', () => {
  it('an edit is not acknowledged, and is served by all as soon as it is', async () => {
    let acknowledged = false;
    const put = game.put('shop', '2').then(() => {
      acknowledged = true;
    });
    await pause(700); // nothing happens, and nothing announces that
    expect(acknowledged).toBe(false);
    process.kill(stalled, 'SIGCONT');
    await put;
    for (let i = 0; i < 16; i++) expect((await game.plain('shop')).text).toBe('2');
    expect(listenersOf(server.pid, server.deliveryPort)).toContain(stalled);
  });

  it('for too long, it is dead before the edit is acknowledged, and soon there is another', async () => {
    await game.put('shop', '2');
    expect(isAlive(stalled)).toBe(false);
    const { text } = await server.admin('GET', '/metrics');
    expect(text).toContain('\nloadout_listener_restarts_total{reason="killed"} 1\n');
    expect(text).toContain('\nloadout_listener_restarts_total{reason="died"} 0\n');
    for (let i = 0; i < 16; i++) expect((await game.plain('shop')).text).toBe('2');
    await eventually('a new listener', 5_000, () => {
      const listeners = listenersOf(server.pid, server.deliveryPort);
      return listeners.length === 2 && !listeners.includes(stalled);
    });
    for (let i = 0; i < 16; i++) expect((await game.plain('shop')).text).toBe('2');
  });
});
