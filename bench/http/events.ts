/**
 * Questions: how many events does one process take, with their files on the disk; and what do ordinary requests feel of them?
 * Every event that was taken must be a line of a file when the process has ended.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure, Finding, Question } from '../bench.js';
import { eventBodies, eventsPath, eventsPerRequest } from '../data/game-events.js';
import { eventsKey } from '../data/published-game.js';
import { standBack } from '../measure/child.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { rangeOf } from '../report/text-table.js';
import type { Server } from './contenders/contender.js';
import { startLoadout } from './contenders/loadout.js';
import { LoadProcess } from './load/load-client.js';
import { LoadCrew } from './load/load-crew.js';
import type { LoadPlan, LoadResult, LoadSchema } from './load/load-plan.js';
import { writeResponseTable } from './load/response-table.js';
import { measured, planOf } from './race/measure-run.js';
import { plainDefaults } from './race/scenario.js';
import { smallScenario } from './race/small-content.js';
import { type Entrant, Stage } from './race/stage.js';

const batches = `http/events/batches-of-${eventsPerRequest}`;
const beside = 'http/events/1kb-beside-20000';

export const events: readonly Question[] = [
  {
    name: batches,
    comparesBuilds: false,
    answer: (bench) => onStage(batches, bench, answerBatches),
  },
  { name: beside, comparesBuilds: false, answer: (bench) => onStage(beside, bench, answerBeside) },
];

/** Bodies that are sent in turn. */
const bodiesCount = 1_000;
/** Steady rates that one core can bear together. */
const smallPerSecond = 2_000;
const eventsPerSecond = 20_000;

interface Play {
  readonly bench: Bench;
  readonly entrant: Entrant;
  /** Of event files, and of the requests with events. */
  readonly folder: string;
}

