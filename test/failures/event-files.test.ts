/**
 * Events and processes that are killed, and a disk that takes nothing.
 * Method: senders report numbered events without a pause and note when each was taken. After the kill and a new start, every event
 * that was taken more than a second before the kill is in the files, and each line is whole and there once.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { eventLines, keepEventFiles, openEventFiles } from '../support/server/event-files.js';
import { isAlive, listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { expectRefusal } from '../support/wire/refusal.js';

// Several starts of a server each: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const path = '/api/v1/events';
const eventsPerRequest = 20;

async function makeGame(server: LoadoutServer): Promise<Environment> {
  const game = await makeEnvironment(server);
  await game.put('shop', '1');
  const metric = { kind: 'count', event: 'purchase' };
  expectDone(await server.admin('PUT', `${game.path}/metrics/purchases`, metric));
  return game;
}

/** Reports events from several connections until it is stopped. */
class Senders {
  /** By eid, when its event was taken; performance.now(). */
  readonly taken = new Map<string, number>();
  readonly #game: Environment;
  #isStopped = false;
  readonly #done: Promise<unknown>;

  constructor(game: Environment) {
    this.#game = game;
    this.#done = Promise.all(Array.from({ length: 8 }, (_, sender) => this.#send(sender)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #send(sender: number): Promise<void> {
    for (let request = 0; !this.#isStopped; request += 1) {
      const eids = Array.from({ length: eventsPerRequest }, (_, n) => `${sender}-${request}-${n}`);
      const at = new Date().toISOString();
      const events = eids.map((eid) => ({ t: 'metric', n: 'purchase', x: 1, at, eid }));
      // Another user each time: one may not send so much.
      const body = { u: `player-${sender}-${request}`, events };
      // The process may end meanwhile: then nothing was promised.
      const answer = await this.#game.ask('POST', path, body).catch(() => null);
      if (answer === null) await pause(20);
      else if (answer.status === 202)
        for (const eid of eids) this.taken.set(eid, performance.now());
      else await pause(5);
    }
  }
}

function expectKept(server: LoadoutServer, { taken }: Senders, killedAtMs: number): void {
  const eids = eventLines(server).map(({ e }) => e.eid);
  const kept = new Set(eids);
  expect(kept.size, 'no line is there twice').toBe(eids.length);
  const promised = [...taken].filter(([, atMs]) => atMs < killedAtMs - 1_000);
  expect(promised.length).toBeGreaterThan(1_000);
  expect(promised.filter(([eid]) => !kept.has(eid))).toEqual([]);
}

it('kill -9 of a delivery process loses a second of its events at most; its file is sealed at once', async () => {
  const server = await startServer({ flags: keepEventFiles });
  const game = await makeGame(server);
  const senders = new Senders(game);
  await pause(3_000);
  const [victim] = listenersOf(server.pid, server.deliveryPort) as [number];
  const killedAtMs = performance.now();
  process.kill(victim, 'SIGKILL');
  await eventually('its file is sealed', 10_000, () =>
    openEventFiles(server).every((name) => !name.startsWith(`${victim}-`)),
  );
  await pause(500);
  await senders.stop();
  await server.stop();
  expectKept(server, senders, killedAtMs);
});

it('kill -9 of the control process loses nothing: its delivery processes write what they have', async () => {
  const data = makeDataFolder();
  const server = await startServer({ data, flags: keepEventFiles });
  const game = await makeGame(server);
  const senders = new Senders(game);
  await pause(3_000);
  const processes = listenersOf(server.pid, server.deliveryPort);
  server.signal('SIGKILL');
  await eventually('the delivery processes are gone', 10_000, () => !processes.some(isAlive));
  await senders.stop();
  expect(openEventFiles(server)).toEqual([]);
  const again = await startServer({ data, flags: keepEventFiles });
  const eids = eventLines(again).map(({ e }) => e.eid);
  const kept = new Set(eids);
  expect(kept.size).toBe(eids.length);
  expect([...senders.taken.keys()].filter((eid) => !kept.has(eid))).toEqual([]);
  await again.stop();
});

it('kill -9 of all of them at once loses a second at most, and the next start seals whole lines', async () => {
  const data = makeDataFolder();
  const server = await startServer({ data, flags: keepEventFiles });
  const game = await makeGame(server);
  const senders = new Senders(game);
  await pause(3_000);
  const processes = listenersOf(server.pid, server.deliveryPort);
  const killedAtMs = performance.now();
  for (const pid of processes) process.kill(pid, 'SIGKILL');
  server.signal('SIGKILL');
  await eventually('the delivery processes are gone', 10_000, () => !processes.some(isAlive));
  await senders.stop();
  const again = await startServer({ data, flags: keepEventFiles });
  expect(openEventFiles(again)).toEqual([]);
  expectKept(again, senders, killedAtMs);
  await again.stop();
});

it('a disk that takes nothing: 503 for events, and for nothing else; then all that was taken is written', async () => {
  const server = await startServer({ listeners: 1, flags: keepEventFiles });
  const game = await makeGame(server);
  const [listener] = listenersOf(server.pid, server.deliveryPort) as [number];
  const senders = new Senders(game);
  await eventually('events are taken', 10_000, () => senders.taken.size > 1_000);
  // RLIMIT_FSIZE: every write that would make a file longer fails.
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', `${listener}`, `--fsize=${bytes}:`]);
  limit('0');
  const event = { t: 'metric', n: 'purchase', x: 1, at: new Date().toISOString(), eid: 'a' };
  const report = () => game.ask('POST', path, { u: 'a', events: [event] });
  const refused = await eventually('events are refused', 10_000, async () => {
    const answer = await report();
    return answer.status === 503 ? answer : null;
  });
  expectRefusal(refused, 503, 'overloaded');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(10);
  expect((await game.plain('shop')).text).toBe('1');
  expect((await game.refresh({ ids: ['shop'] })).json.takes).toEqual(['events']);
  expect((await server.admin('GET', '/metrics')).text).toMatch(/^loadout_events_blocked\{.*\} 1$/m);
  limit('unlimited');
  await eventually('events are taken again', 10_000, async () => (await report()).status === 202);
  await senders.stop();
  await server.stop();
  const kept = new Set(eventLines(server).map(({ e }) => e.eid));
  expect([...senders.taken.keys()].filter((eid) => !kept.has(eid))).toEqual([]);
  expect(server.stderr).toContain('"event":"event_files_failed"');
  expect(server.stderr).toContain('"event":"event_files_resumed"');
});
