/** A release of 500 content items goes live in one step: no reader on any delivery process sees a part of it. */
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { TestedRelease } from '../../support/server/release.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

const ids = Array.from({ length: 500 }, (_, at) => `content-${at}`);
/** Content items of one combined request. */
const combined = 100;
const users = Array.from({ length: 8 }, (_, at) => `player-${at}`);
const perKind = 4;

let server: LoadoutServer;
let game: Environment;
beforeAll(async () => {
  server = await startServer({ listeners: 3 });
  game = await makeEnvironment(server);
  await putAll(1, true);
});
afterAll(() => server.stop());

/** Gives all content items a number, some at the same moment. */
async function putAll(number: number, publish: boolean): Promise<void> {
  const left = [...ids];
  const next = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      await game.put(id, JSON.stringify({ number }), { publish });
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
}

class Readers {
  /** Responses by the number that all of a response carry. */
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  readonly #work: readonly Promise<void>[];
  #isOver = false;

  constructor() {
    const kinds = { combine: readCombined, refresh: readRefresh };
    this.#work = Object.entries(kinds).flatMap(([kind, read]) =>
      Array.from({ length: perKind }, (_, at) => this.#read(kind, at, read)),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  /** A connection of its own for each request: the kernel hands them to all delivery processes. */
  async #read(kind: string, first: number, read: typeof readCombined): Promise<void> {
    for (let at = first; !this.#isOver; at++) {
      const u = users[at % users.length] as string;
      const numbers = [...new Set(await read(u, at))];
      const name = `${kind}: ${numbers.sort()}`;
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      if (numbers.length > 1 && this.faults.length < 10) this.faults.push(`${u}, ${name}`);
    }
  }
}

const agent = new Agent({ keepAlive: false });

async function readCombined(u: string, at: number): Promise<number[]> {
  const from = (at * 37) % (ids.length - combined);
  const c = encodeURIComponent(JSON.stringify(ids.slice(from, from + combined)));
  const answer = expectDone(await game.ask('POST', `/api/v1/combine?c=${c}`, { u }, {}, agent));
  return Object.values<{ number: number }>(answer.json).map(({ number }) => number);
}

/** As a client that holds nothing: page after page, until the last one completes what it holds. */
async function readRefresh(u: string): Promise<number[]> {
  const held = new Map<string, { tag: string; data: { number: number } }>();
  for (;;) {
    const have = Object.fromEntries([...held].map(([id, { tag }]) => [id, tag]));
    const { json } = expectDone(await game.refresh({ u, have }));
    for (const [id, entry] of Object.entries(json.contents)) held.set(id, entry as never);
    if (!json.more) break;
  }
  if (held.size !== ids.length) throw new Error(`a client holds ${held.size} items`);
  return [...held.values()].map(({ data }) => data.number);
}

it('ramps, goes live and is reverted with one sequence each, and is never seen in parts', async () => {
  await putAll(2, false);
  const changes = ids.map((id) => ({ kind: 'content', id }));
  const steps = [{ percent: 50, holdMinutes: 600 }];
  const release = await TestedRelease.make(game, { changes, steps });
  const { sequence: before } = expectDone(await server.admin('GET', '/readyz')).json;
  const readers = new Readers();
  const sequences: number[] = [];
  for (const act of ['start', 'pause', 'resume', 'live', 'revert'] as const) {
    sequences.push(await release.act(act));
  }
  await readers.stop();
  expect(readers.faults).toEqual([]);
  expect(sequences).toEqual([1, 2, 3, 4, 5].map((count) => before + count));
  for (const kind of ['combine', 'refresh']) {
    expect([...readers.counts.keys()]).toEqual(
      expect.arrayContaining([`${kind}: 1`, `${kind}: 2`]),
    );
  }
});
