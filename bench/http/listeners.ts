/** Question: does a second listener cost CPU per request? */
import type { Bench, Finding, Question } from '../bench.js';
import { clientCore, serverCore, stop } from '../measure/child.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { short } from '../report/text-table.js';
import type { Server } from './contenders/contender.js';
import { startServer } from './contenders/start.js';
import { faultOf, LoadProcess, measured, planOf, type RunFigures } from './measure-run.js';
import { figuresOf } from './race.js';
import { plainDefaults, type Scenario } from './scenario.js';
import { smallContent } from './small-content.js';
import { type Entrant, Stage } from './stage.js';

const name = 'http/listeners/wrapped-1kb';

const scenario: Scenario = {
  ...plainDefaults,
  name,
  prepare: () => {
    const { content, request } = smallContent();
    return { contents: [content], requests: [request], variants: false };
  },
};

export const listeners: readonly Question[] = [
  { name, inQuick: true, comparesBuilds: false, answer },
];

async function answer(bench: Bench): Promise<Finding> {
  const stage = new Stage(scenario, bench);
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const counts = [1, 2].map((count) => ({
      name: `${count} listener${count > 1 ? 's' : ''}`,
      count,
    }));
    const runs = await interleave(counts, bench, name, ({ count }) => run(entrant, count, bench));
    return findingOf(runs);
  } finally {
    stage.close();
  }
}

/** The second listener has the other core, which it shares with the load generator. */
async function run(entrant: Entrant, count: number, bench: Bench): Promise<RunFigures> {
  const servers: Server[] = [];
  const load = new LoadProcess();
  try {
    for (let listener = 0; listener < count; listener += 1) {
      const core = listener === 0 ? serverCore : clientCore;
      const port = servers[0]?.port ?? 0;
      servers.push(await startServer('loadout', { ...entrant.input, core, port }));
    }
    const requests = { kind: 'table', tablePath: entrant.input.tablePath } as const;
    await load.plan(planOf(scenario, servers[0]!.port, requests, scenario.shape));
    await load.run(bench.warmSeconds);
    return await measured(servers, load, bench.seconds);
  } finally {
    await load.end();
    for (const server of servers) await stop(server.child);
  }
}

function findingOf(runs: ReadonlyMap<string, readonly RunFigures[]>): Finding {
  const [one] = [...runs.values()];
  const microsOf = (all: readonly RunFigures[]) => all.map((run) => run.serverMicrosPerRequest);
  const rows = [...runs].map(([contender, all]) => {
    const micros = spreadOf(microsOf(all));
    const ratio = ratioOf(microsOf(all), microsOf(one!));
    const faults = all.map(faultOf).filter((fault) => fault !== null);
    return [
      contender,
      spreadOf(all.map((run) => run.requestsPerSecond)).median,
      micros.median,
      `${short(micros.min)}-${short(micros.max)}`,
      ratio.median,
      `${short(ratio.min)}-${short(ratio.max)}`,
      faults.join(', '),
    ];
  });
  return {
    question: name,
    columns: ['', 'requests/s', 'server µs/req', 'min-max', 'CPU of one', 'min-max', ''],
    rows,
    notes: [],
    figures: [...runs].flatMap(([contender, all]) => figuresOf(contender, all)),
  };
}
