/**
 * Question: for how long can one request of at most 64 KiB keep the event loop? CPU time of the main thread around each
 * request, nothing else under way: parsing, selecting, splicing and sending, and the main thread's share of collections.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { PublishedGame } from '../data/published-game.js';
import { stop } from '../measure/child.js';
import { type WorstCase, worstCases } from './attack/worst-cases.js';
import { startOnServerCore } from './contenders/loadout.js';
import { headersOf } from './race/scenario.js';

const name = 'http/worst-requests';
const rounds = 20;
/** Before anything counts: what is asked of the pool once is there, and the code is compiled. */
const warmRounds = 5;
/** A case that takes so long is known well enough after a few. */
const patienceMs = 4_000;

export const worstRequests: readonly Question[] = [
  { name, inQuick: false, comparesBuilds: true, answer },
];

interface Seen {
  readonly status: string;
  /** CPU milliseconds of the main thread, one for each request. */
  readonly times: readonly number[];
}

async function answer(bench: Bench): Promise<Finding> {
  const rows: Cell[][] = [];
  const figures: Figure[] = [];
  const seen = new Map<Build, Map<WorstCase, Seen>>();
  for (const build of bench.builds) seen.set(build, await ask(build, bench));
  for (const worst of worstCases) {
    const row: Cell[] = [worst.name];
    for (const build of bench.builds) {
      const { status, times } = seen.get(build)!.get(worst)!;
      const sorted = times.toSorted((a, b) => a - b);
      const median = sorted[sorted.length >> 1]!;
      row.push(status, median, sorted.at(-1)!);
      const spread = { median, min: sorted[0]!, max: sorted.at(-1)! };
      const figure = { contender: build.name, name: worst.name, unit: 'ms', better: 'lower' };
      figures.push({ ...figure, perRound: times, spread } as Figure);
    }
    rows.push(row);
  }
  const columns = ['request', ...bench.builds.flatMap((build) => [build.name, 'ms', 'max'])];
  const notes = [`median of ${rounds} requests, each a little different from the one before`];
  return { question: name, columns, rows, notes, figures };
}

async function ask(build: Build, bench: Bench): Promise<Map<WorstCase, Seen>> {
  const seen = new Map<WorstCase, Seen>();
  for (const worst of worstCases) {
    seen.set(worst, await askOne(worst, build, bench));
    bench.progress(`${name}: ${build.name}, ${worst.name}`);
  }
  return seen;
}

async function askOne(worst: WorstCase, build: Build, bench: Bench): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const publishedPath = join(folder, 'published.db');
  const game = await PublishedGame.create(build, publishedPath);
  game.put(worst.contents());
  const server = await startOnServerCore(build, publishedPath, bench.native);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const times: number[] = [];
    const statuses = new Set<number>();
    const startedAt = performance.now();
    for (let round = -warmRounds; round < rounds; round += 1) {
      if (times.length > 2 && performance.now() - startedAt > patienceMs) break;
      const { path, body } = worst.request(round + warmRounds);
      if (Buffer.byteLength(body) > 64 * 1024) throw new Error(`${worst.name} is too large`);
      const before = mainThreadMs(server.pid);
      const status = await send(agent, server.port, path, body);
      if (round < 0) continue;
      statuses.add(status);
      times.push(mainThreadMs(server.pid) - before);
    }
    return { status: [...statuses].join(), times };
  } finally {
    agent.destroy();
    await stop(server.child);
    game.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the kernel counted for the thread that runs the event loop, to the nanosecond. */
function mainThreadMs(pid: number): number {
  const [ran] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}

function send(agent: Agent, port: number, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...headersOf({ gzip: false }), 'Content-Length': Buffer.byteLength(body) };
    const call = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path, headers },
      (response) => {
        response.resume();
        // A turn later what the server does after the last byte is done as well.
        response.on('end', () => setImmediate(() => resolve(response.statusCode ?? 0)));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