async function onStage(
  name: string,
  bench: Bench,
  answer: (play: Play) => Promise<Finding>,
): Promise<Finding> {
  const stage = new Stage(smallScenario(name), bench);
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-events-'));
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    entrant.game.takeEvents();
    const response = Buffer.from(`{"taken":${eventsPerRequest},"rejected":[]}`);
    const bodies = eventBodies(bodiesCount, Date.now());
    writeResponseTable(
      join(folder, 'requests'),
      bodies.map((body) => ({ path: eventsPath, body, response })),
    );
    return await answer({ bench, entrant, folder });
  } finally {
    stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A fresh process with a fresh folder of event files. */
function start({ entrant, folder }: Play, poolAside: boolean): Promise<Server> {
  const eventsFolder = join(folder, 'events');
  rmSync(eventsFolder, { recursive: true, force: true });
  for (const name of ['open', 'sealed']) mkdirSync(join(eventsFolder, name), { recursive: true });
  return startLoadout({ ...entrant.input, eventsFolder, poolAside });
}

function eventPlan({ folder }: Play, port: number, shape: LoadSchema): LoadPlan {
  const table = { kind: 'table', tablePath: join(folder, 'requests') } as const;
  const plan = planOf(plainDefaults, port, table, shape);
  return { ...plan, headers: { ...plan.headers, 'X-Api-Key': eventsKey } };
}

/**
 * Ends the process as its parent does.
 * @throws when what it has taken is not what its files have
 */
async function endWith(server: Server, { folder }: Play): Promise<void> {
  const measures = await server.delivery!.measure();
  const gone = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.send({ type: 'drain' });
  await gone;
  const taken = measures.eventsTaken.reduce((sum, [, count]) => sum + count, 0);
  const sealed = join(folder, 'events', 'sealed');
  const lines = readdirSync(sealed).reduce((sum, name) => {
    return sum + linesIn(readFileSync(join(sealed, name)));
  }, 0);
  if (lines !== taken) throw new Error(`${taken} events were taken, and ${lines} are on the disk`);
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** @throws when a response was no 202, or did not come */
function requireTaken({ statuses, errors }: LoadResult): void {
  const others = Object.keys(statuses).filter((status) => status !== '202');
  if (others.length === 0 && errors === 0) return;
  throw new Error(`not all were taken: ${JSON.stringify({ statuses, errors })}`);
}

async function answerBatches(play: Play): Promise<Finding> {
  const { bench } = play;
  const rates: number[] = [];
  const micros: number[] = [];
  const loops: number[] = [];
  const clients: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.progress(`${batches}: round ${round + 1} of ${bench.rounds}`);
    const server = await start(play, false);
    const { shape } = plainDefaults;
    const load = new LoadCrew(shape.connections);
    await load.plan(eventPlan(play, server.port, shape));
    await load.run(bench.warmSeconds);
    const figures = await measured([server], load, bench.seconds);
    await load.end();
    requireTaken(figures.load);
    await endWith(server, play);
    rates.push(figures.requestsPerSecond * eventsPerRequest);
    micros.push(figures.serverMicrosPerRequest / eventsPerRequest);
    loops.push(100 * figures.eventLoopCpu);
    clients.push(100 * figures.clientCpu);
    others.push(figures.othersCpu);
  }
  const figures: Figure[] = [
    figureOf('loadout', 'events taken', 'events/s', 'higher', rates),
    figureOf('loadout', 'server CPU', 'µs/event', 'lower', micros),
    figureOf('loadout', 'event loop', '% of its core', 'neither', loops),
    figureOf('loadout', 'load generator', '% of its core', 'neither', clients),
    figureOf('loadout', 'others', 'cores', 'neither', others),
  ];
  const notes = [
    'an events key; the load generator bounds the rate where it uses its core and the event loop does not',
    'every event that was taken was a line of a sealed file in the end',
  ];
  return figuresFinding(batches, figures, notes);
}

async function answerBeside(play: Play): Promise<Finding> {
  const { bench } = play;
  const phases = [{ name: 'alone' }, { name: 'beside events' }];
  const runs = await interleave(phases, bench, beside, ({ name }) =>
    runBeside(play, name !== 'alone'),
  );
  const p99 = ({ small }: Phase) => mergedHistogram([small.latencies]).quantile(0.99) / 1000;
  const taken = ({ reported }: Phase) =>
    reported === null ? 0 : (reported.responses * eventsPerRequest) / reported.seconds;
  const alone = runs.get('alone')!.map(p99);
  const rows = [...runs].map(([name, results]) => {
    const spread = spreadOf(results.map(p99));
    const ratio = ratioOf(results.map(p99), alone).median;
    const rate = Math.round(spreadOf(results.map(taken)).median);
    return [name, spread.median, rangeOf(spread), ratio, rate];
  });
  const figures = [...runs].map(([name, results]): Figure => {
    const latencies = mergedHistogram(results.map(({ small }) => small.latencies)).counts();
    return { ...figureOf(name, 'p99', 'ms', 'lower', results.map(p99)), latencies };
  });
  const columns = ['1 KB', 'p99 ms', 'min-max', 'p99 of alone', 'events/s beside'];
  const notes = [`${smallPerSecond} requests/s; beside them ${eventsPerSecond} events/s are sent`];
  return { question: beside, columns, rows, notes, figures };
}

/** The small content's load, and that of the events beside it; null: there is none. */
interface Phase {
  readonly small: LoadResult;
  readonly reported: LoadResult | null;
}

async function runBeside(play: Play, hasEvents: boolean): Promise<Phase> {
  const { bench, entrant } = play;
  const server = await start(play, true);
  const small = new LoadProcess();
  const reports = new LoadProcess();
  standBack(reports.pid);
  const shape = { kind: 'paced', connections: 200, perSecond: smallPerSecond } as const;
  const table = { kind: 'table', tablePath: entrant.input.tablePath } as const;
  await small.plan(planOf(plainDefaults, server.port, table, shape));
  const perSecond = eventsPerSecond / eventsPerRequest;
  await reports.plan(eventPlan(play, server.port, { ...shape, perSecond }));
  const both = (seconds: number) =>
    Promise.all([small.run(seconds), hasEvents ? reports.run(seconds) : null]);
  await both(bench.warmSeconds);
  const [ordinary, reported] = await both(bench.seconds);
  await Promise.all([small.end(), reports.end()]);
  if (reported !== null) requireTaken(reported);
  await endWith(server, play);
  return { small: ordinary, reported };
}
