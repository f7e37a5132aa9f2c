/** The side of a server that players see: what publishes, and the delivery processes that serve it. */
import { hostname } from 'node:os';
import type { DeliveryOptions } from '../../published/barrier.js';
import { PublishedDamaged } from '../../published/damage.js';
import { type DroppedLines, standardStream } from '../../published/standard-stream.js';
import { ContextSamples, forgetSwitchedOff } from '../attributes/context-samples.js';
import { AttributesSeen } from '../attributes/seen-attributes.js';
import { EventFiles } from '../event-files/event-files.js';
import { AssignedReports } from '../experiments/assigned/assigned-reports.js';
import { FollowHub, type FollowHubParts } from '../follow/follow-hub.js';
import type { Relayed } from '../follow/relayed-schema.js';
import { RefusedCounts } from '../health/rejections/refused-counts.js';
import { RequestMinutes } from '../health/rejections/request-minutes.js';
import { followTextsKeptBytesMax, followTextsKeptMs } from '../limits/follow.js';
import { Supervisor } from '../processes/supervisor.js';
import { Publisher, type PublisherParts } from '../publishing/publisher.js';
import { ReceiptReports } from '../releases/brake/receipt-reports.js';
import type { DataFolder } from '../store/data-folder.js';
import { LastUsed } from '../users/last-used.js';
import { availableCores } from './available-cores.js';
import { isAnyHost, shownHost } from './host.js';
import type { ServerData } from './open-store.js';
import type { ServeOptions, Start } from './options.js';

/** What publishes, and the processes that serve it: all that a server without a store has. */
export interface DeliveryCore {
  readonly publisher: Publisher;
  readonly supervisor: Supervisor;
  /** Log lines of the processes that could not be written. */
  readonly relayDropped: DroppedLines;
  /** Null: events are off. */
  readonly eventFiles: EventFiles | null;
  /** Null: no server may follow this one. */
  readonly hub: FollowHub | null;
  /** From now on it is called whenever this server, or one that follows it, serves another number. */
  readonly onServed: (listener: () => void) => void;
}

export interface Delivery extends DeliveryCore {
  readonly lastUsed: LastUsed;
  /** Users of experiments, on their way to the store. */
  readonly assigned: AssignedReports;
  /** Requests of the last hour. */
  readonly requests: RequestMinutes;
  /** Rejected requests since the start. */
  readonly refused: RefusedCounts;
  /** User contexts of recent requests, where environments keep some. */
  readonly contextSamples: ContextSamples;
}

/**
 * Brings published.db up to date with the store, and makes the delivery processes, which are started later.
 * @param port of delivery
 */
export async function startPublishing(
  start: Start,
  data: ServerData,
  port: number,
): Promise<Delivery> {
  const { options, log, undo } = start;
  const { store, writer } = data;
  const lastUsed = new LastUsed(store, log, options.lastUsedEveryMs);
  undo.push(() => lastUsed.close());
  const attributesSeen = new AttributesSeen(store, log, Date.now, options.lastUsedEveryMs);
  undo.push(() => attributesSeen.close());
  const contextSamples = new ContextSamples();
  const forgetting = forgetSwitchedOff(contextSamples, store, log);
  forgetting.start();
  undo.push(() => forgetting.stop());
  const receipts = new ReceiptReports(store, log);
  undo.push(() => receipts.close());
  const assigned = new AssignedReports({ store, log, node: options.nodeName ?? hostname() });
  undo.push(() => assigned.close());
  const requests = new RequestMinutes();
  const refused = new RefusedCounts();
  const core = await startDelivery(start, data, port, {
    used: (keys) => {
      for (const [hash, atMs] of keys) lastUsed.key(hash, atMs);
    },
    traffic: (seen) => {
      attributesSeen.note(seen);
      contextSamples.add(seen);
    },
    receipts: (batches) => receipts.add(batches),
    assigned: (report) => assigned.add(report),
    requests: (report) => {
      requests.add(report);
      refused.add(report);
    },
  });
  const { publisher } = core;
  store.guardWrites(() => ({
    sequence: Math.max(publisher.served.sequence, writer.sequence),
    refusal: publisher.refusal,
    takesEmpty: options.acceptEmptyStore || writer.servesNothing,
  }));
  return { ...core, lastUsed, assigned, requests, refused, contextSamples };
}

/** Takes what delivery processes report of requests, see `FromDelivery`. */
export type ReportTakers = Pick<
  ConstructorParameters<typeof Supervisor>[0],
  'used' | 'traffic' | 'receipts' | 'assigned' | 'requests'
>;

/** What `startDelivery` needs of a server's data. */
export type PublishedFrom = Pick<ServerData, 'writer' | 'folder' | 'certificate'> & {
  readonly store: PublisherParts['store'];
};

/**
 * Brings published.db up to date with a store, or with what stands for one, and makes the delivery processes, which are started
 * later.
 * @param port of delivery
 */
