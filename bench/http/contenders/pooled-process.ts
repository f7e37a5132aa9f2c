/**
 * Contender `pooled`: Loadout's parts, arranged as its first sketch had them (decision D71). The event loop does HTTP,
 * the key and the body; each resolve and each combine is a task of a Piscina pool, whose workers keep parsed contents.
 */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Piscina } from 'piscina';
import type { Exchange as ExchangeType } from '../../../src/delivery/http/exchange.js';
import { importFrom } from '../../build.js';
import type { ServerInput } from './contender.js';
import {
  codings,
  type PooledReply,
  type PooledTask,
  type PooledWorkerData,
  placeBytes,
  placesCount,
  Wanted,
} from './pooled-task.js';

const input = JSON.parse(process.argv[2]!) as ServerInput;
const { root } = input.build;

type AcceptEncoding = typeof import('../../../src/delivery/http/accept-encoding.js');
type Deadlines = typeof import('../../../src/delivery/http/body-deadlines.js');
type CorsModule = typeof import('../../../src/delivery/http/cors.js');
type ExchangeModule = typeof import('../../../src/delivery/http/exchange.js');
type Index = typeof import('../../../src/delivery/published/published-index.js');
type Keys = typeof import('../../../src/delivery/published/api-keys.js');
type MeasuresModule = typeof import('../../../src/delivery/metrics.js');
type Reader = typeof import('../../../src/published/reader.js');
type Problems = typeof import('../../../src/delivery/problems.js');
type Unsent = typeof import('../../../src/delivery/http/unsent-responses.js');
type UwsModule = typeof import('../../../src/delivery/uws/uws.js');

const { acceptedCodings, anyCoding, gzipOrNone } = await importFrom<AcceptEncoding>(
  root,
  'delivery/accept-encoding.js',
);
const { BodyDeadlines } = await importFrom<Deadlines>(root, 'delivery/body-deadlines.js');
const { Cors } = await importFrom<CorsModule>(root, 'delivery/cors.js');
const { Exchange, makeExchangeContext } = await importFrom<ExchangeModule>(
  root,
  'delivery/exchange.js',
);
const { PublishedIndex } = await importFrom<Index>(root, 'delivery/published-index.js');
const { ApiKeys } = await importFrom<Keys>(root, 'delivery/api-keys.js');
const { Endpoint, Metrics } = await importFrom<MeasuresModule>(root, 'delivery/metrics.js');
const { PublishedReader } = await importFrom<Reader>(root, 'published/reader.js');
const { Problem, problems } = await importFrom<Problems>(root, 'delivery/problems.js');
const { UnsentResponses } = await importFrom<Unsent>(root, 'delivery/unsent-responses.js');
const { uWS } = await importFrom<UwsModule>(root, 'delivery/uws.js');

/** The delivery process's own default: room for 64 KiB of attributes. */
const bodyBytesMax = 64 * 1024;
const apiKeyName = Buffer.from('x-api-key');
const contentTypeName = Buffer.from('content-type');
const acceptEncodingName = Buffer.from('accept-encoding');

const index = new PublishedIndex(() => new PublishedReader(input.publishedPath));
await index.catchUp();
const keys = new ApiKeys(index, null);
const context = makeExchangeContext(new Cors(['*']), {
  metrics: new Metrics(),
  rejections: { note: () => undefined, requestsUnkeyed: 0 },
  unsent: new UnsentResponses(),
  bodies: new BodyDeadlines(),
  networks: { of: (peer) => peer },
  failed: (error) => {
    throw error;
  },
});

const places = new SharedArrayBuffer(placesCount * placeBytes);
const free = Array.from({ length: placesCount }, (_, place) => place);
const waiting: (() => void)[] = [];
const pool = new Piscina<PooledTask, PooledReply>({
  filename: new URL('pooled-worker.js', import.meta.url).href,
  name: 'run',
  minThreads: 1,
  maxThreads: 1,
  // As many as there are places: a worker finds its next task in its port instead of waiting for the event loop. One at
  // a time took 71 us of CPU per request where this took 58 (medians of 4); `atomics` made no difference.
  concurrentTasksPerWorker: placesCount,
  recordTiming: false,
  workerData: {
    root,
    publishedPath: input.publishedPath,
    native: input.native,
    places,
  } satisfies PooledWorkerData,
});

