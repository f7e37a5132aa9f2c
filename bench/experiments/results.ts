/**
 * Question: how long does an experiment's result take, of how many events, in how much memory? The analysis process is started as the server starts it,
 * asked once, and a second time. Its figures are compared with those of the plainest query first.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalysisStatistics } from '../../src/analysis/messages.js';
import type { FromAnalysis, ToAnalysis } from '../../src/analysis/process-messages.js';
import type { Bench, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { countedMetric, EventTables, request, type Scale } from '../data/event-tables.js';
import { messageOf, onEveryCore, remember, stop } from '../measure/child.js';
import { cpuTimeOf, peakBytesOf } from '../measure/cpu-time.js';
import { figureOf, figuresFinding } from '../report/figures.js';

const scales: Readonly<Record<string, Scale>> = {
  '1m': { events: 1_000_000, users: 50_000 },
  '10m': { events: 10_000_000, users: 200_000 },
  '100m': { events: 100_000_000, users: 1_000_000 },
};
/** The server's default. */
const memoryBytesMax = 1024 ** 3;
const resultMsMax = 600_000;

export const results: readonly Question[] = Object.entries(scales).map(([size, scale]) => {
  const name = `experiments/results-${size}`;
  return { name, comparesBuilds: false, answer: (bench) => answer(name, scale, bench) };
});

interface Seen {
  readonly firstSeconds: number;
  readonly firstCpuSeconds: number;
  readonly secondSeconds: number;
  readonly peakBytes: number;
}

async function answer(name: string, scale: Scale, bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const events = mkdtempSync(join(tmpdir(), 'loadout-bench-events-'));
  try {
    const expected = await make(events, scale, (line) => bench.progress(`${name}: ${line}`));
    const rounds: Seen[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      rmSync(join(events, 'results'), { recursive: true, force: true });
      rounds.push(await look(build, events, scale, expected));
    }
    return findingOf(name, rounds);
  } finally {
    rmSync(events, { recursive: true, force: true });
  }
}

/** @returns what the metric of `countedMetric` must add up to */
async function make(
  events: string,
  scale: Scale,
  progress: (line: string) => void,
): Promise<number> {
  const tables = await EventTables.open(events, scale);
  try {
    await tables.fill(progress);
    return await tables.countSinceExposure(countedMetric.event);
  } finally {
    tables.close();
  }
}

async function look(build: Build, events: string, scale: Scale, expected: number): Promise<Seen> {
  const child = remember(fork(join(build.root, 'build/analysis-process.js')));
  const pid = child.pid ?? 0;
  onEveryCore(pid);
  tell(child, {
    type: 'start',
    options: { events, sink: { kind: 'parquet' }, hashesIds: false, memoryBytesMax },
  });
  try {
    const cpuBefore = cpuTimeOf(pid).process;
    const first = await analyse(child, 1);
    const firstCpuSeconds = cpuTimeOf(pid).process - cpuBefore;
    check(first.statistics, scale, expected);
    const second = await analyse(child, 2);
    if (!second.statistics.cached) throw new Error('The second result was computed again.');
    const peakBytes = peakBytesOf(pid);
    return {
      firstSeconds: first.seconds,
      firstCpuSeconds,
      secondSeconds: second.seconds,
      peakBytes,
    };
  } finally {
    await stop(child);
  }
}

function tell(child: ChildProcess, message: ToAnalysis): void {
  child.send(message);
}

async function analyse(
  child: ChildProcess,
  id: number,
): Promise<{ statistics: AnalysisStatistics; seconds: number }> {
  const started = performance.now();
  tell(child, { id, type: 'analyse', request });
  const statistics = await messageOf(child, resultMsMax, (message) => {
    const response = message as FromAnalysis;
    if (response.type === 'failed') throw new Error(response.detail);
    return response.type === 'analysed' ? response.statistics : undefined;
  });
  return { statistics, seconds: (performance.now() - started) / 1_000 };
}

function check({ exposures, metrics }: AnalysisStatistics, scale: Scale, expected: number): void {
  const users = exposures.reduce((sum, each) => sum + each.users, 0);
  if (users !== scale.users) throw new Error(`${users} exposed users instead of ${scale.users}.`);
  const counted = metrics.find(({ name }) => name === countedMetric.name)?.sums ?? [];
  const total = counted.reduce((sum, each) => sum + each.sumX, 0);
  if (total !== expected) throw new Error(`${total} events were counted instead of ${expected}.`);
}

function findingOf(name: string, rounds: readonly Seen[]): Finding {
  const figure = (what: string, unit: string, read: (seen: Seen) => number) =>
    figureOf('loadout', what, unit, 'lower', rounds.map(read));
  return figuresFinding(
    name,
    [
      figure('first look', 's', (seen) => seen.firstSeconds),
      figure('CPU of the first look', 's', (seen) => seen.firstCpuSeconds),
      figure('second look', 's', (seen) => seen.secondSeconds),
      figure('peak of resident memory', 'MiB', (seen) => seen.peakBytes / 2 ** 20),
    ],
    [
      '20 metrics of all kinds over 30 days, users in three variants; DuckDB with 1 GiB and 2 threads',
    ],
  );
}
