/** Entry point of a delivery process: serves the delivery port until its parent says so, or is gone. */

import { pino } from 'pino';
import { Clock } from './delivery/clock.js';
import { EventLoopLag } from './delivery/event-loop-lag.js';
import { EventCounts } from './delivery/events/event-counts.js';
import { EventLog } from './delivery/events/event-log.js';
import { EventRequests } from './delivery/events/event-requests.js';
import { FrontEnd, type FrontEndParts } from './delivery/front-end.js';
import { ClientNetworks } from './delivery/http/client-network.js';
import { ContentRequests } from './delivery/http/content-requests.js';
import { FrontEndTrial } from './delivery/http/front-end-trial.js';
import { RefreshRequests } from './delivery/http/refresh-requests.js';
import { UnsentResponses } from './delivery/http/unsent-responses.js';
import {
  assignedReportEveryMs,
  receiptsEveryMs,
  requestsReportedEveryMs,
} from './delivery/limits.js';
import { Metrics } from './delivery/metrics.js';
import { BodyIndexes } from './delivery/ofrep/body-indexes.js';
import { BulkRequests } from './delivery/ofrep/bulk-requests.js';
import { FlagRequests } from './delivery/ofrep/flag-requests.js';
import { FlagResponses } from './delivery/ofrep/flag-responses.js';
import { StreamTokens } from './delivery/ofrep/stream-token.js';
import { ApiKeys } from './delivery/published/api-keys.js';
import { Follower } from './delivery/published/follower.js';
import { PublishedIndex } from './delivery/published/published-index.js';
import { SequenceWaits } from './delivery/published/sequence-waits.js';
import { ReceiptCounts } from './delivery/receipts/receipt-counts.js';
import { ReceiptIssue } from './delivery/receipts/receipt-issue.js';
import { ReceiptRequests } from './delivery/receipts/receipt-requests.js';
import { ReceiptTokens } from './delivery/receipts/receipt-tokens.js';
import { Rejections } from './delivery/rejections.js';
import { chooseDocumentWork } from './delivery/render/document-work.js';
import { RenderPool } from './delivery/render/render-pool.js';
import { Renderer } from './delivery/render/renderer.js';
import { streamsMaxOf } from './delivery/stream/descriptor-limit.js';
import { StreamHub } from './delivery/stream/stream-hub.js';
import { knownFailures } from './delivery/uws/builds.js';
import { isOfficial } from './delivery/uws/load-uws.js';
import type {
  DeliveryMetrics,
  DeliveryOptions,
  EventsOptions,
  FromDelivery,
  ToDelivery,
} from './published/barrier.js';
import {
  descriptorLimit,
  finiteDescriptorLimit,
  openDescriptors,
} from './published/descriptors.js';
import { PublishedReader } from './published/reader.js';
import { standardStream } from './published/standard-stream.js';

const options = JSON.parse(process.argv[2] ?? '{}') as DeliveryOptions;
const log = pino(
  { level: options.logLevel, base: { process: 'delivery', pid: process.pid } },
  standardStream(2),
);
/** Its library says no more than that it failed; what the control process checks has passed. */
const tlsRefused =
  "The front end's TLS library does not load the certificate and key of --tls-cert and --tls-key, perhaps for an unusual parameter of the key.";
const tell = (message: FromDelivery): void => {
  process.send?.(message);
};

// The parent speaks for us: Ctrl-C and a closed terminal reach the whole group, and only the parent knows when all is drained.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The parent was killed: nobody would tell us of edits any more, so nobody must be answered.
process.on('disconnect', () => process.exit(0));

const index = new PublishedIndex(
  () => new PublishedReader(options.publishedPath),
  options.events !== null,
);
const sequences = new SequenceWaits(index);
const metrics = new Metrics();
const work = chooseDocumentWork(options.native);
const pool = new RenderPool({
  workers: options.workers,
  workerData: { publishedPath: options.publishedPath, native: options.native },
  failed: (error) =>
    log.error(
      { event: 'render_worker_ended', err: error },
      'a render worker ended; another takes its place',
    ),
});
const damaged = (detail: string): void => tell({ type: 'damaged', detail, isStuck: false });
log.info({ event: 'document_work', documentWork: work.name }, 'document work');
const turns = new EventLoopLag();
const renderFailed = (error: unknown): void =>
  log.error({ event: 'render_failed', err: error }, 'a render failed');
