/**
 * Question: what do ordinary clients notice of one that wants the server for itself? They ask for 30 % of what the server
 * can answer; beside the attack, and beside the same attack on a second, idle server, so that what the attackers cost the
 * machine is on both sides. `http/attacks/all` lasts as long as `--soak-minutes` says.
 */
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { type BenchRule, switchesOff, twelveRules } from '../data/mappings.js';
import { benchContent } from '../data/published-game.js';
import { loadCores, standBack, startNode, stop } from '../measure/child.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { rangeOf } from '../report/text-table.js';
import type { ToAttack } from './attack/attack-process.js';
import {
  type AttackName,
  attackNames,
  guardedId,
  largeId,
  middleId,
  sweepCount,
  sweepId,
} from './attack/attacks.js';
import type { Server } from './contenders/contender.js';
import { startServer } from './contenders/start.js';
import { LoadProcess } from './load/load-client.js';
import type { LoadResult } from './load/load-plan.js';
import { planOf } from './race/measure-run.js';
import { plainDefaults, type Scenario } from './race/scenario.js';
import { smallScenario } from './race/small-content.js';
import { type Entrant, Stage } from './race/stage.js';

const prefix = 'http/attacks';
const ordinaryShare = 0.3;
const connections = 64;
/** Attacks that the server holds something of need time to show. */
const secondsMin = 10;
const sampleMs = 250;
/** The machine is others' too: a server that has grown so far has answered the question. */
const rssMiBMax = 6 * 1024;

export const attacks: readonly Question[] = [
  ...attackNames.map((name) => questionOf(name, [name])),
  questionOf('all', attackNames),
];

function questionOf(name: string, names: readonly AttackName[]): Question {
  const question = `${prefix}/${name}`;
  return {
    name: question,
    comparesBuilds: true,
    answer: (bench) => answer(question, names, bench),
  };
}

interface Phase {
  readonly load: LoadResult;
  readonly rssMiB: number;
  readonly loopDelayP99Ms: number;
}

interface Round {
  readonly peakPerSecond: number;
  readonly beside: Phase;
  readonly attacked: Phase;
  readonly isAlive: boolean;
}

async function answer(
  question: string,
  names: readonly AttackName[],
  bench: Bench,
): Promise<Finding> {
  const isAll = names.length > 1;
  const seconds = isAll ? bench.soakMinutes * 60 : Math.max(bench.seconds, secondsMin);
  const rows: Cell[][] = [];
  const figures: Figure[] = [];
  for (const build of bench.builds) {
    const stage = new Stage(scenarioOf(question), bench);
    try {
      const entrant = await stage.enter('loadout', 'loadout', build);
      const rounds: Round[] = [];
      for (let round = 0; round < (isAll ? 1 : bench.rounds); round += 1) {
        bench.progress(`${question}: ${build.name}, round ${round + 1}`);
        rounds.push(await run(entrant, names, seconds, bench));
      }
      rows.push(rowOf(build.name, rounds));
      figures.push(...figuresOf(build.name, rounds));
    } finally {
      stage.close();
    }
  }
  const columns = [
    'build',
    'ordinary/s',
    'p99 beside ms',
    'p99 attacked ms',
    'ratio',
    'min-max',
    'goodput',
    'loop p99 ms',
    'RSS beside',
    'RSS attacked MiB',
    '',
  ];
  const notes = [`${seconds} s each; goodput: right responses of those that were due`];
  return { question, columns, rows, notes, figures };
}

