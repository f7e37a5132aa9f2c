/** Question: do small contents stay fast while edits land and large ones miss? */
import type { Bench, Figure, Finding, Question } from '../bench.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { rangeOf, short } from '../report/text-table.js';
import type { LoadResult } from './load/load-plan.js';
import { type Edits, LiveGame } from './race/live-game.js';

const name = 'http/mixed/1kb-beside-misses-and-edits';

/** Steady rates that one core can bear together. */
const smallPerSecond = 2_000;
const missesPerSecond = 200;
const editsPerSecond = 50;

interface Phase {
  readonly small: LoadResult;
  readonly large: LoadResult | null;
  readonly edits: Edits | null;
  readonly loopDelayP99Ms: number;
}

export const mixed: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const game = await LiveGame.create(name, bench);
  try {
    const phases = [{ name: 'alone' }, { name: 'mixed' }];
    const runs = await interleave(phases, bench, name, (phase) =>
      run(game, phase.name === 'mixed', bench),
    );
    return findingOf(runs);
  } finally {
    await game.close();
  }
}

async function run(game: LiveGame, isMixed: boolean, bench: Bench): Promise<Phase> {
  const server = await game.restart();
  const small = await game.load('small', {
    kind: 'paced',
    connections: 200,
    perSecond: smallPerSecond,
  });
  const shape = { kind: 'paced', connections: 50, perSecond: missesPerSecond } as const;
  const large = isMixed ? await game.load('variants', shape) : null;
  await Promise.all([small.run(bench.warmSeconds), large?.run(bench.warmSeconds)]);

  const smallRun = small.run(bench.seconds);
  const edits = isMixed ? game.edit(editsPerSecond, smallRun) : null;
  const largeRun = large?.run(bench.seconds);
  const result = { small: await smallRun, large: (await largeRun) ?? null, edits: await edits };
  const measures = await server.delivery?.measure();
  await game.stop();
  return { ...result, loopDelayP99Ms: (measures?.eventLoopDelayP99Seconds ?? Number.NaN) * 1000 };
}

function findingOf(runs: ReadonlyMap<string, readonly Phase[]>): Finding {
  const p99 = (phase: Phase) => mergedHistogram([phase.small.latencies]).quantile(0.99) / 1000;
  const alone = runs.get('alone')!.map(p99);
  const rows = [...runs].map(([contender, phases]) => {
    const latencies = mergedHistogram(phases.map((phase) => phase.small.latencies));
    const spread = spreadOf(phases.map(p99));
    return [
      contender,
      spreadOf(phases.map(({ small }) => small.answers / small.seconds)).median,
      latencies.quantile(0.5) / 1000,
      spread.median,
      rangeOf(spread),
      ratioOf(phases.map(p99), alone).median,
      spreadOf(phases.map((phase) => phase.loopDelayP99Ms)).median,
      faultOf(phases),
    ];
  });
  const notes = runs.get('mixed')!.map(({ large, edits }) => {
    const statuses = JSON.stringify(large?.statuses);
    const slowest = short(edits?.millisecondsMax ?? Number.NaN);
    return `beside it: 100 KB answers ${statuses}; ${edits?.landed} edits, the slowest seen after ${slowest} ms`;
  });
  const figures = [...runs].flatMap(([contender, phases]): Figure[] => {
    const latencies = mergedHistogram(phases.map((phase) => phase.small.latencies)).counts();
    const delays = phases.map((phase) => phase.loopDelayP99Ms);
    return [
      { ...figureOf(contender, 'p99', 'ms', 'lower', phases.map(p99)), latencies },
      figureOf(contender, 'loop delay p99', 'ms', 'lower', delays),
    ];
  });
  const columns = [
    '1 KB',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'min-max',
    'p99 of alone',
    'loop delay p99 ms',
    '',
  ];
  return { question: name, columns, rows, notes, figures };
}

/** What makes the figures worthless; '' when nothing does. */
function faultOf(phases: readonly Phase[]): string {
  const loads = phases.flatMap(({ small, large }) => (large === null ? [small] : [small, large]));
  const sum = (of: (load: LoadResult) => number) => loads.reduce((n, load) => n + of(load), 0);
  const mismatches = sum((load) => load.mismatches);
  const errors = sum((load) => load.errors);
  const refused = sum(({ answers, statuses }) => answers - (statuses['200'] ?? 0));
  const unsent = sum((load) => load.unsent);
  if (mismatches + errors + refused + unsent === 0) return '';
  return `NO RESULT: ${mismatches} other bytes, ${errors} errors, ${refused} refused, ${unsent} unsent`;
}