/** Has the pool make the response. */
function resolve(exchange: ExchangeType, body: Uint8Array, wanted: Wanted, target: string): void {
  const place = free.pop();
  if (place === undefined) {
    const own = body.slice();
    waiting.push(() => resolve(exchange, own, wanted, target));
    return;
  }
  new Uint8Array(places, place * placeBytes, body.byteLength).set(body);
  const { accepts } = exchange;
  const coding = wanted === Wanted.Plain ? anyCoding(accepts) : gzipOrNone(accepts);
  const task = { place, bodyBytes: body.byteLength, wanted, coding, target };
  pool.run(task).then(
    (reply) => respond(exchange, place, reply),
    (error: unknown) => {
      console.error(error);
      respond(exchange, place, -500);
    },
  );
}

function respond(exchange: ExchangeType, place: number, reply: PooledReply): void {
  exchange.corked = false;
  if (typeof reply !== 'number') {
    exchange.respond(reply.bytes, reply.coding, '');
  } else if (reply < 0) {
    exchange.reject(reply === -404 ? problems.contentUnknown : problems.internal);
  } else {
    const coding = (reply % codings) as 0 | 1 | 2;
    const bytes = new Uint8Array(places, place * placeBytes, (reply - coding) / codings);
    exchange.respond(bytes, coding, '');
  }
  free.push(place);
  waiting.shift()?.();
}

function receive(res: HttpResponse, req: HttpRequest, wanted: Wanted, target: string): void {
  const endpoint = wanted === Wanted.Combined ? Endpoint.Combine : Endpoint.Dynamic;
  const accepts = acceptedCodings(req.getHeader(acceptEncodingName));
  const exchange = new Exchange(context, res, endpoint, '', accepts, -1);
  const admitted = keys.admit(req.getHeader(apiKeyName), Date.now());
  const isJson = req.getHeader(contentTypeName) === 'application/json';
  let collected: Uint8Array | null = null;
  res.onData((chunk, isLast) => {
    if (exchange.ended) return;
    const bytes = new Uint8Array(chunk);
    if (!isLast || collected !== null) collected = joined(collected, bytes);
    if (!isLast) return;
    const body = collected ?? bytes;
    if (admitted instanceof Problem) exchange.reject(admitted);
    else if (!isJson) exchange.reject(problems.contentTypeInvalid);
    else if (body.byteLength > bodyBytesMax) exchange.reject(problems.bodyTooLarge);
    else {
      // Loadout pauses the socket of a request that waits, for clients that pipeline; this one is spared the two calls.
      resolve(exchange, body, wanted, target);
    }
  });
}

/** Copied: a chunk is emptied when its callback returns. */
function joined(before: Uint8Array | null, chunk: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([before ?? new Uint8Array(0), chunk]));
}

const app =
  input.certificate === null
    ? uWS.App()
    : uWS.SSLApp({
        cert_file_name: input.certificate.certPath,
        key_file_name: input.certificate.keyPath,
      });
app
  .post('/api/v1/config/:id/dynamic', (res, req) => {
    const isSerialized = req.getQuery('responseType') === 'serialized';
    const wanted = isSerialized ? Wanted.Serialized : Wanted.Wrapped;
    receive(res, req, wanted, req.getParameter(0) ?? '');
  })
  .post('/api/v1/config/:id', (res, req) =>
    receive(res, req, Wanted.Plain, req.getParameter(0) ?? ''),
  )
  .post('/api/v1/combine/', (res, req) => receive(res, req, Wanted.Combined, req.getQuery() ?? ''));
app.listen('127.0.0.1', input.port, (socket) => {
  if (socket === false) process.exit(1);
  process.send?.({ type: 'listening', port: uWS.us_socket_local_port(socket) });
});
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
