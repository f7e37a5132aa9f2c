/**
 * Question: what is the latency at a steady rate? One listener is saturated first; then an open loop sends a share of that
 * rate, whatever the responses do, so that a stall is felt by every request that was due meanwhile.
 */
import type { Bench, Cell, Curve, Figure, Finding, Question } from '../bench.js';
import { stop } from '../measure/child.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { startServer } from './contenders/start.js';
import { LoadCrew } from './load/load-crew.js';
import type { LoadSchema } from './load/load-plan.js';
import { measured, planOf, problemOf, type RunFigures } from './race/measure-run.js';
import type { Scenario } from './race/scenario.js';
import { smallScenario } from './race/small-content.js';
import { type Entrant, Stage } from './race/stage.js';
import { refreshScenario } from './refresh.js';

const shares = [0.1, 0.25, 0.5, 0.75, 0.9] as const;
/** Enough that a request which is due finds a free one unless the server has fallen behind. */
const pacedConnections = 256;
/** With more than this of its cores, the load generator itself delays requests. */
const clientBusyMin = 0.9;
/** Fewer requests sent than this share of those that were due: the rate was not reached. */
const sentMin = 0.99;

export const steady: readonly Question[] = [
  steadyQuestion(smallScenario('http/steady/wrapped-1kb')),
  steadyQuestion(refreshScenario('http/steady/unchanged-30x2kb', 'unchanged')),
];

interface Step {
  /** Requests a second that were due. */
  readonly due: number;
  readonly run: RunFigures;
}

function steadyQuestion(scenario: Scenario): Question {
  return {
    name: scenario.name,
    comparesBuilds: false,
    answer: (bench) => answer(scenario, bench),
  };
}

async function answer(scenario: Scenario, bench: Bench): Promise<Finding> {
  const stage = new Stage(scenario, bench);
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const rounds: (readonly Step[])[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      const progress = (what: string): void =>
        bench.progress(`${scenario.name}: round ${round + 1} of ${bench.rounds}, ${what}`);
      rounds.push(await climb(scenario, entrant, { ...bench, progress }));
    }
    return findingOf(scenario.name, rounds);
  } finally {
    stage.close();
  }
}

/** One server: its rate in a closed loop, then each share of it. */
async function climb(
  scenario: Scenario,
  { input }: Entrant,
  { warmSeconds, seconds, connections, progress }: Bench,
): Promise<readonly Step[]> {
  const server = await startServer('loadout', input);
  const load = new LoadCrew(pacedConnections);
  const requests = { kind: 'table', tablePath: input.tablePath } as const;
  try {
    progress('saturated');
    const closed = connections > 0 ? { ...scenario.shape, connections } : scenario.shape;
    await load.plan(planOf(scenario, server.port, requests, closed));
    await load.run(warmSeconds);
    const saturated = await measured([server], load, seconds);
    const problem = problemOf(saturated);
    if (problem !== null) throw new Error(`${scenario.name}: ${problem}`);
    const steps: Step[] = [];
    for (const share of shares) {
      progress(percentOf(share));
      const due = share * saturated.requestsPerSecond;
      const shape: LoadSchema = {
        kind: 'paced',
        connections: pacedConnections,
        perSecond: due,
        fromDue: true,
      };
      await load.plan(planOf(scenario, server.port, requests, shape));
      await load.run(warmSeconds / 2);
      steps.push({ due, run: await measured([server], load, seconds) });
    }
    return steps;
  } finally {
    await load.end();
    await stop(server.child);
  }
}

function findingOf(question: string, rounds: readonly (readonly Step[])[]): Finding {
  const figures: Figure[] = [];
  const points: { p50: Curve['points'][number]; p99: Curve['points'][number] }[] = [];
  const problems: string[] = [];
  const rows = shares.map((share, at): Cell[] => {
    const steps = rounds.map((of) => of[at]!);
    const name = percentOf(share);
    const wrong = steps.map(({ run }) => problemOf(run)).filter((problem) => problem !== null);
    if (wrong.length > 0) {
      problems.push(...wrong.map((problem) => `${name}: ${problem}`));
      return [name, ...columns.slice(2).map(() => '-'), 'NO RESULT'];
    }
    const own = figuresOf(name, steps);
    figures.push(...own);
    const medianOf = (figure: string): number =>
      own.find((each) => each.name === figure)?.spread.median ?? Number.NaN;
    const perSecond = medianOf('rate');
    points.push({
      p50: { perSecond, ms: medianOf('p50') },
      p99: { perSecond, ms: medianOf('p99') },
    });
    const client = spreadOf(steps.map(({ run }) => run.clientCpu)).median;
    return [
      ...[name, perSecond, ...percentiles.map(([percentile]) => medianOf(percentile))],
      ...[steps.map(({ run }) => run.eventLoopCpu), steps.map(({ run }) => run.clientCpu)].map(
        (all) => percentCell(spreadOf(all).median),
      ),
      remark(client, spreadOf(steps.map(sentShare)).median),
    ];
  });
  return {
    question,
    columns,
    rows,
    notes: [
      ...problems,
      'open loop: requests are sent at the rate, in steps of a millisecond; one that the load generator sent late is timed from when it was due',
    ],
    figures,
    curves: (['p50', 'p99'] as const).map((label) => ({
      label,
      points: points.map((point) => point[label]),
    })),
  };
}

const percentiles = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const;

const columns = [
  'of its capacity',
  'requests/s',
  ...percentiles.map(([percentile]) => `${percentile} ms`),
  'loop CPU',
  'client CPU',
  '',
];

function figuresOf(contender: string, steps: readonly Step[]): readonly Figure[] {
  const latencies = mergedHistogram(steps.map(({ run }) => run.load.latencies)).counts();
  const rates = steps.map(({ run }) => run.requestsPerSecond);
  const all = percentiles.map(([name, share]) => {
    const ms = steps.map(({ run }) => mergedHistogram([run.load.latencies]).quantile(share) / 1000);
    return figureOf(contender, name, 'ms', 'lower', ms);
  });
  return [
    figureOf(contender, 'rate', '1/s', 'neither', rates),
    ...all.map((figure) => (figure.name === 'p50' ? { ...figure, latencies } : figure)),
  ];
}

/** Of the requests that were due, how many were sent. */
function sentShare({ due, run: { load } }: Step): number {
  const sent = load.responses + load.errors + load.unanswered;
  return sent / Math.max(sent + load.unsent, due * load.seconds);
}

function remark(clientCpu: number, sent: number): string {
  const remarks = [
    clientCpu > clientBusyMin ? 'client-bound' : '',
    sent < sentMin ? `${Math.round(100 * (1 - sent))} % not sent` : '',
  ];
  return remarks.filter((text) => text !== '').join(', ');
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function percentCell(share: number): string {
  return Number.isFinite(share) ? percentOf(share) : '-';
}
