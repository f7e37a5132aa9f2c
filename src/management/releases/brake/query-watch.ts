/**
 * Watches the queries of ramps that have one in their brake. The leader asks what is known and never waits for Prometheus.
 * Since when a result has been bad is known to the leader alone: another leader, and a restarted one, begins afresh.
 */
import type { Logger } from 'pino';
import type { ReleaseBrake } from '../../../contract/schemas/release.js';
import {
  queriesAtOnceMax,
  queryEveryMs,
  queryGapMsMax,
  watchForgottenMs,
} from '../../limits/releases.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import type { QueryResult } from './prometheus.js';

type Query = NonNullable<ReleaseBrake['query']>;

/** @throws when there is no response */
export type AskPrometheus = (promql: string) => Promise<QueryResult>;

class Watch {
  readonly query: Query;
  /** When it was asked for last, and when a result was seen last; milliseconds since the epoch. */
  lookedAtMs = 0;
  askedAtMs = Number.NEGATIVE_INFINITY;
  seenAtMs = Number.NEGATIVE_INFINITY;
  isAsking = false;
  /** Since when every result has been bad; null: the last one was not. */
  badSinceMs: number | null = null;
  /** The last bad result; null: there was no data. */
  value: number | null = null;
  hasWarned = false;

  constructor(query: Query) {
    this.query = query;
  }
}

export class QueryWatch {
  readonly #ask: AskPrometheus;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #watches = new Map<string, Watch>();

  constructor(ask: AskPrometheus, log: Pick<Logger, 'warn'>) {
    this.#ask = ask;
    this.#log = log;
  }

  /**
   * Why the query stops a release, by what is known; null: it does not, or there is none. Asks again where it is time.
   * @param nowMs milliseconds since the epoch
   */
  trip(release: ReleaseRecord, nowMs: number): string | null {
    this.#forget(nowMs);
    const query = release.brake?.query ?? null;
    if (query === null) return null;
    const watch = this.#watchOf(release, query);
    watch.lookedAtMs = nowMs;
    if (!watch.isAsking && nowMs - watch.askedAtMs >= queryEveryMs) this.#refresh(watch, nowMs);
    const { badSinceMs, seenAtMs } = watch;
    if (badSinceMs === null || seenAtMs - badSinceMs < query.minutes * 60_000) return null;
    return describe(watch);
  }

  #watchOf({ environment, release, run }: ReleaseRecord, query: Query): Watch {
    const key = JSON.stringify([environment, release, run, query]);
    const known = this.#watches.get(key);
    if (known !== undefined) return known;
    const watch = new Watch(query);
    this.#watches.set(key, watch);
    return watch;
  }

  #refresh(watch: Watch, nowMs: number): void {
    const asking = [...this.#watches.values()].filter(({ isAsking }) => isAsking).length;
    if (asking >= queriesAtOnceMax) return;
    watch.isAsking = true;
    watch.askedAtMs = nowMs;
    void this.#ask(watch.query.query)
      .catch((error: unknown) => {
        if (!watch.hasWarned) {
          const event = 'brake_query_failed';
          this.#log.warn({ event, err: error }, 'the query of a brake has no result');
        }
        watch.hasWarned = true;
        return [];
      })
      .then((values) => {
        watch.isAsking = false;
        note(watch, values, nowMs);
      });
  }

  /** Ramps that are over. */
  #forget(nowMs: number): void {
    for (const [key, { lookedAtMs }] of this.#watches) {
      if (Math.abs(nowMs - lookedAtMs) > watchForgottenMs) this.#watches.delete(key);
    }
  }
}

/** @param atMs when it was asked for */
function note(watch: Watch, values: QueryResult, atMs: number): void {
  const { query } = watch;
  if (values.length === 0 && query.noData === 'ignore') return;
  const bad = values.filter((value) => isBad(query, value));
  const isFresh = atMs - watch.seenAtMs <= queryGapMsMax;
  watch.seenAtMs = atMs;
  watch.value = bad[0] ?? null;
  if (bad.length === 0 && values.length > 0) watch.badSinceMs = null;
  else if (watch.badSinceMs === null || !isFresh) watch.badSinceMs = atMs;
}

function isBad({ above, below }: Query, value: number): boolean {
  return above === undefined ? value < (below as number) : value > above;
}

function describe({ query, value }: Watch): string {
  const { above, below, minutes } = query;
  const side = above === undefined ? `below ${below}` : `above ${above}`;
  const time = minutes === 0 ? '' : ` for ${minutes} min`;
  return value === null
    ? `The query has had no result, or has been ${side}${time}: ${query.query}`
    : `The query has been ${side}${time}, and is ${value}: ${query.query}`;
}
