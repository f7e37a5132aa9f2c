/** What stops a ramp by itself: its players' receipts, and its query. */
import type { Logger } from 'pino';
import type { Trips } from '../leader/release-times.js';
import { Prometheus, type PrometheusOptions } from './prometheus.js';
import { type AskPrometheus, QueryWatch } from './query-watch.js';
import { receiptsTrip } from './step-receipts.js';

export class Brakes {
  readonly #prometheus: Prometheus | null;
  readonly #queries: QueryWatch;

  /** @param prometheus null: the operator has named no server, so that queries have no result */
  constructor(prometheus: PrometheusOptions | null, log: Pick<Logger, 'warn'>) {
    const server = prometheus === null ? null : new Prometheus(prometheus);
    const ask: AskPrometheus = async (promql) => {
      if (server === null) throw new Error('No server is named: see --prometheus-url.');
      return server.query(promql);
    };
    this.#prometheus = server;
    this.#queries = new QueryWatch(ask, log);
  }

  readonly trips: Trips = async (db, release, nowMs) =>
    (await receiptsTrip(db, release, nowMs)) ?? this.#queries.trip(release, nowMs);

  /** Gives up queries under way. */
  close(): void {
    this.#prometheus?.close();
  }
}
