/** Entry point of one micro measurement: prepares a contender, runs it once, then repeats against the clock. */
import { createHash } from 'node:crypto';
import { type LatencyCounts, LatencyHistogram } from '../measure/latency-histogram.js';
import { type Contender, type MicroQuestion, Skipped, type Work } from './contender.js';

export interface MicroTask {
  readonly folder: string;
  readonly contender: string;
  readonly caseName: string;
  readonly root: string;
  readonly warmSeconds: number;
  readonly seconds: number;
}

export type MicroReport =
  | { readonly type: 'skipped'; readonly reason: string }
  | {
      readonly type: 'timed';
      readonly nanoseconds: number;
      /** How often a batch of repetitions took so many nanoseconds per operation. */
      readonly batches: LatencyCounts;
      /** Allocated on the JavaScript heap per operation; buffers' own memory does not count. */
      readonly heapBytes: number;
      readonly bytes: number;
      /** SHA-256 of its result and of the expected one. */
      readonly actual: string;
      readonly expected: string;
    };

/** One look at the clock must cost little beside what it times. */
const batchNanosecondsMin = 200_000;

/** Results are kept until the next one is there: the engine may skip work whose result is never used. */
let kept: unknown;

const task = JSON.parse(process.argv[2]!) as MicroTask;
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
const report = await measure();
process.send?.(report, () => process.exit(0));

async function measure(): Promise<MicroReport> {
  type Files = {
    question: MicroQuestion<unknown, unknown>;
    contender: Contender<unknown, unknown>;
  };
  const { question } = (await import(`./${task.folder}/question.js`)) as Files;
  const { contender } = (await import(`./${task.folder}/${task.contender}.js`)) as Files;
  const input = question.input(task.caseName);
  const work = await contender(input, task.root).catch(orMissing);
  if (work instanceof Skipped) return { type: 'skipped', reason: work.reason };
  const { nanoseconds, batches } = time(work);
  return {
    type: 'timed',
    nanoseconds,
    batches,
    heapBytes: heapBytesOf(work, nanoseconds),
    actual: digest(question.actual(work())),
    expected: digest(question.expected(input)),
    bytes: question.bytes(input),
  };
}

/** An older build may lack what a contender measures. */
function orMissing(error: Error & { code?: string }): Skipped {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return new Skipped(error.message);
  throw error;
}

/** The mean over all repetitions, so that garbage collection counts for the contender that causes it. */
function time(work: Work<unknown>): Timed {
  let batch = 1;
  while (repeat(work, batch) < batchNanosecondsMin) batch *= 2;
  run(work, batch, task.warmSeconds);
  return run(work, batch, task.seconds);
}

interface Timed {
  readonly nanoseconds: number;
  readonly batches: LatencyCounts;
}

function run(work: Work<unknown>, batch: number, seconds: number): Timed {
  const histogram = new LatencyHistogram();
  let nanoseconds = 0;
  let operations = 0;
  while (nanoseconds < seconds * 1e9) {
    const took = repeat(work, batch);
    nanoseconds += took;
    operations += batch;
    // Outside of the clock: a bucket's number and an addition.
    histogram.record(took / batch);
  }
  return { nanoseconds: nanoseconds / operations, batches: histogram.counts() };
}

/** What the heap grew by, at most: a collection in between can only make it less. */
function heapBytesOf(work: Work<unknown>, nanoseconds: number): number {
  const times = Math.max(1, Math.min(1000, Math.floor(5e6 / nanoseconds)));
  let grown = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = process.memoryUsage().heapUsed;
    repeat(work, times);
    grown = Math.max(grown, process.memoryUsage().heapUsed - before);
  }
  return grown / times;
}

function repeat(work: Work<unknown>, times: number): number {
  const startedAt = process.hrtime.bigint();
  for (let time = 0; time < times; time += 1) kept = work();
  const nanoseconds = Number(process.hrtime.bigint() - startedAt);
  if (kept === null) throw new Error('A contender returns something.');
  return nanoseconds;
}

function digest(result: string | Uint8Array): string {
  return createHash('sha256').update(result).digest('hex');
}
