/**
 * A sample of the user contexts of recent requests, for environments whose owners switched it on (D111). It is in this
 * process's memory alone: never in the store, a backup or a log, and gone when the server ends. Each request of the past day
 * is as likely as any other to be in it.
 */
import type { Logger } from 'pino';
import type { KeptContext, SeenTraffic } from '../../published/traffic.js';
import { getOrAdd } from '../get-or-add.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  sampledContextsBytesMax,
  sampledContextsCheckEveryMs,
  sampledContextsKeptMs,
  sampledContextsMax,
} from '../limits/evaluation.js';
import type { Store } from '../store/store.js';
import { readTrafficKept } from '../store/traffic-policies.js';

interface Entry extends KeptContext {
  /** Those with the smallest are the sample. */
  readonly rank: number;
  readonly atMs: number;
}

interface Sample {
  entries: Entry[];
  /** When requests were reported, and how many: of the past day. */
  readonly reports: { readonly atMs: number; readonly requests: number }[];
}

/** The sample as a preview takes it. */
export interface TakenSample {
  /** NDJSON: a user context on each line. */
  readonly contexts: Uint8Array;
  /** How many there are. */
  readonly count: number;
  /** How many requests they stand for, about. */
  readonly requests: number;
  /** Contexts that lack attributes which are not kept. */
  readonly reduced: number;
  /** When the first of these requests were reported, milliseconds since the epoch; null: there were none. */
  readonly sinceMs: number | null;
}

export class ContextSamples {
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #samples = new Map<string, Sample>();
  #bytes = 0;

  /**
   * @param now milliseconds since the epoch
   * @param random from 0 to below 1
   */
  constructor(now: () => number = Date.now, random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** Environments of which there is a sample. */
  get environments(): readonly string[] {
    return [...this.#samples.keys()];
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Delivery processes report what requests carried. */
  add(seen: readonly SeenTraffic[]): void {
    const atMs = this.#now();
    for (const { environment, sampled } of seen) {
      if (sampled === null || sampled.contexts.length === 0) continue;
      const { requests, contexts } = sampled;
      const sample = getOrAdd(this.#samples, environment, (): Sample => {
        return { entries: [], reports: [] };
      });
      sample.reports.push({ atMs, requests });
      const weight = requests / contexts.length;
      for (const { json, isReduced } of contexts) {
        const rank = -Math.log(1 - this.#random()) / weight;
        sample.entries.push({ json, isReduced, rank, atMs });
        this.#bytes += json.length;
      }
      this.#cut(sample, sampledContextsMax);
    }
    this.#makeRoom();
  }

  /** Of an environment that keeps none: an empty one. */
  take(environment: string): TakenSample {
    const sample = this.#samples.get(environment);
    if (sample === undefined) {
      return { contexts: new Uint8Array(), count: 0, requests: 0, reduced: 0, sinceMs: null };
    }
    this.#cut(sample, sampledContextsMax);
    const { entries, reports } = sample;
    return {
      contexts: Buffer.from(entries.map(({ json }) => json).join('\n')),
      count: entries.length,
      requests: reports.reduce((sum, { requests }) => sum + requests, 0),
      reduced: entries.filter(({ isReduced }) => isReduced).length,
      sinceMs: reports[0]?.atMs ?? null,
    };
  }

  forget(environment: string): void {
    const sample = this.#samples.get(environment);
    if (sample === undefined) return;
    this.#cut(sample, 0);
    this.#samples.delete(environment);
  }

  /** Removes what is older than a day, and what is too much. */
  #cut(sample: Sample, countMax: number): void {
    const sinceMs = this.#now() - sampledContextsKeptMs;
    const recent = sample.reports.findIndex(({ atMs }) => atMs >= sinceMs);
    sample.reports.splice(0, recent === -1 ? sample.reports.length : recent);
    const kept = sample.entries.filter(({ atMs }) => atMs >= sinceMs);
    if (kept.length > countMax) {
      kept.sort((a, b) => a.rank - b.rank);
      kept.length = countMax;
    }
    this.#bytes += bytesOf(kept) - bytesOf(sample.entries);
    sample.entries = kept;
  }

  /** The largest sample gives way. */
  #makeRoom(): void {
    while (this.#bytes > sampledContextsBytesMax) {
      const largest = [...this.#samples.values()].reduce((a, b) =>
        bytesOf(a.entries) >= bytesOf(b.entries) ? a : b,
      );
      this.#cut(largest, Math.floor(largest.entries.length / 2));
    }
  }
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { json }) => sum + json.length, 0);
}

/** Forgets the samples of environments that keep none any more: another server of the fleet may have switched it off. */
export function forgetSwitchedOff(
  samples: ContextSamples,
  store: Pick<Store, 'read'>,
  log: Pick<Logger, 'warn'>,
): PeriodicJob {
  const run = async (): Promise<void> => {
    for (const environment of samples.environments) {
      const kept = await store.read((db) => readTrafficKept(db, environment));
      if (kept !== 'contexts') samples.forget(environment);
    }
  };
  return new PeriodicJob(run, {
    firstMs: sampledContextsCheckEveryMs,
    everyMs: sampledContextsCheckEveryMs,
    log,
    event: 'sampled_contexts_check_failed',
    failed:
      'whether environments still keep contexts of requests could not be read; it is tried again',
  });
}
