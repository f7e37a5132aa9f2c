/**
 * What delivery processes of a follower, and its own followers, report of requests: kept until the parent has taken it. What
 * does not fit while the parent is away is dropped, as each part is where there is a store that is away.
 */
import type { Logger } from 'pino';
import {
  relayedBytesMax,
  relayedPerReportBytesMax,
  relayedPerReportMax,
} from '../limits/follow.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import { BodyRefused } from './parent-requests.js';
import type { Relayed } from './relayed-schema.js';

const droppedReports = metric({
  name: 'loadout_follow_reports_dropped_total',
  help: 'Reports of delivery processes that a follower has dropped: its parent was away for too long, or refused them.',
  onlyIf: 'on a server with `--follow`',
});

export const relayedMetrics: readonly Metric[] = [droppedReports];

type Kind = keyof Relayed;
interface Waiting {
  readonly kind: Kind;
  readonly value: unknown;
  readonly bytes: number;
}

export class RelayedReports {
  readonly #log: Pick<Logger, 'warn'>;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #dropped = 0;

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  add<K extends Kind>(kind: K, values: Relayed[K]): void {
    for (const value of values) {
      const bytes = JSON.stringify(value).length;
      if (this.#bytes + bytes > relayedBytesMax || bytes > relayedPerReportBytesMax) {
        if (this.#dropped === 0) {
          this.#log.warn(
            { event: 'follow_reports_dropped' },
            'reports of requests are dropped: the parent has taken none for too long',
          );
        }
        this.#dropped += 1;
        continue;
      }
      this.#bytes += bytes;
      this.#waiting.push({ kind, value, bytes });
    }
  }

  addAll(relayed: Relayed): void {
    for (const kind of Object.keys(relayed) as Kind[]) this.add(kind, relayed[kind]);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Gives the oldest ones to `send`. Those that count users by union are given again if that fails; the others may have been
   * taken, and are not counted twice.
   */
  async pass(send: (relayed: Relayed) => Promise<void>): Promise<void> {
    const taken: Waiting[] = [];
    let bytes = 0;
    for (const waiting of this.#waiting) {
      if (bytes + waiting.bytes > relayedPerReportBytesMax) break;
      if (taken.length >= relayedPerReportMax) break;
      bytes += waiting.bytes;
      taken.push(waiting);
    }
    this.#waiting = this.#waiting.slice(taken.length);
    this.#bytes -= bytes;
    try {
      await send(relayedOf(taken));
    } catch (error) {
      if (error instanceof BodyRefused) {
        this.#dropped += taken.length;
        throw error;
      }
      const again = taken.filter(({ kind }) => kind === 'receipts' || kind === 'assigned');
      this.#waiting = [...again, ...this.#waiting];
      this.#bytes += again.reduce((sum, each) => sum + each.bytes, 0);
      throw error;
    }
  }

  gauges(): Gauge[] {
    return [sample(droppedReports, this.#dropped)];
  }
}

function relayedOf(taken: readonly Waiting[]): Relayed {
  const of = <K extends Kind>(kind: K): Relayed[K] =>
    taken.filter((each) => each.kind === kind).map(({ value }) => value) as Relayed[K];
  return {
    ...{ used: of('used'), traffic: of('traffic'), receipts: of('receipts') },
    ...{ assigned: of('assigned'), requests: of('requests') },
  };
}
