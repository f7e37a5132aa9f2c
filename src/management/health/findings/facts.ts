/** What the list of what is wrong is made of. Types only. */
import type { RejectionCounts } from '../../../contract/health/rejection-state.js';
import type { DeliveryMetrics } from '../../../published/barrier.js';

/** Counters that say for an hour that they have risen. */
export type Watched =
  | 'restarts'
  | 'logLinesDropped'
  | 'eventsLost'
  | 'eventFilesDropped'
  | 'eventFilesSetAside'
  | 'assignedReportsDropped';

export interface HealthFacts {
  readonly nowMs: number;
  /** Delivery processes that serve, and that should. */
  readonly serving: number;
  readonly wanted: number;
  /** A saved edit cannot be published. */
  readonly isPublishingFailed: boolean;
  readonly isStoreAvailable: boolean;
  readonly processes: readonly Pick<DeliveryMetrics, 'streams' | 'streamsMax' | 'eventsBlocked'>[];
  /** Null: delivery has no TLS. */
  readonly certificate: {
    readonly state: 'valid' | 'expired' | 'not_yet_valid' | 'reload_failed';
    readonly expiresAt: string;
  } | null;
  /** Null: not compared, or in step. */
  readonly clockSkewedMs: number | null;
  /** Names of nodes that are not seen lately. */
  readonly nodesAway: readonly string[];
  /** Webhooks that are on and whose last attempt failed. */
  readonly webhooksFailing: number;
  /** Webhooks that the server switched off, because they failed for too long. */
  readonly webhooksSwitchedOff: number;
  /** Requests of the last minutes, and the code that most of the rejected ones have; null: none was. */
  readonly requests: RejectionCounts & { readonly code: string | null };
  /** Contents of the store that the daily check found damaged. */
  readonly textsDamaged: number;
  /** Events cannot be stored. */
  readonly areEventsNotStored: boolean;
  /** Age of the oldest event file that waits, seconds. */
  readonly eventsLagSeconds: number;
  /** What is left on the disk of the data folder; null: unknown. */
  readonly diskFreeBytes: number | null;
  /** When a counter last rose, within the hour, milliseconds since the epoch; null: it did not. */
  readonly roseAt: (counter: Watched) => number | null;
}
