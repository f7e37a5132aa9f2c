/**
 * Question: what does an edit cost the database when a thousand servers follow two of its nodes in three levels, and how long
 * until all of them have it?
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeFollowToken } from '../../src/management/follow/accepted-tokens.js';
import { PostgresCluster } from '../../test/support/postgres/cluster.js';
import { cpuSecondsOf } from '../../test/support/server/process-cpu.js';
import { freeLoopbackPort } from '../../test/support/wire/loopback-port.js';
import type { Bench, Finding, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { keepAside, onEveryCore, startNode } from '../measure/child.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { Serve } from '../serve.js';
import type { TreeOptions, TreeReached } from './tree-process.js';

/** Followers of two nodes, and followers of these. */
const shapes = [
  { middle: 10, leaves: 0 },
  { middle: 30, leaves: 970 },
];
const leafProcesses = 2;
const edits = 15;
const editEveryMs = 2_000;
const idleMs = 10_000;
const contentBytes = 2 * 1024;

export const tree: readonly Question[] = shapes.map(({ middle, leaves }) => ({
  name: `fleet/tree-${middle + leaves}`,
  comparesBuilds: false,
  answer: (bench) => answer(middle, leaves, bench),
}));

interface Seen {
  readonly databaseMsPerEdit: number;
  readonly databaseIdlePercent: number;
  readonly followerIdlePercent: number;
  readonly followerMsPerEdit: number;
  readonly followerMiB: number;
  readonly everywhereMs: readonly number[];
}

async function answer(middle: number, leaves: number, bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const name = `fleet/tree-${middle + leaves}`;
  const rounds: Seen[] = [];
  // Servers, followers and database share every core: children have those of this process.
  onEveryCore(process.pid);
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
    const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
    const cluster = await PostgresCluster.start({ durable: true });
    const url = await cluster.createDatabase();
    const { token, line } = makeFollowToken('bench');
    const [tokenFile, acceptFile] = [join(folder, 'token'), join(folder, 'accept')];
    writeFileSync(tokenFile, token);
    writeFileSync(acceptFile, line);
    const ports = [await freeLoopbackPort(), await freeLoopbackPort()];
    const nodes: Serve[] = [];
    const crowd = new Crowd();
    try {
      for (const [at, port] of ports.entries()) {
        const flags = ['--follow-port', String(port), '--follow-accept', acceptFile];
        nodes.push(
          await Serve.start(build, join(folder, `node-${at}`), ['--database', url, ...flags]),
        );
      }
      const [first] = nodes;
      if (first === undefined) throw new Error('There is no node.');
      await first.ask('POST', '/admin/v1/environments', JSON.stringify({ id: 'game' }));
      await edit(first, 0);
      const common = { tokenFile, folder };
      const parents = ports.map((port) => `http://127.0.0.1:${port}`);
      const urls = await crowd.start({
        ...{ ...common, parents, name: 'middle', count: middle },
        acceptFile: leaves === 0 ? null : acceptFile,
      });
      const each = Math.ceil(leaves / leafProcesses);
      await Promise.all(
        Array.from({ length: leaves === 0 ? 0 : leafProcesses }, (_, at) => {
          const count = Math.min(each, leaves - at * each);
          const options = { ...common, parents: urls, name: `leaf-${at}`, count };
          return crowd.start({ ...options, acceptFile: null });
        }),
      );
      rounds.push(await look(cluster, first, crowd, middle + leaves));
    } finally {
      crowd.end();
      for (const node of nodes) await node.stop();
      await cluster.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  keepAside();
  return findingOf(name, `${middle + leaves} followers`, rounds);
}

async function look(
  cluster: PostgresCluster,
  serve: Serve,
  crowd: Crowd,
  count: number,
): Promise<Seen> {
  await crowd.reach(await edit(serve, 1));
  await crowd.reach(await edit(serve, 2));
  const idleFrom = cluster.cpuSeconds();
  const crowdFrom = crowd.cpuSeconds;
  await pause(idleMs);
  const idlePerSecond = (cluster.cpuSeconds() - idleFrom) / (idleMs / 1_000);
  const crowdIdlePerSecond = (crowd.cpuSeconds - crowdFrom) / (idleMs / 1_000);

  const everywhereMs: number[] = [];
  const [from, crowdEdits] = [cluster.cpuSeconds(), crowd.cpuSeconds];
  const began = performance.now();
  for (let number = 0; number < edits; number += 1) {
    const start = performance.now();
    await crowd.reach(await edit(serve, number + 3));
    everywhereMs.push(performance.now() - start);
    await pause(Math.max(0, start + editEveryMs - performance.now()));
  }
  const seconds = (performance.now() - began) / 1_000;
  const used = cluster.cpuSeconds() - from - idlePerSecond * seconds;
  const crowdUsed = crowd.cpuSeconds - crowdEdits - crowdIdlePerSecond * seconds;
  return {
    databaseMsPerEdit: (used / edits) * 1_000,
    databaseIdlePercent: idlePerSecond * 100,
    followerIdlePercent: (crowdIdlePerSecond / count) * 100,
    followerMsPerEdit: (crowdUsed / edits / count) * 1_000,
    followerMiB: crowd.rssBytes / count / (1024 * 1024),
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
  readonly #children: ChildProcess[] = [];
  readonly #reached: TreeReached[] = [];
  #moved: () => void = () => undefined;

  /** @returns where they are followed themselves */
  async start(options: TreeOptions): Promise<readonly string[]> {
    const script = fileURLToPath(new URL('tree-process.js', import.meta.url));
    const child = startNode(script, [JSON.stringify(options)], { core: null, env: process.env });
    const index = this.#children.push(child) - 1;
    child.on('message', (message) => {
      this.#reached[index] = message as TreeReached;
      this.#moved();
    });
    await once(child, 'message');
    return this.#reached[index]?.urls ?? [];
  }

  get cpuSeconds(): number {
    return this.#children.reduce((sum, { pid = 0 }) => sum + cpuSecondsOf(pid), 0);
  }

  get rssBytes(): number {
    return this.#reached.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  }

  /** Resolves when the last one has the sequence. */
  async reach(sequence: number): Promise<void> {
    while (this.#reached.some((reached) => reached.sequence < sequence)) {
      await new Promise<void>((resolve) => {
        this.#moved = resolve;
      });
    }
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

function findingOf(name: string, contender: string, rounds: readonly Seen[]): Finding {
  const figure = (of: string, unit: string, read: (seen: Seen) => number) =>
    figureOf(contender, of, unit, 'lower', rounds.map(read));
  const figures = [
    figure('database CPU per edit', 'ms', (seen) => seen.databaseMsPerEdit),
    figure('database CPU when nobody edits', '% of a core', (seen) => seen.databaseIdlePercent),
    figure('until all have an edit, p50', 'ms', (seen) => spreadOf(seen.everywhereMs).median),
    figure('until all have an edit, p99', 'ms', (seen) => percentile(seen.everywhereMs, 0.99)),
    figure('until all have an edit, max', 'ms', (seen) => Math.max(...seen.everywhereMs)),
    figure('CPU of a follower per edit', 'ms', (seen) => seen.followerMsPerEdit),
    figure(
      'CPU of a follower when nobody edits',
      '% of a core',
      (seen) => seen.followerIdlePercent,
    ),
    figure('memory of a follower', 'MiB', (seen) => seen.followerMiB),
  ];
  return figuresFinding(name, figures, [
    'database, both nodes and all followers share the cores of this machine',
  ]);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
