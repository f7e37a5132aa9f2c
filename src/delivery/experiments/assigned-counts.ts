/**
 * Counts which users are given which variant of the experiments that run (D95): in memory, by UTC day of this server's clock. What
 * is new is reported to the control process every few seconds, and merged there by union: a report that is lost, repeated, or
 * counted by another process too makes no user count twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { variantBytes } from '../../content/sketch/assigned-sketch.js';
import { UserHash, userHashKeyBytes } from '../../content/sketch/user-hash.js';
import type { AssignedReport } from '../../published/barrier.js';
import type { PublishedExperiment } from '../../published/environment-settings.js';
import { assignedBytesMax } from '../limits.js';
import { deriveKey } from '../sealed-token.js';
import type { CountedArm, CountedArms } from './counted-arms.js';
import { CountedExperiment } from './counted-experiment.js';

const dayMs = 24 * 3_600_000;

/**
 * Pairs of users who were counted lately, the later one first: the second request of a user takes a third of the time. Two of
 * them share a line of the processor's cache. A power of two.
 */
const recentPairs = 2 ** 14;
/** Words of a pair: of each user the high half of the hash, mixed with the id of the arms, and the low one. */
const recentWords = 4;
/** Odd: ids that differ stay different. */
const idFactor = 0x9e3779b1 | 0;

export class AssignedCounts {
  readonly #bytesMax: number;
  readonly #experiments = new Map<string, CountedExperiment>();
  /** Those that were replaced under their own key, until they are reported. */
  #replaced: CountedExperiment[] = [];
  #key: Uint8Array = new Uint8Array(0);
  #hash = new UserHash(new Uint8Array(userHashKeyBytes));
  /** Since the epoch. A number of days is compared without a look into memory, as an end in milliseconds is not. */
  #day = -1;
  readonly #recent = new Int32Array(recentPairs * recentWords);
  /** An experiment found no room since the last report. */
  #isFull = false;
  /** Deliveries that were not counted: there was no room for another experiment. */
  uncounted = 0;

  /** @param bytesMax what all counts may hold */
  constructor(bytesMax: number = assignedBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** From now on users are hashed by this secret of the store, see `PublishedIndex.streamKey`. */
  setKey(streamKey: Uint8Array): void {
    if (Buffer.compare(streamKey, this.#key) === 0) return;
    this.#key = Uint8Array.from(streamKey);
    this.#hash = new UserHash(deriveKey(streamKey, 'loadout assigned users: hash'));
    this.#recent.fill(0);
  }

  /** Where an experiment that runs is counted: the same object as long as it runs unchanged. */
  experiment(environment: string, published: PublishedExperiment): CountedExperiment {
    const key = keyOf(environment, published);
    const known = this.#experiments.get(key);
    if (known !== undefined && isDeepStrictEqual(known.published, published)) {
      known.isOver = false;
      return known;
    }
    if (known !== undefined) this.#replaced.push(known);
    const experiment = new CountedExperiment(environment, published);
    this.#experiments.set(key, experiment);
    return experiment;
  }

  /** From now on these, and no others, run in an environment. */
  retain(environment: string, running: readonly PublishedExperiment[]): void {
    const keys = new Set(running.map((published) => keyOf(environment, published)));
    for (const [key, experiment] of this.#experiments) {
      if (experiment.environment === environment) experiment.isOver = !keys.has(key);
    }
  }

  /**
   * Counts a user.
   * @param nowMs milliseconds since the epoch
   * @param isHashed the user is the one of the call before
   */
  count({ id, arms }: CountedArms, u: string, nowMs: number, isHashed: boolean): void {
    const day = Math.floor(nowMs / dayMs);
    if (day !== this.#day) this.#turnTo(day);
    const hash = this.#hash;
    if (!isHashed) hash.hash(u);
    const { high, low } = hash;
    const recent = this.#recent;
    const place = (low & (recentPairs - 1)) * recentWords;
    const mixed = high ^ Math.imul(id, idFactor);
    if (recent[place] === mixed && recent[place + 1] === low) return;
    if (recent[place + 2] === mixed && recent[place + 3] === low) return;
    recent[place + 2] = recent[place] as number;
    recent[place + 3] = recent[place + 1] as number;
    recent[place] = mixed;
    recent[place + 1] = low;
    for (let at = 0; at < arms.length; at += 1) {
      const { experiment, variant } = arms[at] as CountedArm;
      if (!experiment.isIdle || this.#begin(experiment)) {
        experiment.add(variant, high, low);
        continue;
      }
      this.uncounted += 1;
      // Tried again with the next request, when there may be room.
      recent[place] = ~mixed;
    }
  }

  /** What was counted since this was asked last, some with each step: a day's first report may be of a megabyte. */
  *takeReports(): Generator<AssignedReport> {
    for (const experiment of this.#replaced.splice(0)) yield* experiment.takeReports();
    for (const [key, experiment] of this.#experiments) {
      if (experiment.isOver) {
        experiment.endDay();
        this.#experiments.delete(key);
      }
      yield* experiment.takeReports();
    }
    this.#shrink();
    this.#isFull = false;
  }

  /** Experiments that users were counted for today. */
  get counting(): number {
    let count = 0;
    for (const { isIdle } of this.#experiments.values()) if (!isIdle) count += 1;
    return count;
  }

  /** What all counts hold in memory, roughly. */
  get bytes(): number {
    let bytes = 0;
    for (const experiment of this.#experiments.values()) bytes += experiment.bytes;
    return bytes;
  }

  /** @returns false when there is no room */
  #begin(experiment: CountedExperiment): boolean {
    if (this.#isFull) return false;
    const bytes = experiment.published.variants.length * variantBytes;
    this.#isFull = this.bytes + bytes > this.#bytesMax;
    if (!this.#isFull) experiment.begin(new Date(this.#day * dayMs).toISOString().slice(0, 10));
    return !this.#isFull;
  }

  /** Halves the largest samples until all counts have their room: of an experiment, all variants alike. */
  #shrink(): void {
    while (this.bytes > this.#bytesMax) {
      let largest: CountedExperiment | null = null;
      for (const experiment of this.#experiments.values()) {
        if (experiment.sampled > (largest?.sampled ?? 0)) largest = experiment;
      }
      if (largest === null) return;
      largest.halve();
    }
  }

  #turnTo(day: number): void {
    this.#isFull = false;
    this.#recent.fill(0);
    for (const experiment of this.#experiments.values()) experiment.endDay();
    this.#day = day;
  }
}

function keyOf(environment: string, { id, phase }: PublishedExperiment): string {
  return JSON.stringify([environment, id, phase]);
}
