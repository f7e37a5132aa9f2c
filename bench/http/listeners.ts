/** Question: how do requests per second and CPU per request scale over the listeners of one port? */
import type { Bench, Finding, Question } from '../bench.js';
import { loadCores, serverCore, serverCoreCount, stop } from '../measure/child.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { rangeOf } from '../report/text-table.js';
import type { Server } from './contenders/contender.js';
import { startServer } from './contenders/start.js';
import { LoadCrew } from './load/load-crew.js';
import { faultOf, measured, planOf, type RunFigures } from './race/measure-run.js';
import { figuresOf, isClientBound } from './race/race.js';
import { smallScenario } from './race/small-content.js';
import { type Entrant, Stage } from './race/stage.js';

const name = 'http/listeners/wrapped-1kb';
/** Of several listeners, each gets its share of the connections: enough that none is idle. */
const connectionsPerListener = 50;

const scenario = smallScenario(name);

export const listeners: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const stage = new Stage(scenario, bench);
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const most = bench.listeners > 0 ? bench.listeners : Math.max(2, serverCoreCount());
    const counts = countsUpTo(most).map((count) => ({
      name: `${count} listener${count > 1 ? 's' : ''}`,
      count,
    }));
    const runs = await interleave(counts, bench, name, ({ count }) => run(entrant, count, bench));
    return findingOf(runs, most);
  } finally {
    stage.close();
  }
}

/** 1, 2, 4, ... and the last one. */
export function countsUpTo(most: number): number[] {
  const counts: number[] = [];
  for (let count = 1; count < most; count *= 2) counts.push(count);
  return [...counts, most];
}

/** Each listener has a server core; those for which there is none share the load generators' cores. */
function coreOf(listener: number): number {
  const spare = loadCores();
  const beyond = listener - serverCoreCount();
  return beyond < 0 ? serverCore(listener) : spare[beyond % spare.length]!;
}

async function run(entrant: Entrant, count: number, bench: Bench): Promise<RunFigures> {
  const servers: Server[] = [];
  const connections = bench.connections > 0 ? bench.connections : connectionsPerListener * count;
  const load = new LoadCrew(connections);
  try {
    for (let listener = 0; listener < count; listener += 1) {
      const core = coreOf(listener);
      const port = servers[0]?.port ?? 0;
      servers.push(await startServer('loadout', { ...entrant.input, core, port }));
    }
    const requests = { kind: 'table', tablePath: entrant.input.tablePath } as const;
    const shape = { kind: 'closed', connections } as const;
    await load.plan(planOf(scenario, servers[0]!.port, requests, shape));
    await load.run(bench.warmSeconds);
    return await measured(servers, load, bench.seconds);
  } finally {
    await load.end();
    for (const server of servers) await stop(server.child);
  }
}

function findingOf(runs: ReadonlyMap<string, readonly RunFigures[]>, most: number): Finding {
  const [one] = [...runs.values()];
  const microsOf = (all: readonly RunFigures[]) => all.map((run) => run.serverMicrosPerRequest);
  const ratesOf = (all: readonly RunFigures[]) => all.map((run) => run.requestsPerSecond);
  const rows = [...runs].map(([contender, all]) => {
    const rates = spreadOf(ratesOf(all));
    const micros = spreadOf(microsOf(all));
    const cpu = ratioOf(microsOf(all), microsOf(one!));
    const faults = all.map(faultOf).filter((fault) => fault !== null);
    return [
      contender,
      rates.median,
      rangeOf(rates),
      ratioOf(ratesOf(all), ratesOf(one!)).median,
      micros.median,
      rangeOf(micros),
      cpu.median,
      rangeOf(cpu),
      [...faults, ...(isClientBound(all) ? ['client-bound'] : [])].join(', '),
    ];
  });
  const columns = ['', 'requests/s', 'min-max', 'of one', 'server µs/req', 'min-max'];
  const figures = [...runs].flatMap(([contender, all]) => figuresOf(contender, all));
  return {
    question: name,
    columns: [...columns, 'CPU of one', 'min-max', ''],
    rows,
    notes: notesOf(most),
    figures,
  };
}

/** What the machine cannot show. */
function notesOf(most: number): string[] {
  const servers = serverCoreCount();
  const loads = loadCores().length;
  const notes = [`${servers} server core(s), ${loads} load core(s)`];
  if (most > servers) {
    notes.push(
      `listeners beyond ${servers} share the load generators' cores: their rates are no measure of scaling, and their CPU per request is that of shared caches. More cores: --cores 0-3,4-7`,
    );
  }
  return notes;
}
