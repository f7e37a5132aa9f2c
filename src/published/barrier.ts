/** What the control process and its delivery processes agree on: options, messages (the two ends of the publish barrier), limits. */

import type { Slice } from '../content/ramp.js';
import type { RequestReport } from './request-report.js';
import type { SeenTraffic } from './traffic.js';

/**
 * Request line and headers together, bytes. 100 percent-encoded ids of 128 characters are 13.5 KB; the rest is for what
 * proxies add. uWebSockets.js reads it from the environment of its process before any code of ours runs (431 beyond it).
 */
export const headerBytesMax: number = 32 * 1024;

/**
 * The environment of a delivery process, to which its parent adds where temporary files go. glibc gives memory beyond 128 KiB at the top of its heap, and every
 * buffer larger than that, back to the kernel, only to fetch it again for the next body, page by page: a splice of
 * 100 KB into a new buffer took 47-65 us with that and 15-31 us without, making a text of 1 MB ready 2.3-2.9 ms and
 * 1.1-1.6 ms. So it may keep 64 MiB, and buffers up to 32 MiB come from its heap.
 */
export const deliveryEnvironment: Readonly<Record<string, string>> = {
  UWS_HTTP_MAX_HEADERS_SIZE: String(headerBytesMax),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
};

/** What a delivery process is started with, as JSON in its first argument. Units: bytes, milliseconds, counts. */
export interface DeliveryOptions {
  readonly publishedPath: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** Origins that browsers may call from; `*` for any, empty for none. */
  readonly corsOrigins: readonly string[];
  readonly lenientCatalog: boolean;
  readonly bodyBytesMax: number;
  readonly idsMax: number;
  /** Bytes of a combined response of more than one entry. */
  readonly combineBytesMax: number;
  /** Body of a refresh, bytes. */
  readonly refreshBytesMax: number;
  /** Open streams of one process, null: as many as its descriptors allow; and of one key and one client network of them. */
  readonly streamsMax: number | null;
  readonly streamsPerKey: number | null;
  readonly streamsPerAddress: number;
  /** Streams that are woken in a second; 0: no limit, null: everybody within ten seconds. */
  readonly streamWakesPerSecond: number | null;
  /** Proxies whose X-Forwarded-For counts: addresses or networks. */
  readonly trustedProxies: readonly string[];
  /** Requests per second of one key, or null: no limit. */
  readonly keyRateMax: number | null;
  /** Whether the native addon does the document work: it must, it may, it does not. */
  readonly native: 'auto' | 'on' | 'off';
  /** How often it is reported which keys were used, and which attributes requests carried. */
  readonly keysUsedEveryMs: number;
  /** The least severe lines that are logged, as pino calls them. */
  readonly logLevel: string;
  /** Null: events are off. */
  readonly events: EventsOptions | null;
}

/** How a delivery process keeps the events that clients report. */
export interface EventsOptions {
  /** Folder of event files, in which `open` and `sealed` are there (event-files.ts). */
  readonly folder: string;
  /** Names of attributes that are stored with events, each of which is a top-level member of `p`. */
  readonly attributes: readonly string[];
}

/** SHA-256 of a key, and when it was used last: milliseconds since the epoch. */
export type KeyUse = readonly [hash: string, atMs: number];

/** One user of a ramp's step, as a delivery process saw it since its last report. */
export interface CountedUser {
  /** Keyed hashes, 16 lower-case hex digits. */
  readonly userHash: string;
  readonly network: string;
  readonly slice: Slice;
  /** When a game of the user started and was given a configuration, milliseconds since the epoch; null: none did. */
  readonly startedAt: number | null;
  /** True: it has reached its menu. False: it has not. Null: nothing is known yet. */
  readonly ok: boolean | null;
}

export interface ReceiptBatch {
  readonly environment: string;
  /** Id of the release, which has started its ramp for the `run`-th time. */
  readonly release: string;
  readonly run: number;
  readonly step: number;
  readonly users: readonly CountedUser[];
}

/** Users whom a delivery process has given variants of an experiment to, and has not reported before. */
export interface AssignedReport {
  readonly environment: string;
  readonly experiment: string;
  readonly phase: number;
  /** UTC by the clock of the process, YYYY-MM-DD. */
  readonly day: string;
  /** An `AssignedSketch` (`encodeSketch`), base64. */
  readonly users: string;
}

export type ToDelivery =
  /** published.db holds everything up to `sequence`: read it, swap, acknowledge. */
  | { readonly type: 'published'; readonly sequence: number }
  /** The sequence you loaded is the newest: open the port. */
  | { readonly type: 'open' }
  /** Close published.db, and open it again with the next `published`: another file takes its place meanwhile. */
  | { readonly type: 'release' }
  /** The server is going to end: tell those who check your health, and go on serving until `drain`. */
  | { readonly type: 'leave' }
  /** Stop accepting, finish what is under way, end. */
  | { readonly type: 'drain' }
  | { readonly type: 'measure'; readonly id: number };

