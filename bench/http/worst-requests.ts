/**
 * Question: for how long can one request of at most 64 KiB keep the event loop? CPU time of the main thread around each
 * request, nothing else under way: parsing, selecting, splicing and sending, and the main thread's share of collections.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { mainThreadMs } from '../measure/main-thread.js';
import { figureOf } from '../report/figures.js';
import { type WorstCase, worstCases } from './attack/worst-cases.js';
import { withDelivery } from './race/lone-delivery.js';

const name = 'http/worst-requests';
const rounds = 20;
/** Before anything counts: what is asked of the pool once is there, and the code is compiled. */
const warmRounds = 5;
/** A case that takes so long is known well enough after a few. */
const patienceMs = 4_000;

export const worstRequests: readonly Question[] = [{ name, comparesBuilds: true, answer }];

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
      const figure = figureOf(build.name, worst.name, 'ms', 'lower', times);
      row.push(status, figure.spread.median, figure.spread.max);
      figures.push(figure);
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

function askOne(worst: WorstCase, build: Build, bench: Bench): Promise<Seen> {
  return withDelivery(build, bench, worst.contents(), 1, async ({ server, ask: send }) => {
    const times: number[] = [];
    const statuses = new Set<number>();
    const startedAt = performance.now();
    for (let round = -warmRounds; round < rounds; round += 1) {
      if (times.length > 2 && performance.now() - startedAt > patienceMs) break;
      const { path, body } = worst.request(round + warmRounds);
      if (Buffer.byteLength(body) > 64 * 1024) throw new Error(`${worst.name} is too large`);
      const before = mainThreadMs(server.pid);
      const { status } = await send(path, body);
      // A turn later what the server does after the last byte is done as well.
      await nextTurn();
      if (round < 0) continue;
      statuses.add(status);
      times.push(mainThreadMs(server.pid) - before);
    }
    return { status: [...statuses].join(), times };
  });
}
