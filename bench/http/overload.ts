/** Question: what is left of the peak when ten times as many requests arrive as can be answered? */
import type { Bench, Finding, Question } from '../bench.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import type { LoadResult } from './load/load-plan.js';
import { LiveGame } from './race/live-game.js';

const name = 'http/overload/cold-100kb';
const timesSustainable = 10;

/** Enough that none of them is free only when the server neither answers nor refuses. */
const connections = 4_000;

export const overload: readonly Question[] = [{ name, comparesBuilds: false, answer }];

interface Round {
  readonly peak: LoadResult;
  readonly overload: LoadResult;
  readonly after: LoadResult;
  readonly isAlive: boolean;
}

async function answer(bench: Bench): Promise<Finding> {
  const game = await LiveGame.create(name, bench);
  try {
    const rounds: Round[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      rounds.push(await run(game, bench));
    }
    return findingOf(rounds);
  } finally {
    await game.close();
  }
}

/** On one server: what it can do, ten times that, and whether it can still do it afterwards. */
async function run(game: LiveGame, { warmSeconds, seconds }: Bench): Promise<Round> {
  const server = await game.restart();
  const closed = await game.load('variants', { kind: 'closed', connections: 50 });
  await closed.run(warmSeconds);
  const peak = await closed.run(seconds);
  const perSecond = timesSustainable * goodput(peak);
  const flood = await game.load('variants', { kind: 'paced', connections, perSecond });
  const overload = await flood.run(seconds);
  const after = await closed.run(seconds);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  await game.stop();
  return { peak, overload, after, isAlive };
}

function goodput({ statuses, mismatches, seconds }: LoadResult): number {
  return ((statuses['200'] ?? 0) - mismatches) / seconds;
}

function offered({ answers, errors, unsent, unanswered, seconds }: LoadResult): number {
  return (answers + errors + unsent + unanswered) / seconds;
}

function findingOf(rounds: readonly Round[]): Finding {
  const phases = [
    ['peak', rounds.map(({ peak }) => peak)],
    [`${timesSustainable} x peak`, rounds.map(({ overload }) => overload)],
    ['peak again', rounds.map(({ after }) => after)],
  ] as const;
  const median = (results: readonly LoadResult[], of: (result: LoadResult) => number) =>
    spreadOf(results.map(of)).median;
  const peak = median(phases[0][1], goodput);
  const rows = phases.map(([phase, results]) => {
    const refusals = mergedHistogram(results.map((result) => result.refusalLatencies));
    const good = median(results, goodput);
    return [
      phase,
      median(results, offered),
      good,
      good / peak,
      median(results, ({ statuses, seconds }) => (statuses['503'] ?? 0) / seconds),
      refusals.quantile(0.5) / 1000,
      refusals.quantile(0.99) / 1000,
      median(results, ({ errors }) => errors),
      median(results, ({ unsent, seconds }) => unsent / seconds),
      median(results, ({ unanswered }) => unanswered),
      mergedHistogram(results.map((result) => result.latencies)).quantile(0.99) / 1000,
    ];
  });
  const columns = [
    'phase',
    'offered/s',
    'goodput/s',
    'of peak',
    '503/s',
    '503 p50 ms',
    '503 p99 ms',
    'errors',
    'unsent/s',
    'waiting',
    '200 p99 ms',
  ];
  const died = rounds.filter(({ isAlive }) => !isAlive).length;
  const mismatches = rounds.reduce((sum, { overload }) => sum + overload.mismatches, 0);
  const notes = [`${died} processes ended; ${mismatches} answers had other bytes`];
  const offeredTimes = median(phases[1][1], offered) / peak;
  if (offeredTimes < timesSustainable * 0.9) {
    notes.push(`the load generator managed only ${offeredTimes.toFixed(1)} x the peak`);
  }
  const figures = phases.map(([contender, results]) =>
    figureOf(contender, 'goodput', '1/s', 'higher', results.map(goodput)),
  );
  return { question: name, columns, rows, notes, figures };
}
