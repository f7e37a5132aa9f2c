/** Collects which users delivery processes have given variants of experiments to, and writes it every few seconds (D95). */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type AssignedSketch, unionOf } from '../../../content/sketch/assigned-sketch.js';
import { decodeSketch, encodeSketch } from '../../../content/sketch/sketch-bytes.js';
import type { AssignedReport } from '../../../published/barrier.js';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import {
  assignedPartsPerWriteMax,
  assignedWaitingBytesMax,
  assignedWriteEveryMs,
} from '../../limits/experiments.js';
import { type Gauge, type Metric, metric, sample } from '../../metrics/definition.js';
import {
  type AssignedDay,
  type AssignedPart,
  insertAssignedParts,
} from '../../store/experiments/assigned-parts.js';
import type { Store } from '../../store/store.js';
import { systemActor } from '../../store/unit-of-work.js';

interface WaitingDay {
  readonly of: AssignedDay;
  readonly users: AssignedSketch;
}

interface AssignedReportsParts {
  readonly store: Pick<Store, 'write'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Name of this server. */
  readonly node: string;
  readonly everyMs?: number;
  readonly bytesMax?: number;
}

const reportsDropped = metric({
  name: 'loadout_assigned_reports_dropped_total',
  help: 'Reports of users of experiments that were dropped: the store was away for too long.',
});

export const assignedMetrics: readonly Metric[] = [reportsDropped];

export class AssignedReports {
  readonly #store: Pick<Store, 'write'>;
  readonly #node: string;
  readonly #bytesMax: number;
  /** Tells the parts of this server from those that it wrote before its restart. */
  readonly #process: string = randomUUID();
  #number = 0;
  /** What is not committed yet. */
  #waiting = new Map<string, WaitingDay>();
  #dropped = 0;
  readonly #job: PeriodicJob;

  constructor({ store, log, node, everyMs, bytesMax }: AssignedReportsParts) {
    this.#store = store;
    this.#node = node;
    this.#bytesMax = bytesMax ?? assignedWaitingBytesMax;
    this.#job = new PeriodicJob(() => this.#writeAll(), {
      firstMs: everyMs ?? assignedWriteEveryMs,
      everyMs: everyMs ?? assignedWriteEveryMs,
      log,
      event: 'assigned_counts_failed',
      failed: 'counts of users of experiments cannot be written; it is tried again',
    });
    this.#job.start();
  }

  /** What does not fit is dropped, of all variants alike. */
  add({ users: base64, ...of }: AssignedReport): void {
    const users = decodeSketch(Buffer.from(base64, 'base64'));
    if (users === null || !this.#hasRoom()) this.#dropped += 1;
    else this.#wait({ of, users });
  }

  /** Writes what was reported. What cannot be written now is kept for the next time. */
  write(): Promise<void> {
    return this.#job.tryNow();
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    await this.#job.stop();
    await this.write();
  }

  get gauges(): Gauge[] {
    return [sample(reportsDropped, this.#dropped)];
  }

  #wait({ of, users }: WaitingDay): void {
    const key = JSON.stringify(of);
    const known = this.#waiting.get(key);
    this.#waiting.set(key, {
      of,
      users: known === undefined ? users : unionOf([known.users, users]),
    });
  }

  /** Halves samples where that makes room. */
  #hasRoom(): boolean {
    for (;;) {
      const all = [...this.#waiting.values()].map(({ users }) => users);
      const bytes = all.reduce((sum, users) => sum + users.bytes, 0);
      if (bytes <= this.#bytesMax) return true;
      const largest = all.reduce((a, b) => (b.sampled > a.sampled ? b : a));
      if (largest.sampled === 0) return false;
      largest.raiseLevel(largest.level + 1);
    }
  }

  async #writeAll(): Promise<void> {
    const days = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (let at = 0; at < days.length; at += assignedPartsPerWriteMax) {
      const parts = days.slice(at, at + assignedPartsPerWriteMax).map((day) => this.#partOf(day));
      try {
        await this.#store.write(systemActor, (write) => insertAssignedParts(write, parts));
      } catch (error) {
        // Perhaps committed all the same: merged by union, a user counts once.
        for (const day of days.slice(at)) this.#wait(day);
        throw error;
      }
    }
  }

  #partOf({ of, users }: WaitingDay): AssignedPart {
    this.#number += 1;
    const { environment, experiment, phase, day } = of;
    return {
      ...{ environment, experiment, phase, day, node: this.#node, process: this.#process },
      ...{ number: this.#number, users: encodeSketch(users) },
    };
  }
}