export async function startDelivery(
  { options, log, tracing, undo }: Start,
  { store, writer, folder, certificate }: PublishedFrom,
  port: number,
  takers: ReportTakers,
): Promise<DeliveryCore> {
  // Null until the processes exist: before that, no edit waits for them.
  let supervisor: Supervisor | null = null;
  let served: () => void = () => undefined;
  const hub = makeHub(options, {
    ...{ file: writer, publishedPath: folder.publishedPath, knownPath: folder.followersPath, log },
    served: () => publisher.served,
    take: (relayed) => takeAll(takers, relayed),
    moved: () => served(),
    damaged: (error) => publisher.repair(error),
  });
  undo.push(() => hub?.close());
  const publisher: Publisher = new Publisher({
    store,
    file: writer,
    announce: async (sequence) => {
      hub?.published();
      await supervisor?.announce(sequence);
    },
    served: () => {
      hub?.followers.moved();
      served();
    },
    isServed: () => supervisor === null || supervisor.serving > 0,
    withoutReaders: async (work) =>
      supervisor === null ? work() : supervisor.withoutReaders(work),
    log,
    acceptEmpty: options.acceptEmptyStore,
    ...(hub !== null && {
      retiredKept: { ms: followTextsKeptMs, bytesMax: followTextsKeptBytesMax },
    }),
    spans: tracing,
  });
  undo.push(() => publisher.close());
  await publisher.start();
  const count = processCount(options.processes);
  const tlsFile = certificate?.path ?? null;
  const relayDropped: DroppedLines = { count: 0 };
  const eventFiles = openEventFiles(options, folder, log);
  supervisor = new Supervisor({
    options: {
      ...deliveryOptions(options, count),
      ...{ publishedPath: folder.publishedPath, port, tlsCert: tlsFile, tlsKey: tlsFile },
      events: eventFiles?.options ?? null,
    },
    count,
    sequence: writer.sequence,
    log,
    ...takers,
    eventsLost: (lost) => eventFiles?.lost(lost),
    ended: (pid) => eventFiles?.ended(pid),
    damaged: (detail) => publisher.repair(detail === null ? null : new PublishedDamaged(detail)),
    logged: (line) => standardStream(2).write(line, relayDropped),
  });
  const onServed = (listener: () => void): void => {
    served = listener;
  };
  return { publisher, supervisor, relayDropped, eventFiles, hub, onServed };
}

/** Null: no server may follow this one. */
function makeHub(
  { followPort, followAccept, followersMax: max }: ServeOptions,
  parts: Omit<FollowHubParts, 'acceptFile' | 'max'>,
): FollowHub | null {
  if (followPort === null || followAccept === null) return null;
  return new FollowHub({ ...parts, acceptFile: followAccept, max });
}

/**
 * Opens the port for servers that follow this one.
 * @returns its origin with a slash; null: none may
 */
export async function openFollowPort(
  { followHost, followPort }: ServeOptions,
  hub: DeliveryCore['hub'],
): Promise<string | null> {
  if (hub === null || followPort === null) return null;
  return `http://${shownHost(followHost)}:${await hub.listen(followHost, followPort)}/`;
}

/** What a follower's delivery processes have reported, as if they were this server's own. */
function takeAll(takers: ReportTakers, relayed: Relayed): void {
  takers.used(relayed.used);
  takers.traffic(relayed.traffic);
  takers.receipts(relayed.receipts);
  for (const report of relayed.assigned) takers.assigned(report);
  for (const report of relayed.requests) takers.requests(report);
}

/** Null: events are off. */
function openEventFiles(
  { eventsTo, eventAttributes }: ServeOptions,
  { eventsPath }: DataFolder,
  log: Start['log'],
): EventFiles | null {
  if (eventsTo === 'off') return null;
  return new EventFiles({ folder: eventsPath, attributes: eventAttributes }, log);
}

/**
 * How many delivery processes there are.
 * @param given null: one core is for the control process, the render pool and the kernel; the others serve requests
 */
export function processCount(given: number | null): number {
  return given ?? Math.max(1, availableCores() - 1);
}

function deliveryOptions(
  options: ServeOptions,
  processes: number,
): Omit<DeliveryOptions, 'publishedPath' | 'port' | 'tlsCert' | 'tlsKey' | 'events'> {
  const { host, corsOrigins, lenientCatalog, bodyBytesMax, idsMax, combineBytesMax } = options;
  const { refreshBytesMax, keyRateMax, native, logLevel } = options;
  const { streamsMax, streamsPerKey, streamsPerAddress, streamWakesPerSecond } = options;
  // Most requests need no rendering: a thread or two per process, by what the machine has left.
  const spare = Math.floor(availableCores() / processes) - 1;
  return {
    ...{ host, corsOrigins, lenientCatalog, bodyBytesMax, idsMax, combineBytesMax, keyRateMax },
    ...{ refreshBytesMax, native, logLevel, keysUsedEveryMs: options.lastUsedEveryMs },
    ...{ streamsMax, streamsPerKey, streamsPerAddress, streamWakesPerSecond },
    trustedProxies: options.streamProxies,
    workers: options.workers ?? Math.max(1, Math.min(2, spare)),
  };
}

/** Where this machine reaches the delivery port. */
export function deliveryUrlOf(options: ServeOptions, port: number): string {
  return `${schemeOf(options)}://${shownHost(options.host)}:${port}`;
}

/** Where other machines reach it. */
export function deliveryAddressOf(options: ServeOptions, port: number): string {
  const host = isAnyHost(options.host) ? hostname() : shownHost(options.host);
  return `${schemeOf(options)}://${host}:${port}`;
}

function schemeOf({ tlsCert }: ServeOptions): 'http' | 'https' {
  return tlsCert === null ? 'http' : 'https';
}