export type FromDelivery =
  /** Everything up to `sequence` is what requests see from now on. */
  | { readonly type: 'applied'; readonly sequence: number }
  | { readonly type: 'listening' }
  /** The port could not be opened. */
  | { readonly type: 'refused'; readonly detail: string }
  /** published.db was let go of: nothing of it is read until the next `published`. */
  | { readonly type: 'released' }
  /**
   * published.db is not what was written to it. What is in memory goes on being served; `isStuck`: no newer sequence
   * can be read from it.
   */
  | { readonly type: 'damaged'; readonly detail: string; readonly isStuck: boolean }
  /** Keys that were used since the last report. For people only: losing one is no harm. */
  | { readonly type: 'used'; readonly keys: readonly KeyUse[] }
  /** What requests carried. For people only, too. */
  | { readonly type: 'traffic'; readonly seen: readonly SeenTraffic[] }
  /** Players of ramps that have started a game, and how that went. One report lost costs the brake a few players. */
  | { readonly type: 'receipts'; readonly batches: readonly ReceiptBatch[] }
  /** Users of running experiments. Counted by union: one report more or less changes no user's part. */
  | { readonly type: 'assigned'; readonly report: AssignedReport }
  /** Requests, and why some were rejected. For people only. */
  | { readonly type: 'requests'; readonly report: RequestReport }
  /** It ends, and so many events that it had taken could not be written. */
  | { readonly type: 'events-lost'; readonly count: number }
  | { readonly type: 'measured'; readonly id: number; readonly measures: DeliveryMetrics };

/** What one delivery process counted since it started. */
export interface DeliveryMetrics {
  readonly sequence: number;
  readonly rssBytes: number;
  readonly connections: number;
  /** [endpoint, status, count] of every pair seen. */
  readonly requests: readonly (readonly [endpoint: string, status: number, count: number])[];
  /** [problem code, count] of every rejected request. */
  readonly refused: readonly (readonly [code: string, count: number])[];
  /** Upper bounds of the latency buckets, seconds. */
  readonly latencyBoundsSeconds: readonly number[];
  /** Per endpoint: count in each bucket (one more than bounds: the rest), and the sum of seconds. */
  readonly latencies: readonly {
    readonly endpoint: string;
    readonly counts: readonly number[];
    readonly sumSeconds: number;
  }[];
  readonly renderedHits: number;
  readonly renderedMisses: number;
  /** Misses that the front end made itself. */
  readonly renderedInline: number;
  /** What does the document work. */
  readonly documentWork: 'native' | 'typescript';
  readonly renderedBytes: number;
  readonly renderedEntries: number;
  /** [cache, entries that it let go of for want of room] of each bounded cache. */
  readonly evictions: readonly (readonly [cache: string, count: number])[];
  /** File descriptors that are open, and how many may be; null where the system does not tell, or has no limit. */
  readonly openDescriptors: number | null;
  readonly descriptorsMax: number | null;
  /** Remembered selections with their slots, bytes as they are estimated. */
  readonly selectionsBytes: number;
  readonly selectionsEntries: number;
  /** Experiments that users were counted for today, bytes of these counts as they are estimated, deliveries not counted. */
  readonly assignedExperiments: number;
  readonly assignedBytes: number;
  readonly assignedUncounted: number;
  readonly poolQueued: number;
  readonly poolTasks: number;
  readonly poolSeconds: number;
  /** Bytes that clients have yet to read of their responses. */
  readonly unsentBytes: number;
  /** Connections closed because unread responses passed a budget, and because a client read too slowly. */
  readonly closedOverBudget: number;
  readonly closedSlow: number;
  /** What the trial of the front end found so far. */
  readonly frontEnd: readonly { readonly check: string; readonly passed: boolean }[];
  /** Streams that are open, and those that wait to be told of a change. */
  readonly streams: number;
  readonly streamsWaiting: number;
  /** The most that can be open. */
  readonly streamsMax: number;
  /** How often a stream was looked at after an edit, and events that were written. */
  readonly streamsLooked: number;
  readonly streamEvents: number;
  /** [why, count] of every stream that has ended. */
  readonly streamsEnded: readonly (readonly [ending: string, count: number])[];
  /** [purpose of the key, count] of the events that were taken, and [reason, count] of those that were refused for good. */
  readonly eventsTaken: readonly (readonly [purpose: string, count: number])[];
  readonly eventsRefused: readonly (readonly [reason: string, count: number])[];
  /** Bytes of events that wait to be written. */
  readonly eventQueueBytes: number;
  /** The disk takes no events for now. */
  readonly eventsBlocked: boolean;
  /** Lines of its log that it could not hand over. */
  readonly logLinesDropped: number;
  /** Rules that were selected but could not apply to the data they met. */
  readonly rulesMissed: number;
  /** Responses and opened streams in which a rule took UTC for the local time of the player. */
  readonly utcOffsetsMissing: number;
  /** Over the last 5 to 10 seconds. */
  readonly eventLoopDelayP99Seconds: number;
  /** CPU time of all its threads. */
  readonly cpuSeconds: number;
  /** Seconds since the epoch. */
  readonly startedAtSeconds: number;
}
