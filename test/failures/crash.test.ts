/** Killed processes: no acknowledged edit is lost, no process is left behind, and players notice as little as possible. */

import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { childrenOf, isAlive, listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

let data: string;
let server: LoadoutServer;
let game: Environment;

beforeEach(async () => {
  data = makeDataFolder();
  server = await startServer({ data });
  game = await makeEnvironment(server);
});
afterEach(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

describe('kill -9 of the control process', () => {
  it('loses no acknowledged edit and leaves no delivery process behind', async () => {
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < 3; round++) {
      const children = childrenOf(server.pid);
      expect(children.length).toBeGreaterThanOrEqual(2);
      const edits = editUntilGone(round, acknowledged);
      // Kill in the middle of a write, somewhere else in each round.
      const before = acknowledged.size;
      await eventually('some edits', 10_000, () => acknowledged.size >= before + 10 + round * 7);
      server.signal('SIGKILL');
      expect((await server.exit).signal).toBe('SIGKILL');
      await edits;
      await eventually('the children end', 5_000, () => !children.some(isAlive));

      server = await startServer({ data });
      game = game.on(server);
      for (const [contentId, text] of acknowledged) {
        const answer = await game.plain(contentId);
        // The edit in flight when the process was killed may have been saved without its answer.
        const later = contentId === 'shared' && Number(answer.text) === Number(text) + 1;
        expect(`${contentId} ${answer.text}`).toBe(`${contentId} ${later ? answer.text : text}`);
        acknowledged.set(contentId, answer.text);
      }
      const listed = Object.keys((await game.catalog()).json.catalog);
      expect(listed).toEqual(expect.arrayContaining([...acknowledged.keys()]));
      expect((await game.put('after', `${round}`)).hash).toMatch(/^[0-9a-f]{16}$/);
      expect((await game.plain('after')).text).toBe(`${round}`);
    }
  });

  /** Edits one after the other, noting each that was acknowledged, until the connection fails. */
  async function editUntilGone(round: number, acknowledged: Map<string, string>): Promise<void> {
    let shared = Number(acknowledged.get('shared') ?? 0);
    try {
      for (let n = 0; ; n++) {
        const id = `edit-${round}-${n}`;
        await game.put(id, `"${id}"`);
        acknowledged.set(id, `"${id}"`);
        await game.put('shared', `${shared + 1}`);
        shared += 1;
        acknowledged.set('shared', `${shared}`);
      }
    } catch (fault) {
      // The connection is what must fail, and only because its process is gone.
      if (!(fault instanceof Error && 'code' in fault)) throw fault;
    }
  }
});

describe('kill -9 of one delivery process under load', () => {
  // Ready again "within a second" on a machine of its own; this one also runs the load and another test.
  const restartMillisMax = 3_000;
  const players = 16;

  it('costs only its own connections; the others answer, edits go on, and a new one is up soon', async () => {
    await game.put('shop', '{"n":0}', {
      mapping: [{ segment: 's', when: {}, merge: { m: 1 } }],
    });
    const [victim, other] = listenersOf(server.pid, server.deliveryPort);
    if (victim === undefined || other === undefined) throw new Error('two listeners expected');

    let over = false;
    let answered = 0;
    let brokenConnections = 0;
    const wrong: string[] = [];
    const play = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!over) {
        try {
          const answer = await game.ask('POST', '/api/v1/config/shop/dynamic', '{}', {}, agent);
          if (answer.status === 200) answered += 1;
          else wrong.push(`${answer.status} ${answer.text}`);
        } catch {
          brokenConnections += 1;
        }
      }
      agent.destroy();
    };
    const load = Promise.all(Array.from({ length: players }, play));
    await eventually('the load runs', 5_000, () => answered > 500);

    process.kill(victim, 'SIGKILL');
    const killedAt = performance.now();
    for (let n = 1; n <= 10; n++) {
      await game.put('shop', `{"n":${n}}`);
      expect(await readOnce()).toContain(`{"data":{"n":${n},"m":1},`);
    }
    const answeredMeanwhile = answered;
    await eventually('a new listener', restartMillisMax, () => {
      const now = listenersOf(server.pid, server.deliveryPort);
      return now.length === 2 && !now.includes(victim) && now.includes(other);
    });
    expect(performance.now() - killedAt).toBeLessThan(restartMillisMax + 1_000);
    await eventually('the load goes on', 5_000, () => answered > answeredMeanwhile + 200);
    over = true;
    await load;
    expect(wrong).toEqual([]);
    // Each player may lose the connection it had with the victim, and one more that was in its accept queue.
    expect(brokenConnections).toBeLessThanOrEqual(2 * players);
    for (let i = 0; i < 16; i++) expect(await readOnce()).toContain('{"data":{"n":10,"m":1},');
    expect(isAlive(server.pid)).toBe(true);
    const healthz = await send(server.adminUrl, '/healthz');
    expect(healthz.status).toBe(200);
  });

  /** A read over a fresh connection, once more if that connection died with the victim. */
  async function readOnce(): Promise<string> {
    const read = async (): Promise<string> => (await game.wrapped('shop')).text;
    return read().catch(read);
  }

  it('of all of them is survived too', async () => {
    await game.put('shop', '1');
    const victims = listenersOf(server.pid, server.deliveryPort);
    for (const victim of victims) process.kill(victim, 'SIGKILL');
    await eventually('two new listeners', 2 * restartMillisMax, () => {
      const now = listenersOf(server.pid, server.deliveryPort);
      return now.length === 2 && !now.some((pid) => victims.includes(pid));
    });
    for (let i = 0; i < 8; i++) expect((await game.plain('shop')).text).toBe('1');
    await game.put('shop', '2');
    for (let i = 0; i < 8; i++) expect((await game.plain('shop')).text).toBe('2');
  });
});
