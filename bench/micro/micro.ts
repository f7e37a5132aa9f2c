/** Asks a micro question: its contenders in fresh processes, interleaved; answers compared before times. */
import { resolve } from 'node:path';
import { deliveryEnvironment } from '../../src/published/barrier.js';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { casesOf } from '../catalogue.mjs';
import { heard, serverCore, startNode, stop } from '../measure/child.js';
import { type LatencyCounts, mergedHistogram } from '../measure/latency-histogram.js';
import { interleave } from '../measure/rounds.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { rangeOf } from '../report/text-table.js';
import type { ContenderFile, MicroQuestion } from './contender.js';
import type { MicroReport, MicroTask } from './contender-process.js';

interface Entrant {
  readonly name: string;
  readonly file: ContenderFile;
  readonly build: Build;
}

const columns = ['contender', 'ns/op', 'min-max', 'GB/s', 'heap B/op', 'of first', ''];

export function microQuestions<I, O>(question: MicroQuestion<I, O>): Question[] {
  return casesOf(question.name).map((name) => ({
    name: `${question.name}/${name}`,
    comparesBuilds: true,
    answer: (bench) => ask(question, name, bench),
  }));
}

async function ask<I, O>(
  question: MicroQuestion<I, O>,
  caseName: string,
  bench: Bench,
): Promise<Finding> {
  const name = `${question.name}/${caseName}`;
  const folder = question.name.slice('micro/'.length);
  const entrants = fieldOf(question.contenders, bench);
  const runs = await interleave(entrants, bench, name, ({ file, build }) =>
    measure({
      folder,
      contender: file.name,
      caseName,
      root: build.root,
      warmSeconds: bench.warmSeconds / 4,
      seconds: bench.seconds / 4,
    }),
  );
  return findingOf(name, entrants, runs);
}

/** Where two builds are compared, only what is ours takes part. */
function fieldOf(files: readonly ContenderFile[], { builds }: Bench): Entrant[] {
  const [tree, other] = builds;
  if (tree === undefined) return [];
  if (other === undefined) return files.map((file) => ({ name: file.name, file, build: tree }));
  return files
    .filter((file) => file.ours)
    .flatMap((file) =>
      builds.map((build) => ({ name: `${file.name} of ${build.name}`, file, build })),
    );
}

async function measure(task: MicroTask): Promise<MicroReport> {
  const script = resolve(import.meta.dirname, 'contender-process.js');
  const child = startNode(script, [JSON.stringify(task)], {
    core: serverCore(),
    env: { ...deliveryEnvironment },
  });
  try {
    return await heard(child, (task.seconds + 60) * 1000, (message) => message as MicroReport);
  } finally {
    await stop(child);
  }
}

function findingOf(
  question: string,
  entrants: readonly Entrant[],
  runs: ReadonlyMap<string, readonly MicroReport[]>,
): Finding {
  const rows: Cell[][] = [];
  const notes: string[] = [];
  const figures: Figure[] = [];
  let first = Number.NaN;
  for (const { name, file } of entrants) {
    const times: number[] = [];
    const heaps: number[] = [];
    const batches: LatencyCounts[] = [];
    let bytes = 0;
    let isWrong = false;
    for (const run of runs.get(name) ?? []) {
      if (run.type === 'skipped') {
        notes.push(`${name} is left out: ${run.reason}`);
        break;
      }
      isWrong ||= run.answer !== run.expected && file.isYardstick !== true;
      bytes = run.bytes;
      times.push(run.nanoseconds);
      heaps.push(run.heapBytes);
      batches.push(run.batches);
    }
    if (times.length === 0) continue;
    if (isWrong) {
      rows.push([name, '-', '-', '-', '-', '-', 'NO RESULT: another answer']);
      continue;
    }
    const spread = spreadOf(times);
    if (Number.isNaN(first)) first = spread.median;
    rows.push([
      name,
      spread.median,
      rangeOf(spread),
      bytes === 0 ? '-' : bytes / spread.median,
      Math.round(spreadOf(heaps).median),
      spread.median / first,
      file.isYardstick === true ? 'yardstick: other work' : '',
    ]);
    const distribution = mergedHistogram(batches).counts();
    figures.push({ ...figureOf(name, 'time', 'ns', 'lower', times), distribution });
    figures.push(figureOf(name, 'heap', 'B', 'neither', heaps));
  }
  return { question, columns, rows, notes, figures };
}
