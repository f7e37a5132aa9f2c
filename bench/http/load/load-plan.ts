/** The messages to the load process and from it, nothing else. */
import type { LatencyCounts } from '../../measure/latency-histogram.js';

export type LoadSchema =
  /** Keep-alive connections that each send the next request when the response is there (autocannon). */
  | { readonly kind: 'closed'; readonly connections: number }
  /** As closed, but every request is made on a connection of its own. */
  | { readonly kind: 'storm'; readonly connections: number }
  /** So many requests a second, whatever the responses do. */
  | {
      readonly kind: 'paced';
      readonly connections: number;
      readonly perSecond: number;
      /** A request that the load generator itself sent late is timed from when it was due. */
      readonly fromDue?: boolean;
    };

export type RequestPlan =
  /** The entries of a response table, round robin. */
  | { readonly kind: 'table'; readonly tablePath: string }
  /** The 4,096 callers of data/mappings.ts, each with a response of its own; the table begins with variant 0. */
  | { readonly kind: 'variants'; readonly tablePath: string };

export interface LoadPlan {
  /** A deployed server's address; null: this machine's `port`. Only closed loads go elsewhere. */
  readonly url: string | null;
  readonly port: number;
  readonly secure: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: RequestPlan;
  readonly shape: LoadSchema;
  /** Whether each response must have the expected bytes, or only as many: a deployed server's contents are not ours. */
  readonly compare: 'bytes' | 'length';
}

export type ToLoad =
  | { readonly type: 'plan'; readonly plan: LoadPlan }
  | { readonly type: 'load'; readonly seconds: number }
  | { readonly type: 'stop' };

export type FromLoad =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded'; readonly result: LoadResult };

export interface LoadResult {
  readonly seconds: number;
  /** Complete responses, of any status. */
  readonly responses: number;
  /** Count per status code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses of status 200 that were not, byte for byte, the expected response. */
  readonly mismatches: number;
  /** Connections that failed, and responses that did not come in time. */
  readonly errors: number;
  /** Requests of a paced load that found every connection busy. */
  readonly unsent: number;
  /** Requests of a paced load that still waited when its time was over. */
  readonly unanswered: number;
  /** Latencies of the responses of status 200. */
  readonly latencies: LatencyCounts;
  /** Latencies of all other responses. */
  readonly otherLatencies: LatencyCounts;
}
