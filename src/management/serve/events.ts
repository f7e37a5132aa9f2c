/** The events of a server: where they go, who takes them there, and what is asked about them. */
import { toClientConfig } from 'pg-connection-string';
import type { AnalysisOptions, SinkOptions } from '../../analysis/process-messages.js';
import { namesIn } from '../../analysis/storage/event-folder.js';
import { backlogOf } from '../../analysis/storage/waiting-files.js';
import { programFolder } from '../../program-folder.js';
import { standardStream } from '../../published/standard-stream.js';
import {
  type AnalysisClient,
  EventAnalysis,
  type EventsTarget,
  withoutEvents,
} from '../analysis/analysis-client.js';
import { EventCounts, eventGauges } from '../analysis/event-counts.js';
import { EventStoring } from '../analysis/event-storing.js';
import { JobQueue } from '../analysis/job-queue.js';
import { listPhaseRules } from '../analysis/phase-rules.js';
import { eventGaugesMsMax } from '../limits/experiments.js';
import type { Gauge } from '../metrics/definition.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import type { Delivery } from './delivery.js';
import type { ServerData } from './open-store.js';
import type { ServeOptions, Start } from './options.js';

export interface Events {
  readonly analysis: AnalysisClient;
  readonly gauges: () => readonly Gauge[];
  /** Events are stored from now on. */
  start(): void;
}

export function makeEvents(
  { options, log, undo }: Start,
  { folder, store }: ServerData,
  { relayDropped }: Pick<Delivery, 'relayDropped'>,
): Events {
  const to = targetOf(options);
  if (to === 'off') {
    const analysis = withoutEvents(new EventCounts());
    return { analysis, gauges: () => [], start: () => undefined };
  }
  const events = folder.eventsPath;
  const now = Date.now;
  const queue = new JobQueue({
    program: new URL('analysis-process.js', programFolder),
    options: analysisOptions(options, events),
    logged: (line) => standardStream(2).write(line, relayDropped),
    log,
  });
  const storing = new EventStoring({
    ...{ events, queue, log, now, everyMs: options.eventsEveryMs },
    rules: { daysKept: options.eventsDays, bytesMax: options.eventsBytesMax },
    hasEvents: () => to === 'postgres' || keptFolders.some((name) => hasFiles(events, name)),
    experiments: () => store.read((db) => listPhaseRules(db, now())),
  });
  undo.push(async () => {
    await queue.close();
    await storing.close();
  });
  const backlog = () => backlogOf(events);
  const lately = remembered(backlog, eventGaugesMsMax);
  const gauges = () => [
    ...eventGauges(storing.counts, lately(), storing.failure !== null, now()),
    ...queue.gauges(),
  ];
  const analysis = new EventAnalysis({ ...{ events, to, queue, storing, backlog, log, now } });
  return { analysis, gauges, start: () => storing.start() };
}

/** Of the folder of events: where retention looks. */
const keptFolders = ['sealed', 'pending', 'damaged', 'parquet'];

function hasFiles(events: string, name: string): boolean {
  return namesIn(`${events}/${name}`).length > 0;
}

function targetOf({ eventsTo }: ServeOptions): EventsTarget {
  return eventsTo === 'local' || eventsTo === 'postgres' || eventsTo === 'off' ? eventsTo : 'http';
}

function analysisOptions(options: ServeOptions, events: string): AnalysisOptions {
  return {
    events,
    sink: sinkOf(options),
    hashesIds: options.eventIds === 'hashed',
    memoryBytesMax: options.analysisMemoryBytes,
  };
}

function sinkOf(options: ServeOptions): SinkOptions {
  const { eventsTo, eventsDatabase, database } = options;
  if (eventsTo === 'local') return { kind: 'parquet' };
  if (eventsTo !== 'postgres') return { kind: 'http', url: eventsTo };
  const url = eventsDatabase ?? database;
  return { kind: 'postgres', servers: url === null ? [] : serversOf(url) };
}

/** As the driver takes them, each with what the address says beside its server. */
function serversOf({ servers, options }: DatabaseUrl) {
  const config = toClientConfig(options as Parameters<typeof toClientConfig>[0]);
  return servers.map((server) => ({ ...config, ...server }));
}

/** Makes a value again when it is older than `msMax`. */
function remembered<T>(make: () => T, msMax: number): () => T {
  let made: { readonly value: T; readonly atMs: number } | null = null;
  return () => {
    const atMs = performance.now();
    if (made === null || atMs - made.atMs > msMax) made = { value: make(), atMs };
    return made.value;
  };
}
