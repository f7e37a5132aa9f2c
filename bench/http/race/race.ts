/** Runs one scenario's contenders against each other, round by round, and compares them. */
import type { Bench, Figure, Finding, Question } from '../../bench.js';
import { isCrossChecked, othersOf } from '../../catalogue.mjs';
import { mergedHistogram } from '../../measure/latency-histogram.js';
import { interleave } from '../../measure/rounds.js';
import { ratioOf, spreadOf } from '../../measure/statistics.js';
import { figureOf } from '../../report/figures.js';
import { rangeOf } from '../../report/text-table.js';
import type { ContenderKind } from '../contenders/contender.js';
import { CannotStart } from '../contenders/start.js';
import { measureRun, problemOf, type RunFigures } from './measure-run.js';
import type { Scenario } from './scenario.js';
import { type Entrant, Stage } from './stage.js';
import { type CrossCheck, crossCheck } from './wrk.js';

/** With less than this of its core, a server was waiting; with more than that of its own, the client was not. */
const clientBusyMin = 0.9;
const serverBusyMax = 0.95;
/** Neighbours that use more of the machine make figures worth little: cores. */
const othersCpuMax = 0.15;

const columns = [
  'contender',
  'requests/s',
  'min-max',
  'of floor',
  'server µs/req',
  'min-max',
  'CPU of floor',
  'p50 ms',
  'p99 ms',
  'loop CPU',
  'client CPU',
  '',
];

export function raceQuestion(scenario: Scenario): Question {
  return {
    name: scenario.name,
    comparesBuilds: true,
    answer: (bench) => race(scenario, bench),
  };
}

async function race(asIs: Scenario, bench: Bench): Promise<Finding> {
  const scenario = withConnections(asIs, bench);
  const stage = new Stage(scenario, bench);
  try {
    const entrants: Entrant[] = [];
    const leftOut: string[] = [];
    for (const [name, kind, build] of fieldOf(scenario, bench)) {
      bench.progress(`${scenario.name}: ${name} must give the expected responses`);
      try {
        entrants.push(await stage.enter(name, kind, build));
      } catch (error) {
        if (!(error instanceof CannotStart)) throw error;
        leftOut.push(`${name} is left out: ${error.message}`);
      }
    }
    const { variants } = stage.prepared;
    const runs = await interleave(entrants, bench, scenario.name, (entrant) =>
      measureRun(scenario, entrant, variants, bench),
    );
    const checked = isCrossChecked(scenario.name, bench)
      ? await crossCheck(scenario, entrants, stage.prepared, bench)
      : { notes: [], figures: [] };
    const finding = findingOf(scenario.name, runs, checked);
    return { ...finding, notes: [...leftOut, ...finding.notes, ...circumstances(scenario, bench)] };
  } finally {
    stage.close();
  }
}

function withConnections(scenario: Scenario, { connections }: Bench): Scenario {
  return connections === 0 ? scenario : { ...scenario, shape: { ...scenario.shape, connections } };
}

function circumstances({ name, shape }: Scenario, { listeners, connections }: Bench): string[] {
  const notes = connections === 0 ? [] : [`${shape.connections} connections`];
  if (listeners > 1) {
    notes.push(`${listeners} processes of each contender; loop CPU is their mean`);
    if (othersOf(name).includes('ordinary')) notes.push('ordinary has one process: left out');
  }
  return notes;
}

/** Loadout first: `floor` sends its bytes. Where two builds are compared, no other contender takes part. */
function fieldOf(scenario: Scenario, { builds, contenders, listeners }: Bench) {
  const [tree, ...others] = builds;
  const loadouts = builds.map((build) => [build.name, 'loadout' as ContenderKind, build] as const);
  if (tree === undefined || others.length > 0) return loadouts;
  const rest = othersOf(scenario.name).filter((kind) => {
    // Fastify's port cannot be shared before Node 23.
    const canJoin = kind !== 'ordinary' || listeners <= 1;
    return canJoin && (contenders?.includes(kind) ?? true);
  });
  return [...loadouts, ...rest.map((kind) => [kind as string, kind, tree] as const)];
}

function findingOf(
  question: string,
  runs: ReadonlyMap<string, readonly RunFigures[]>,
  checked: CrossCheck,
): Finding {
  const floor = runs.get('floor');
  const rows = [...runs].map(([name, all]) => rowOf(name, all, floor));
  const problems = [...runs].flatMap(([name, all]) =>
    all.flatMap((run) => (problemOf(run) === null ? [] : [`${name}: ${problemOf(run)}`])),
  );
  const figures = [...runs].flatMap(([name, all]) => figuresOf(name, all));
  const bodies = [...runs].flatMap(([name, all]) => bodiesNote(name, all));
  const notes = [...problems, ...bodies, ...checked.notes];
  return { question, columns, rows, notes, figures: [...figures, ...checked.figures] };
}

