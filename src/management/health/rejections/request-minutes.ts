/**
 * Requests of the last hour, and why some were rejected, as this server's delivery processes report them. A ring of minutes in
 * memory: at most 61 with 320 reasons each, some 8 MB if clients make up as many as they can.
 */
import { FrequentItems } from '../../../content/sketch/frequent-items.js';
import type { RejectionCounts } from '../../../contract/health/rejection-state.js';
import { rejectionMinutes } from '../../../contract/limits.js';
import {
  parseRejection,
  type RejectedItems,
  type RejectionItem,
  type RequestReport,
} from '../../../published/request-report.js';
import { rejectionsKeyedMax, rejectionsUnkeyedMax } from '../../limits/experiments.js';

const minuteMs = 60_000;

/** A reason as it was counted: a lower bound, over all minutes that were asked for. */
export interface CountedReason extends RejectionItem {
  readonly count: number;
  readonly lastMs: number;
}

/** Exact. */
export interface CodeCount {
  readonly environment: string;
  readonly code: string;
  readonly status: number;
  readonly count: number;
}

class Minute {
  /** Minutes since the epoch. */
  readonly number: number;
  /** By environment. */
  readonly requests = new Map<string, number>();
  /** By environment, code and status. */
  readonly codes = new Map<string, CodeCount>();
  readonly keyed = new FrequentItems(rejectionsKeyedMax);
  readonly unkeyed = new FrequentItems(rejectionsUnkeyedMax);

  constructor(number: number) {
    this.number = number;
  }

  add({ requests, rejected, keyed, unkeyed }: RequestReport): void {
    for (const [environment, count] of requests) {
      this.requests.set(environment, (this.requests.get(environment) ?? 0) + count);
    }
    for (const [environment, code, status, count] of rejected) {
      const name = `${environment}\n${code}\n${status}`;
      const before = this.codes.get(name)?.count ?? 0;
      this.codes.set(name, { environment, code, status, count: before + count });
    }
    merge(this.keyed, keyed);
    merge(this.unkeyed, unkeyed);
  }
}

export class RequestMinutes {
  readonly #now: () => number;
  readonly #startedMs: number;
  /** Oldest first. */
  #minutes: Minute[] = [];

  /** @param now milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedMs = now();
  }

  add(report: RequestReport): void {
    const number = this.#newest;
    let minute = this.#minutes.at(-1);
    if (minute === undefined || minute.number < number) {
      minute = new Minute(number);
      this.#minutes = [...this.#within(rejectionMinutes), minute];
    }
    minute.add(report);
  }

  /** Since when it counts, milliseconds since the epoch. */
  get fromMs(): number {
    return Math.max(this.#startedMs, this.#now() - rejectionMinutes * minuteMs);
  }

  /** @param environment null: all, with requests that have none */
  counts(environment: string | null, minutes: number): RejectionCounts {
    let [requests, rejected, failed] = [0, 0, 0];
    for (const minute of this.#within(minutes)) {
      for (const [of, count] of minute.requests) {
        if (environment === null || of === environment) requests += count;
      }
      for (const { environment: of, status, count } of minute.codes.values()) {
        if (environment !== null && of !== environment) continue;
        rejected += count;
        if (status >= 500) failed += count;
      }
    }
    return { requests, rejected, failed };
  }

  codes(environment: string | null, minutes: number): CodeCount[] {
    const all = this.#within(minutes).flatMap(({ codes }) => [...codes.values()]);
    return all.filter((counted) => environment === null || counted.environment === environment);
  }

  /** Most frequent first. */
  reasons(minutes: number): CountedReason[] {
    const sums = new Map<string, { count: number; lastMs: number }>();
    for (const { keyed, unkeyed } of this.#within(minutes)) {
      for (const sketch of [keyed, unkeyed]) {
        for (const { item, count, lastMs } of sketch.items()) {
          const sum = sums.get(item);
          sums.set(item, {
            count: count + (sum?.count ?? 0),
            lastMs: Math.max(lastMs, sum?.lastMs ?? 0),
          });
        }
      }
    }
    return [...sums]
      .sort(([, one], [, other]) => other.count - one.count || other.lastMs - one.lastMs)
      .map(([item, sum]) => ({ ...parseRejection(item), ...sum }));
  }

  /** Never before what was counted already: a clock that is set back stops the minutes until it has caught up. */
  get #newest(): number {
    return Math.max(Math.floor(this.#now() / minuteMs), this.#minutes.at(-1)?.number ?? 0);
  }

  #within(minutes: number): Minute[] {
    const newest = this.#newest;
    return this.#minutes.filter(({ number }) => number > newest - minutes - 1);
  }
}

function merge(sketch: FrequentItems, { items, offset }: RejectedItems): void {
  sketch.merge(
    items.map(([item, count, lastMs]) => ({ item, count, lastMs })),
    offset,
  );
}
