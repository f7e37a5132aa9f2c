/** Question: what does a delivery process keep of a caller who tries every combination of rules of 300 contents? */

import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { callerOfVariant, switchesOff, twelveRules, variantCount } from '../data/mappings.js';
import { benchContent } from '../data/published-game.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { figureOf } from '../report/figures.js';
import type { Server } from './contenders/contender.js';
import { type LoneDelivery, withDelivery } from './race/lone-delivery.js';

const name = 'http/selections/sweep-300x12';
const contentsCount = 300;
const idsPerCall = 100;
const connections = 3;
/** The machine is others' too: a process that has grown so far has answered the question. */
const rssBytesMax = 2 * 2 ** 30;

export const selections: readonly Question[] = [{ name, comparesBuilds: true, answer }];

interface Stand {
  readonly step: string;
  readonly selected: number;
  readonly seconds: number;
  readonly rssMiB: number;
  readonly renderedMiB: number;
  /** As the process estimates it; NaN where it does not. */
  readonly selectionsMiB: number;
  readonly selectionsEntries: number;
}

async function answer(bench: Bench): Promise<Finding> {
  const rows: Cell[][] = [];
  const notes: string[] = [];
  const figures: Figure[] = [];
  for (const build of bench.builds) {
    const stands = await sweep(build, bench);
    for (const stand of stands) {
      rows.push([
        build.name,
        stand.step,
        stand.selected,
        Math.round(stand.seconds),
        stand.rssMiB,
        stand.renderedMiB,
        stand.selectionsMiB,
        stand.selectionsEntries,
      ]);
    }
    const last = stands.at(-1)!;
    if (last.rssMiB * 2 ** 20 > rssBytesMax) {
      notes.push(`${build.name} was stopped after ${last.selected} selections, beyond 2 GiB`);
    }
    const grown = last.rssMiB - stands[0]!.rssMiB;
    figures.push(figureOf(build.name, 'RSS growth', 'MiB', 'lower', [grown]));
  }
  const columns = [
    'build',
    'after',
    'selected',
    's',
    'RSS MiB',
    'bodies MiB',
    'selections MiB',
    'kept',
  ];
  return { question: name, columns, rows, notes, figures };
}

function sweep(build: Build, bench: Bench): Promise<Stand[]> {
  const ids = Array.from({ length: contentsCount }, (_, at) => `sweep-${at}`);
  const contents = ids.map((id, at) =>
    benchContent(id, { at, switches: switchesOff() }, twelveRules),
  );
  return withDelivery(build, bench, contents, connections, async (delivery) => {
    const { server, game } = delivery;
    const stands: Stand[] = [];
    const startedAt = performance.now();
    let selected = 0;
    const note = async (step: string): Promise<void> => {
      const seconds = (performance.now() - startedAt) / 1000;
      const stand = { step, selected, seconds, ...(await memoryOf(server)) };
      stands.push(stand);
      bench.progress(`${name}: ${build.name}, ${step}, ${Math.round(stand.rssMiB)} MiB`);
    };
    const askAll = async (body: string): Promise<void> => {
      const calls: Promise<void>[] = [];
      for (let from = 0; from < contentsCount; from += idsPerCall) {
        calls.push(combine(delivery, ids.slice(from, from + idsPerCall), body));
      }
      await Promise.all(calls);
    };
    /** Every combination once, all contents of it together. Returns at the limit. */
    const pass = async (): Promise<void> => {
      for (let variant = 0; variant < variantCount; variant += 1) {
        await askAll(JSON.stringify(callerOfVariant(variant)));
        selected += contentsCount;
        if (residentBytesOf(server.pid) > rssBytesMax) return;
      }
    };
    // Documents are fetched and the code is warm before the first look.
    for (let time = 0; time < 3; time += 1) await askAll('{}');
    await note('start');
    await pass();
    await note('each combination once');
    if (residentBytesOf(server.pid) < rssBytesMax) {
      await pass();
      await note('and once more');
    }
    game.put(ids.map((id, at) => benchContent(id, { at, edited: true }, [])));
    await server.delivery!.publish(3);
    await note('all contents replaced');
    return stands;
  });
}

async function memoryOf(server: Server): Promise<Omit<Stand, 'step' | 'selected' | 'seconds'>> {
  const measured = await server.delivery!.measure();
  const { selectionsBytes = Number.NaN, selectionsEntries = Number.NaN } = measured;
  return {
    rssMiB: residentBytesOf(server.pid) / 2 ** 20,
    renderedMiB: measured.renderedBytes / 2 ** 20,
    selectionsMiB: selectionsBytes / 2 ** 20,
    selectionsEntries,
  };
}

async function combine({ ask }: LoneDelivery, ids: readonly string[], body: string): Promise<void> {
  const c = encodeURIComponent(JSON.stringify(ids));
  const { status } = await ask(`/api/v1/combine/?dynamic=true&c=${c}`, body);
  // On a busy machine a turn may be late (503); the sweep goes on, as an attacker would.
  if (status !== 200 && status !== 503) throw new Error(`status ${status}`);
}