const renderer = new Renderer(pool, work, turns, renderFailed, damaged);
const clock = new Clock();
const keys = new ApiKeys(index, options.keyRateMax);
const rejections = new Rejections(keys, index);
const requests = new ContentRequests(
  keys,
  renderer,
  sequences,
  metrics,
  clock,
  turns,
  options.combineBytesMax,
);
const unsent = new UnsentResponses();
const descriptors = descriptorLimit();
const streamsMax = streamsMaxOf(options.streamsMax, descriptors);
if (options.streamsMax !== null && streamsMax < options.streamsMax) {
  log.warn(
    { event: 'streams_bounded', wanted: options.streamsMax, streamsMax, descriptors },
    'this process may open too few descriptors for so many streams',
  );
}
const receiptTokens = new ReceiptTokens(() => index.streamKey);
const receiptCounts = new ReceiptCounts();
const receipts = new ReceiptIssue(receiptTokens, receiptCounts);
const eventCounts = new EventCounts();
const eventLog = options.events === null ? null : makeEventLog(options.events);
const streams = new StreamHub({
  ...{ index, requests, renderer, metrics, clock, receipts, unsent },
  limits: {
    max: streamsMax,
    perKey: options.streamsPerKey ?? Number.POSITIVE_INFINITY,
    perNetwork: options.streamsPerAddress,
  },
  wakesPerSecond: options.streamWakesPerSecond,
  contextBytesMax: options.bodyBytesMax,
  log: (error) => log.error({ event: 'request_failed', err: error }, 'a request failed'),
});
const flagParts = {
  ...{ requests, renderer, metrics, clock },
  indexes: new BodyIndexes(work, renderer, renderFailed),
  responses: new FlagResponses(renderer, renderFailed),
};
const tokens = new StreamTokens(() => index.streamKey);
const frontEndParts: FrontEndParts = {
  options,
  keys,
  requests,
  refreshes: new RefreshRequests(requests, index, renderer, metrics, clock, receipts),
  renderer,
  streams,
  flags: new FlagRequests(flagParts),
  bulks: new BulkRequests({ ...flagParts, index, keys, tokens, bytesMax: options.combineBytesMax }),
  tokens,
  receipts: new ReceiptRequests(receiptTokens, receiptCounts),
  events: new EventRequests({
    log: eventLog,
    counts: eventCounts,
    attributes: options.events?.attributes ?? [],
  }),
  networks: new ClientNetworks(options.trustedProxies),
  metrics,
  rejections,
  unsent,
  clock,
  log: (error) => log.error({ event: 'request_failed', err: error }, 'a request failed'),
};
const frontEnd = await makeFrontEnd();
const trial = new FrontEndTrial(
  new FrontEnd({
    ...frontEndParts,
    options: { ...options, host: '127.0.0.1', port: 0, tlsCert: null, tlsKey: null },
    metrics: new Metrics(),
    rejections: new Rejections(keys, index),
    unsent: new UnsentResponses(),
  }),
  ({ check }, remedy) => {
    const level = !isOfficial() && knownFailures.includes(check) ? 'info' : 'warn';
    log[level]({ event: 'front_end_check_failed', check, remedy }, 'the front end failed a check');
  },
);
/** Why the port must not open; null: it may. Tried while the contents are loaded. */
const tried = trial.run();
const follower = new Follower(index, {
  applied: (sequence) => {
    streams.applied();
    sequences.advanced();
    tell({ type: 'applied', sequence });
  },
  damaged: (error) => {
    const detail = error instanceof Error ? error.message : String(error);
    tell({ type: 'damaged', detail, isStuck: true });
  },
});

function makeEventLog({ folder }: EventsOptions): EventLog {
  const events = new EventLog({
    ...{ folder, pid: process.pid, epochMs: Date.now() },
    failed: (error) =>
      log.error(
        { event: 'event_files_failed', err: error },
        'the disk takes no events: clients keep them until it does',
      ),
    resumed: () => log.info({ event: 'event_files_resumed' }, 'the disk takes events again'),
  });
  // Also where the parent was killed, and where this process cannot go on.
  process.on('exit', () => events.closeNow());
  return events;
}

/** The parent ends a process that refuses. */
async function makeFrontEnd(): Promise<FrontEnd> {
  try {
    return new FrontEnd(frontEndParts);
  } catch (error) {
    if (options.tlsCert === null) throw error;
    tell({ type: 'refused', detail: tlsRefused });
    return new Promise(() => undefined);
  }
}

