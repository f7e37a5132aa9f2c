/**
 * Question: what does a release that ramps cost per request, for a content item that it changes and for one beside it? One
 * process serves both, and the ramp is published and taken back between slices of the load: a fresh process differs from the
 * one before by more than the answer.
 */
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { stop } from '../measure/child.js';
import { medianIntervalOf, ratioOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { short } from '../report/text-table.js';
import { startServer } from './contenders/start.js';
import { LoadCrew } from './load/load-crew.js';
import { measured, planOf, problemOf } from './race/measure-run.js';
import { plainDefaults, type Scenario } from './race/scenario.js';
import { type Entrant, Stage } from './race/stage.js';

const name = 'http/ramp/wrapped-1kb';

export const ramp: readonly Question[] = [{ name, comparesBuilds: false, answer }];

const contents = ['changed', 'beside'].map((id, at) =>
  benchContent(id, gameContent(at, 1024), threeRules),
);
const [changed] = contents;
const requests = contents.map((content) => ({
  path: `/api/v1/config/${content.id}/dynamic`,
  body: JSON.stringify(player),
  expected: plainResponse(content, player, 'wrapped'),
}));

const scenario: Scenario = {
  ...plainDefaults,
  name,
  prepare: () => ({ contents, requests: requests.slice(0, 1), variants: false }),
};

/** Of one start: what drifts hits all alike. */
const slices = 4;
/** After each publishing: what it has made again is in the caches. */
const settleSeconds = 0.3;
/** Half of the callers are in; each has its bucket hashed. */
const permille = 500;

/** CPU microseconds of the server for a request, by content item: without the ramp, and with it. */
type Run = readonly { readonly without: number; readonly with: number }[];

async function answer(bench: Bench): Promise<Finding> {
  const stage = new Stage(scenario, bench);
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const tables = [entrant.input.tablePath, await stage.rehearseMore(entrant, requests.slice(1))];
    const runs: Run[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: start ${round + 1} of ${bench.rounds}`);
      runs.push(await run(entrant, tables, bench));
    }
    return findingOf(runs);
  } finally {
    stage.close();
  }
}

/** @param tables of responses, by content item */
async function run(entrant: Entrant, tables: readonly string[], bench: Bench): Promise<Run> {
  const server = await startServer('loadout', { ...entrant.input, poolAside: true });
  const loads = tables.map(() => new LoadCrew(plainDefaults.shape.connections));
  const spent = tables.map(() => ({ without: new Spent(), with: new Spent() }));
  const publish = async (isRamping: boolean): Promise<void> => {
    const sequence = entrant.game.put([changed!], isRamping ? permille : null);
    await server.delivery?.publish(sequence);
  };
  try {
    for (const [at, load] of loads.entries()) {
      const table = { kind: 'table', tablePath: tables[at]! } as const;
      await load.plan(planOf(scenario, server.port, table, scenario.shape));
      await load.run(bench.warmSeconds);
    }
    for (let slice = 0; slice < slices; slice += 1) {
      const order = slice % 2 === 0 ? [false, true] : [true, false];
      for (const isRamping of order) {
        await publish(isRamping);
        for (const [at, load] of loads.entries()) {
          await load.run(settleSeconds);
          const figures = await measured([server], load, bench.seconds / slices);
          const problem = problemOf(figures);
          if (problem !== null) throw new Error(`${name}: ${problem}`);
          const { responses } = figures.load;
          spent[at]![isRamping ? 'with' : 'without'].add(responses, figures.serverMicrosPerRequest);
        }
      }
    }
    return spent.map((of) => ({ without: of.without.perRequest, with: of.with.perRequest }));
  } finally {
    await publish(false);
    for (const load of loads) await load.end();
    await stop(server.child);
  }
}

/** CPU time over many slices. */
class Spent {
  #responses = 0;
  #micros = 0;

  add(responses: number, microsPerRequest: number): void {
    this.#responses += responses;
    this.#micros += responses * microsPerRequest;
  }

  get perRequest(): number {
    return this.#micros / this.#responses;
  }
}

function findingOf(runs: readonly Run[]): Finding {
  const figures: Figure[] = [];
  const rows = contents.map(({ id }, at): Cell[] => {
    const [without, ramping] = [runs.map((of) => of[at]!.without), runs.map((of) => of[at]!.with)];
    figures.push(
      figureOf(id, 'server CPU, nothing ramps', 'µs/request', 'lower', without),
      figureOf(id, 'server CPU beside a ramp', 'µs/request', 'lower', ramping),
    );
    const ratios = without.map((micros, round) => micros / ramping[round]!);
    const interval = medianIntervalOf(ratios);
    return [
      ...[id, figures.at(-2)!.spread.median, figures.at(-1)!.spread.median],
      ...[ratioOf(without, ramping).median.toFixed(3)],
      interval === null ? 'too few starts' : interval.map((ratio) => ratio.toFixed(3)).join(' to '),
    ];
  });
  return {
    question: name,
    columns: ['content', 'µs/req, no ramp', 'µs/req, ramp', 'CPU of no ramp', '95 % of the median'],
    rows,
    notes: [`${runs.length} starts of ${slices} slices each; ${short(permille / 10)} % are in`],
    figures,
  };
}
