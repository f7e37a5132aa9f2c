/**
 * What a state of the published data costs per request: one process serves all loads, and the state is published and taken back between
 * slices of each load. A fresh process differs from the one before by more than the answer.
 */
import type { Bench, Cell, Figure, Finding, Question } from '../../bench.js';
import type { PlainContent } from '../../data/plain-response.js';
import type { PublishedGame } from '../../data/published-game.js';
import { stop } from '../../measure/child.js';
import { medianIntervalOf, ratioOf } from '../../measure/statistics.js';
import { figureOf } from '../../report/figures.js';
import { startServer } from '../contenders/start.js';
import { LoadCrew } from '../load/load-crew.js';
import { measured, planOf, problemOf } from './measure-run.js';
import { type ExpectedRequest, plainDefaults, type Scenario } from './scenario.js';
import { type Entrant, Stage } from './stage.js';

export interface Interleaved {
  readonly name: string;
  readonly contents: readonly PlainContent[];
  /** Each is compared with itself. */
  readonly loads: readonly { readonly id: string; readonly requests: readonly ExpectedRequest[] }[];
  /** Publishes the state, or takes it back. @returns the sequence */
  readonly put: (game: PublishedGame, isOn: boolean) => number;
  /** What figures are called without the state and with it: `nothing ramps`, `beside a ramp`. */
  readonly without: string;
  readonly with: string;
  readonly note: string;
}

/** Of one start: what drifts hits all alike. */
const slices = 4;
/** After each publishing: what it has made again is in the caches. */
const settleSeconds = 0.3;

/** CPU microseconds of the server for a request, by load: without the state, and with it. */
type Run = readonly { readonly without: number; readonly with: number }[];

export function interleavedQuestion(asked: Interleaved): Question {
  return { name: asked.name, comparesBuilds: false, answer: (bench) => answer(asked, bench) };
}

async function answer(asked: Interleaved, bench: Bench): Promise<Finding> {
  const { name, contents, loads } = asked;
  const [first, ...others] = loads;
  const scenario: Scenario = {
    ...plainDefaults,
    name,
    prepare: () => ({ contents, requests: first?.requests ?? [], variants: false }),
  };
  const stage = new Stage(scenario, bench);
  try {
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const tables = [entrant.input.tablePath];
    for (const { requests } of others) tables.push(await stage.rehearseMore(entrant, requests));
    const runs: Run[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: start ${round + 1} of ${bench.rounds}`);
      runs.push(await run(asked, scenario, entrant, tables, bench));
    }
    return findingOf(asked, runs);
  } finally {
    stage.close();
  }
}

/** @param tables of responses, by load */
async function run(
  { name, put }: Interleaved,
  scenario: Scenario,
  entrant: Entrant,
  tables: readonly string[],
  bench: Bench,
): Promise<Run> {
  const server = await startServer('loadout', { ...entrant.input, poolAside: true });
  const loads = tables.map(() => new LoadCrew(plainDefaults.shape.connections));
  const spent = tables.map(() => ({ without: new Spent(), with: new Spent() }));
  const publish = async (isOn: boolean): Promise<void> => {
    await server.delivery?.publish(put(entrant.game, isOn));
  };
  try {
    for (const [at, load] of loads.entries()) {
      const table = { kind: 'table', tablePath: tables[at]! } as const;
      await load.plan(planOf(scenario, server.port, table, scenario.shape));
    }
    // In both states: what runs for the first time is compiled, and what was compiled for one state may be so again.
    for (const isOn of [false, true]) {
      await publish(isOn);
      for (const load of loads) await load.run(bench.warmSeconds);
    }
    for (let slice = 0; slice < slices; slice += 1) {
      const order = slice % 2 === 0 ? [false, true] : [true, false];
      for (const isOn of order) {
        await publish(isOn);
        for (const [at, load] of loads.entries()) {
          await load.run(settleSeconds);
          const figures = await measured([server], load, bench.seconds / slices);
          const problem = problemOf(figures);
          if (problem !== null) throw new Error(`${name}: ${problem}`);
          const { responses } = figures.load;
          spent[at]![isOn ? 'with' : 'without'].add(responses, figures.serverMicrosPerRequest);
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

function findingOf(asked: Interleaved, runs: readonly Run[]): Finding {
  const figures: Figure[] = [];
  const rows = asked.loads.map(({ id }, at): Cell[] => {
    const [without, withState] = [
      runs.map((of) => of[at]!.without),
      runs.map((of) => of[at]!.with),
    ];
    figures.push(
      figureOf(id, `server CPU, ${asked.without}`, 'µs/request', 'lower', without),
      figureOf(id, `server CPU ${asked.with}`, 'µs/request', 'lower', withState),
    );
    const ratios = without.map((micros, round) => micros / withState[round]!);
    const interval = medianIntervalOf(ratios);
    return [
      ...[id, figures.at(-2)!.spread.median, figures.at(-1)!.spread.median],
      ...[ratioOf(without, withState).median.toFixed(3)],
      interval === null ? 'too few starts' : interval.map((ratio) => ratio.toFixed(3)).join(' to '),
    ];
  });
  return {
    question: asked.name,
    columns: [
      ...['content', `µs/req, ${asked.without}`, `µs/req, ${asked.with}`],
      ...[`CPU with ${asked.without}`, '95 % of the median'],
    ],
    rows,
    notes: [`${runs.length} starts of ${slices} slices each; ${asked.note}`],
    figures,
  };
}