function measured(): DeliveryMetrics {
  return {
    ...metrics.read(),
    sequence: index.sequence,
    unsentBytes: unsent.bytes,
    closedOverBudget: unsent.closedOverBudget,
    closedSlow: unsent.closedSlow,
    ...streams.counts,
    streamsMax,
    frontEnd: trial.findings,
    renderedHits: renderer.hits,
    renderedMisses: renderer.misses,
    renderedInline: renderer.inline,
    documentWork: work.name,
    renderedBytes: renderer.bytes,
    renderedEntries: renderer.entries,
    evictions: evictions(),
    openDescriptors: openDescriptors(),
    descriptorsMax: finiteDescriptorLimit(),
    selectionsBytes: index.selections.bytes,
    selectionsEntries: index.selections.entries,
    assignedExperiments: index.assigned.counting,
    assignedBytes: index.assigned.bytes,
    assignedUncounted: index.assigned.uncounted,
    poolQueued: renderer.queued,
    poolTasks: renderer.tasks,
    poolSeconds: renderer.taskSeconds,
    ...eventCounts.read(),
    eventQueueBytes: eventLog?.queuedBytes ?? 0,
    eventsBlocked: eventLog?.isBlocked ?? false,
    logLinesDropped: standardStream(2).dropped.count,
  };
}

/** Of all caches whose room is bounded. Those of the pool's workers are left out: they would have to be asked. */
function evictions(): DeliveryMetrics['evictions'] {
  const { indexes, responses } = flagParts;
  return [
    ['rendered', renderer.evictions.rendered],
    ['documents', renderer.evictions.documents],
    ['selections', index.selections.evictions],
    ['keys', keys.evictions],
    ['flags', responses.evictions],
    ['flag_indexes', indexes.evictions],
    ['bulk_bodies', frontEndParts.bulks.evictions],
  ];
}

async function open(): Promise<void> {
  const refused = await tried;
  if (refused !== null) tell({ type: 'refused', detail: refused });
  else if (await frontEnd.listen()) tell({ type: 'listening' });
  else tell({ type: 'refused', detail: `Cannot listen on ${options.host} port ${options.port}.` });
}

/** Which keys were used since the last report; resolves when it is on its way, as the next two do. */
function reportKeys(): Promise<void> {
  const used = keys.takeUsed();
  return used.length === 0 ? Promise.resolve() : report({ type: 'used', keys: used });
}

/** What requests carried since the last report. */
function reportTraffic(): Promise<void> {
  const seen = index.takeTraffic();
  return seen.length === 0 ? Promise.resolve() : report({ type: 'traffic', seen });
}

/** Which players of ramps have started a game since the last report, and how that went. */
function reportReceipts(): Promise<void> {
  const batches = receiptCounts.take();
  return batches.length === 0 ? Promise.resolve() : report({ type: 'receipts', batches });
}

/** Which users were given variants of running experiments since the last report; resolves when all of it is on its way. */
async function reportAssigned(): Promise<void> {
  for (const assigned of index.assigned.takeReports()) {
    await report({ type: 'assigned', report: assigned });
  }
}

/** How many requests there were since the last report, and why some were rejected. */
function reportRequests(): Promise<void> {
  const counted = rejections.take();
  return counted === null ? Promise.resolve() : report({ type: 'requests', report: counted });
}

function report(message: FromDelivery): Promise<void> {
  if (process.send === undefined) return Promise.resolve();
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}

/** Nothing appends to it any more. */
async function closeEventLog(): Promise<void> {
  const lost = (await eventLog?.close()) ?? 0;
  if (lost > 0) await report({ type: 'events-lost', count: lost });
}

async function drain(): Promise<void> {
  await frontEnd.drain();
  await Promise.all([
    ...[reportKeys(), reportTraffic(), reportReceipts(), reportAssigned(), reportRequests()],
    closeEventLog(),
  ]);
  await pool.close();
  process.exit(0);
}

/** Another file is to take the place of published.db: nothing has it open when this is said. */
async function release(): Promise<void> {
  await Promise.all([follower.release(), pool.release()]);
  tell({ type: 'released' });
}

function obey(message: ToDelivery): Promise<void> | undefined {
  switch (message.type) {
    case 'published':
      pool.reopen();
      return follower.follow(message.sequence);
    case 'release':
      return release();
    case 'open':
      return open();
    case 'leave':
      frontEnd.leave();
      return undefined;
    case 'drain':
      return drain();
    case 'measure':
      tell({ type: 'measured', id: message.id, measures: measured() });
      return undefined;
  }
}

function fail(error: unknown): void {
  log.fatal({ event: 'delivery_process_failed', err: error }, 'the delivery process cannot go on');
  process.exit(1);
}

process.on('message', (message) => {
  obey(message as ToDelivery)?.catch(fail);
});
setInterval(() => {
  void reportKeys();
  void reportTraffic();
}, options.keysUsedEveryMs).unref();
setInterval(() => void reportReceipts(), receiptsEveryMs).unref();
setInterval(() => void reportAssigned(), assignedReportEveryMs).unref();
setInterval(() => void reportRequests(), requestsReportedEveryMs).unref();
follower.follow(0).catch(fail);
