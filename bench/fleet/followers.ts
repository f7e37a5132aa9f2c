/** Question: what does each server that follows a database cost it, and how long until all of them have an edit? */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PostgresCluster } from '../../test/support/postgres/cluster.js';
import type { Bench, Finding, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { startNode } from '../measure/child.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { Serve } from '../serve.js';
import type { FollowersWish, Reached } from './follower-process.js';

const counts = [0, 25, 50, 100];
const processes = 2;
const editsPerSecond = 5;
const edits = 50;
const idleMs = 10_000;
const contentBytes = 2 * 1024;

export const followers: readonly Question[] = counts.map((count) => ({
  name: `fleet/followers-${count}`,
  comparesBuilds: false,
  answer: (bench) => answer(count, bench),
}));

interface Seen {
  /** Of the database, for each edit, beyond what it takes when nobody edits. */
  readonly databaseMsPerEdit: number;
  /** Share of a core that heartbeats and polls take when nobody edits. */
  readonly databaseIdlePercent: number;
  /** From the start of each edit until it is answered. */
  readonly answeredMs: readonly number[];
  /** From the start of each edit until the last follower has it. */
  readonly everywhereMs: readonly number[];
}

async function answer(count: number, bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const rounds: Seen[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.progress(`fleet/followers-${count}: round ${round + 1} of ${bench.rounds}`);
    const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
    // As an operator's: what is confirmed is on the disk.
    const cluster = await PostgresCluster.start({
      durable: true,
      settings: { max_connections: '500' },
    });
    const url = await cluster.createDatabase();
    const serve = await Serve.start(build, join(folder, 'node'), ['--database', url]);
    const crowd = new Crowd(url, folder, count);
    try {
      rounds.push(await look(cluster, serve, crowd));
    } finally {
      crowd.end();
      await serve.stop();
      await cluster.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return findingOf(count, rounds);
}

async function look(cluster: PostgresCluster, serve: Serve, crowd: Crowd): Promise<Seen> {
  await serve.ask('POST', '/admin/v1/environments', JSON.stringify({ id: 'game' }));
  await edit(serve, 0);
  await crowd.start();
  await crowd.reach(await edit(serve, 1));
  const idleFrom = cluster.cpuSeconds();
  await pause(idleMs);
  const idlePerSecond = (cluster.cpuSeconds() - idleFrom) / (idleMs / 1_000);

  const answeredMs: number[] = [];
  const everywhereMs: number[] = [];
  const from = cluster.cpuSeconds();
  const began = performance.now();
  for (let number = 0; number < edits; number += 1) {
    const start = performance.now();
    const sequence = await edit(serve, number + 2);
    answeredMs.push(performance.now() - start);
    await crowd.reach(sequence);
    everywhereMs.push(performance.now() - start);
    await pause(Math.max(0, start + 1_000 / editsPerSecond - performance.now()));
  }
  const seconds = (performance.now() - began) / 1_000;
  const used = cluster.cpuSeconds() - from - idlePerSecond * seconds;
  return {
    databaseMsPerEdit: (used / edits) * 1_000,
    databaseIdlePercent: idlePerSecond * 100,
    answeredMs,
    everywhereMs,
  };
}

async function edit(serve: Serve, number: number): Promise<number> {
  const text = JSON.stringify(gameContent(number, contentBytes));
  const path = '/admin/v1/environments/game/contents/item';
  const saved = await serve.ask('PUT', path, JSON.stringify({ text }));
  return (JSON.parse(saved) as { sequence: number }).sequence;
}

/** All the followers, in a few processes. */
class Crowd {
  readonly #wishes: FollowersWish[];
  readonly #children: ChildProcess[] = [];
  readonly #reached: number[] = [];
  #moved: () => void = () => undefined;

  constructor(url: string, folder: string, count: number) {
    const each = Math.ceil(count / processes);
    this.#wishes = Array.from({ length: processes }, (_, index) => {
      const from = index * each;
      return { url, folder, from, count: Math.min(each, count - from) };
    }).filter((wish) => wish.count > 0);
  }

  async start(): Promise<void> {
    const script = fileURLToPath(new URL('follower-process.js', import.meta.url));
    await Promise.all(
      this.#wishes.map(async (wish, index) => {
        const child = startNode(script, [JSON.stringify(wish)], { core: null, env: process.env });
        this.#children.push(child);
        this.#reached[index] = -1;
        child.on('message', (message) => {
          this.#reached[index] = (message as Reached).sequence;
          this.#moved();
        });
        await once(child, 'message');
      }),
    );
  }

  /** Resolves when the last one has the sequence. */
  async reach(sequence: number): Promise<void> {
    while (this.#reached.some((reached) => reached < sequence)) {
      await new Promise<void>((resolve) => {
        this.#moved = resolve;
      });
    }
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

function findingOf(count: number, rounds: readonly Seen[]): Finding {
  const contender = `${count} followers`;
  const figure = (name: string, unit: string, read: (seen: Seen) => number) =>
    figureOf(contender, name, unit, 'lower', rounds.map(read));
  const figures = [
    figure('database CPU per edit', 'ms', (seen) => seen.databaseMsPerEdit),
    figure('database CPU when nobody edits', '% of a core', (seen) => seen.databaseIdlePercent),
    figure('until an edit is answered, p50', 'ms', (seen) => spreadOf(seen.answeredMs).median),
    figure('until all have an edit, p50', 'ms', (seen) => spreadOf(seen.everywhereMs).median),
    figure('until all have an edit, p99', 'ms', (seen) => percentile(seen.everywhereMs, 0.99)),
  ];
  return figuresFinding(`fleet/followers-${count}`, figures, [
    'database, server and all followers share the cores of this machine',
  ]);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