async function run(
  { kind, input }: Entrant,
  names: readonly AttackName[],
  seconds: number,
  bench: Bench,
): Promise<Round> {
  const target = await startServer(kind, { ...input, poolAside: true });
  const idle = await startServer(kind, { ...input, poolAside: true });
  const attacker = startAttacker();
  const load = new LoadProcess();
  const requests = { kind: 'table', tablePath: input.tablePath } as const;
  try {
    await load.plan(planOf(plainDefaults, target.port, requests, { kind: 'closed', connections }));
    await load.run(bench.warmSeconds);
    const peak = await load.run(bench.seconds);
    const peakPerSecond = goodput(peak);
    const perSecond = Math.round(ordinaryShare * peakPerSecond);
    const shape = { kind: 'paced', connections, perSecond } as const;
    await load.plan(planOf(plainDefaults, target.port, requests, shape));
    const phase = async (victim: Server, phaseSeconds: number): Promise<Phase> => {
      tell(attacker, { attacks: names, port: victim.port });
      await load.run(bench.warmSeconds);
      const measured = await observe(target, load, phaseSeconds, bench);
      tell(attacker, { attacks: [], port: 0 });
      return measured;
    };
    const beside = await phase(idle, Math.min(seconds, 60));
    const attacked = await phase(target, seconds);
    const isAlive = [target, idle].every(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
    return { peakPerSecond, beside, attacked, isAlive };
  } finally {
    await stop(attacker);
    await load.end();
    await stop(target.child);
    await stop(idle.child);
  }
}

async function observe(
  target: Server,
  load: LoadProcess,
  seconds: number,
  bench: Bench,
): Promise<Phase> {
  let rssMiB = 0;
  const sample = (): void => {
    if (target.child.exitCode !== null || target.child.signalCode !== null) return;
    rssMiB = Math.max(rssMiB, residentBytesOf(target.pid) / 2 ** 20);
    if (rssMiB > rssMiBMax) target.child.kill('SIGKILL');
  };
  const sampling = setInterval(sample, sampleMs);
  const reporting = setInterval(
    () => bench.progress(`${prefix}: RSS up to ${Math.round(rssMiB)} MiB`),
    60_000,
  );
  const result = await load.run(seconds);
  clearInterval(sampling);
  clearInterval(reporting);
  const isAlive = target.child.exitCode === null && target.child.signalCode === null;
  const measures = isAlive ? await target.delivery?.measure() : undefined;
  const loopDelayP99Ms = (measures?.eventLoopDelayP99Seconds ?? Number.NaN) * 1000;
  return { load: result, rssMiB, loopDelayP99Ms };
}

function startAttacker(): ChildProcess {
  const script = resolve(import.meta.dirname, 'attack/attack-process.js');
  const child = startNode(script, [], { core: loadCores()[0]! });
  // The load generator measures latencies on the same core.
  standBack(child.pid!);
  return child;
}

function tell(attacker: ChildProcess, message: ToAttack): void {
  attacker.send(message);
}

/** Right responses a second. */
function goodput({ statuses, mismatches, seconds }: LoadResult): number {
  return ((statuses['200'] ?? 0) - mismatches) / seconds;
}

function goodputShare({ load }: Phase): number {
  const { answers, errors, unsent, unanswered, statuses, mismatches } = load;
  return ((statuses['200'] ?? 0) - mismatches) / (answers + errors + unsent + unanswered);
}

const p99 = ({ load }: Phase): number => mergedHistogram([load.latencies]).quantile(0.99) / 1000;

function rowOf(build: string, rounds: readonly Round[]): Cell[] {
  const median = (of: (round: Round) => number) => spreadOf(rounds.map(of)).median;
  const ratio = ratioOf(
    rounds.map(({ attacked }) => p99(attacked)),
    rounds.map(({ beside }) => p99(beside)),
  );
  return [
    build,
    Math.round(ordinaryShare * median(({ peakPerSecond }) => peakPerSecond)),
    median(({ beside }) => p99(beside)),
    median(({ attacked }) => p99(attacked)),
    ratio.median,
    rangeOf(ratio),
    median(({ attacked }) => goodputShare(attacked)),
    median(({ attacked }) => attacked.loopDelayP99Ms),
    median(({ beside }) => beside.rssMiB),
    median(({ attacked }) => attacked.rssMiB),
    rounds.every(({ isAlive }) => isAlive) ? '' : 'A PROCESS ENDED',
  ];
}

function figuresOf(contender: string, rounds: readonly Round[]): Figure[] {
  const ratios = rounds.map(({ beside, attacked }) => p99(attacked) / p99(beside));
  const shares = rounds.map(({ attacked }) => goodputShare(attacked));
  const sizes = rounds.map(({ attacked }) => attacked.rssMiB);
  return [
    figureOf(contender, 'p99 beside the attack', 'ratio', 'lower', ratios),
    figureOf(contender, 'goodput', 'share', 'higher', shares),
    figureOf(contender, 'RSS', 'MiB', 'lower', sizes),
  ];
}

/** Operands that look at all of a list, or at all of a text. */
const guardRules: readonly BenchRule[] = Array.from({ length: 10 }, (_, at) => ({
  segment: `guard-${at}`,
  when: {
    $or: [
      { list: { $regex: `^x${at}$` } },
      { text: { $regex: `(a|b)+${at}x` } },
      { list: { $in: [`y${at}`, `z${at}`] } },
      { list: { $elemMatch: { $eq: `w${at}` } } },
      { list: { $vgt: '9999.0.0' } },
    ],
  },
  merge: { guard: at },
}));

function scenarioOf(name: string): Scenario {
  return smallScenario(name, () => [
    benchContent(middleId, gameContent(1, 100 * 1024), []),
    benchContent(largeId, gameContent(2, 9 * 1024 * 1024), []),
    benchContent(guardedId, { guard: -1 }, guardRules),
    ...Array.from({ length: sweepCount }, (_, at) =>
      benchContent(sweepId(at), { at, switches: switchesOff() }, twelveRules),
    ),
  ]);
}
