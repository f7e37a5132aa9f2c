/**
 * No delivery process is left: an edit is not acknowledged while nobody serves it. Method: each one that appears is killed
 * at once, for as long as the test wants.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { childrenOf, listenersOf } from '../support/server/process-tree.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';

// An edit waits for a listener as long as the server allows, and then they start again.
vi.setConfig({ testTimeout: 120_000 });

let server: LoadoutServer;
let game: Environment;

beforeEach(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
  await game.put('shop', '1');
});
afterEach(() => server.stop());

/** Kills every delivery process until it is called off. */
function keepKilling(): () => void {
  const kill = (): void => {
    for (const pid of childrenOf(server.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
  };
  kill();
  const timer = setInterval(kill, 10);
  return () => clearInterval(timer);
}

describe('while every delivery process is killed as it starts', () => {
  it('an edit is saved, said not to be served, and served when there is one again', async () => {
    const stopKilling = keepKilling();
    try {
      const late = await game.tryPut('shop', { text: '2' });
      expect(late.status).toBe(503);
      expect(late.json.code).toBe('not_published');
      expect(late.json.detail).toContain('saved');
      // It changes nothing, and what it would find saved is served by nobody.
      const again = await game.tryPut('shop', { text: '2' });
      expect([again.status, again.json.code]).toEqual([503, 'not_published']);
    } finally {
      stopKilling();
    }
    await eventually('a listener', 20_000, () => {
      return listenersOf(server.pid, server.deliveryPort).length === 1;
    });
    expect((await game.plain('shop')).text).toBe('2');
    expect((await game.put('shop', '3')).revision).toBe(3);
    expect((await game.plain('shop')).text).toBe('3');
  });

  it('an edit waits for the one that is about to start', async () => {
    const stopKilling = keepKilling();
    const edit = game.tryPut('shop', { text: '2' });
    setTimeout(stopKilling, 1_000);
    expect((await edit).status).toBe(200);
    expect((await game.plain('shop')).text).toBe('2');
  });
});
