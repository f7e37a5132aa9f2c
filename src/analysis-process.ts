/**
 * Entry point of the analysis process: stores events and answers queries about them, one job at a time, until its parent
 * says so or is gone. It may be killed at any moment (D97).
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { AnalysisOptions, FromAnalysis, ToAnalysis } from './analysis/process-messages.js';
import { EventQueries } from './analysis/queries/event-queries.js';
import { ResultCache } from './analysis/queries/result-cache.js';
import { resultsFolder } from './analysis/storage/event-folder.js';
import { EventStorage } from './analysis/storage/event-storage.js';
import { storageFailureOf } from './analysis/storage/storage-failed.js';

/** Its parent ends a process that does not say for a while that its event loop turns. */
const aliveEveryMs = 1_000;
/** Of the scheduler: whatever serves players goes first. */
const niceness = 10;
/** Of Linux, -1000 to 1000: where the memory of the machine runs out, this process goes first. */
const outOfMemoryScore = 800;

// The parent speaks for us: Ctrl-C and a closed terminal reach the whole group.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);
yieldToOthers();

interface Parts {
  readonly storage: EventStorage;
  readonly results: ResultCache;
}

/** Of the first message. */
let options: AnalysisOptions | null = null;
/** Null: not open yet, or the last attempt has failed. */
let parts: Promise<Parts> | null = null;

process.on('message', (message) => {
  void obey(message as ToAnalysis);
});
setInterval(() => {
  // It was gone before this process listened to its end.
  if (!process.connected) end();
  tell({ type: 'alive', rssBytes: process.memoryUsage.rss() });
}, aliveEveryMs);

/** Not by `exit`, which waits for a query of DuckDB that is under way. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function tell(message: FromAnalysis): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

async function obey(message: ToAnalysis): Promise<void> {
  if (message.type === 'start') {
    options = message.options;
    // What fails here fails the first job.
    void partsOf().catch(() => undefined);
    return;
  }
  tell(await responseTo(message));
}

/** The folder may be full, or the disk away for a moment: each job tries again. */
function partsOf(): Promise<Parts> {
  if (options === null) return Promise.reject(new Error('The process was not given its options.'));
  parts ??= open(options);
  parts.catch(() => {
    parts = null;
  });
  return parts;
}

async function open(options: AnalysisOptions): Promise<Parts> {
  const storage = await EventStorage.open(options, () => tell({ type: 'progress' }));
  return { storage, results: new ResultCache(resultsFolder(options.events)) };
}

async function responseTo(job: Exclude<ToAnalysis, { type: 'start' }>): Promise<FromAnalysis> {
  const { id } = job;
  try {
    const { storage, results } = await partsOf();
    switch (job.type) {
      case 'analyse': {
        const statistics = await queriesOf(storage, results).analyse(job.request);
        return { id, type: 'analysed', statistics };
      }
      case 'baseline': {
        const statistics = await queriesOf(storage, results).baseline(job.request);
        return { id, type: 'baseline', statistics };
      }
      case 'names': {
        const result = await queriesOf(storage, results).names(job.request);
        return { id, type: 'named', result };
      }
      case 'forget': {
        const response = await storage.do(job);
        await results.clear();
        return response;
      }
      default:
        return await storage.do(job);
    }
  } catch (error) {
    const { reason, message: detail, retrySeconds } = storageFailureOf(error);
    return { id, type: 'failed', reason, detail, retrySeconds };
  }
}

function queriesOf({ source }: EventStorage, results: ResultCache): EventQueries {
  if (source === null) throw new Error('Events go to an HTTP collector, which has them all.');
  return new EventQueries(source, results);
}

/** As far as the system lets it. */
function yieldToOthers(): void {
  try {
    setPriority(niceness);
  } catch {
    // Not every platform has priorities.
  }
  try {
    writeFileSync('/proc/self/oom_score_adj', String(outOfMemoryScore));
  } catch {
    // Only Linux has it.
  }
}