function bodiesNote(name: string, all: readonly RunFigures[]): string[] {
  const bodies = all.flatMap((run) => (run.bodies === null ? [] : [run.bodies]));
  const [first] = bodies;
  if (first === undefined) return [];
  const sum = (of: 'cached' | 'inline' | 'pooled') => bodies.reduce((n, one) => n + one[of], 0);
  const whole = (sum('cached') + sum('inline') + sum('pooled')) / 100;
  // A refresh of what the client holds needs none.
  if (whole === 0) return [`${name}: no bodies; document work: ${first.documentWork}`];
  const share = (of: 'cached' | 'inline' | 'pooled') => `${Math.round(sum(of) / whole)} % ${of}`;
  const shares = `${share('cached')}, ${share('inline')}, ${share('pooled')}`;
  return [`${name}: bodies were ${shares}; document work: ${first.documentWork}`];
}

function rowOf(name: string, all: readonly RunFigures[], floor: readonly RunFigures[] | undefined) {
  // A run with wrong responses is no result, and a contender with such a run has none.
  if (all.some((run) => problemOf(run) !== null)) {
    return [name, ...columns.slice(2).map(() => '-'), 'NO RESULT'];
  }
  const rates = all.map((run) => run.requestsPerSecond);
  const micros = all.map((run) => run.serverMicrosPerRequest);
  const rate = spreadOf(rates);
  const micro = spreadOf(micros);
  const floorRates = floor?.map((run) => run.requestsPerSecond);
  const floorMicros = floor?.map((run) => run.serverMicrosPerRequest);
  const latencies = mergedHistogram(all.map((run) => run.load.latencies));
  return [
    name,
    rate.median,
    rangeOf(rate),
    floorRates === undefined ? '-' : ratioOf(rates, floorRates).median,
    micro.median,
    rangeOf(micro),
    floorMicros === undefined ? '-' : ratioOf(floorMicros, micros).median,
    latencies.quantile(0.5) / 1000,
    latencies.quantile(0.99) / 1000,
    percent(all.map((run) => run.eventLoopCpu)),
    percent(all.map((run) => run.clientCpu)),
    remark(all),
  ];
}

/** What the figures of a contender must be read with. */
function remark(all: readonly RunFigures[]): string {
  const others = spreadOf(all.map((run) => run.othersCpu)).median;
  const remarks = [
    isClientBound(all) ? 'client-bound' : '',
    others > othersCpuMax ? `others used ${others.toFixed(1)} cores` : '',
  ];
  return remarks.filter((text) => text !== '').join(', ');
}

function percent(shares: readonly number[]): string {
  const { median } = spreadOf(shares);
  return Number.isFinite(median) ? `${Math.round(median * 100)} %` : '-';
}

export function isClientBound(all: readonly RunFigures[]): boolean {
  const client = spreadOf(all.map((run) => run.clientCpu)).median;
  const server = spreadOf(all.map((run) => run.eventLoopCpu)).median;
  return client > clientBusyMin && server < serverBusyMax;
}

export function figuresOf(contender: string, all: readonly RunFigures[]): Figure[] {
  const figure = (
    name: string,
    unit: string,
    better: Figure['better'],
    of: (run: RunFigures) => number,
  ) => figureOf(contender, name, unit, better, all.map(of));
  const latencies = mergedHistogram(all.map((run) => run.load.latencies)).counts();
  const quantile = (share: number) => (run: RunFigures) =>
    mergedHistogram([run.load.latencies]).quantile(share) / 1000;
  return [
    // The rate of a client-bound run is the client's: it says nothing of whether the server became slower.
    figure(
      'rate',
      '1/s',
      isClientBound(all) ? 'neither' : 'higher',
      (run) => run.requestsPerSecond,
    ),
    figure('server CPU', 'µs/request', 'lower', (run) => run.serverMicrosPerRequest),
    { ...figure('p50', 'ms', 'neither', quantile(0.5)), latencies },
    figure('p99', 'ms', 'neither', quantile(0.99)),
    figure('event loop CPU', 'cores', 'neither', (run) => run.eventLoopCpu),
    figure('client CPU', 'cores', 'neither', (run) => run.clientCpu),
  ];
}
