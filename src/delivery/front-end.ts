/** The delivery port: uWebSockets.js routes, and what is read and rejected before a body is there. */
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import type { EvaluationContext } from '../content/evaluation-context.js';
import type { DeliveryOptions } from '../published/barrier.js';
import type { Clock } from './clock.js';
import type { EventRequests } from './events/event-requests.js';
import { acceptedCodings, anyCoding } from './http/accept-encoding.js';
import { BodyDeadlines } from './http/body-deadlines.js';
import { bodyAmbiguous, bodyChunked, bodyLengthOf } from './http/body-length.js';
import { hasValuesWithin } from './http/body-values.js';
import type { ClientNetworks } from './http/client-network.js';
import { CollectedBodies, CollectedBody } from './http/collected-bodies.js';
import type { ContentRequests } from './http/content-requests.js';
import { Cors } from './http/cors.js';
import { Exchange, type ExchangeContext, makeExchangeContext } from './http/exchange.js';
import { parseCombineQuery, parseDynamicQuery } from './http/query.js';
import { parseRefreshRequest } from './http/refresh-request.js';
import type { RefreshRequests } from './http/refresh-requests.js';
import { parseRequestBody, parseUserContext, type RequestBody } from './http/request-body.js';
import type { UnsentResponses } from './http/unsent-responses.js';
import {
  drainIdleMs,
  drainMsMax,
  droppedBodyBytesMax,
  eventsBodyBytesMax,
  gzipBytesMin,
  longBodyValuesMax,
  sweepEveryMs,
} from './limits.js';
import { Endpoint, type Metrics } from './metrics.js';
import type { BulkRequests } from './ofrep/bulk-requests.js';
import type { FlagRequests } from './ofrep/flag-requests.js';
import { parseOfrepBody, parseOfrepContext } from './ofrep/ofrep-body.js';
import { asOfrepError, ofrepProblems } from './ofrep/ofrep-errors.js';
import {
  configSequenceOf,
  credentialOf,
  flagKeyOf,
  flagsPath,
  ofrepPrefix,
  streamPath,
} from './ofrep/ofrep-request.js';
import type { StreamSubject, StreamTokens } from './ofrep/stream-token.js';
import { Problem, problems } from './problems.js';
import type { AdmittedId, ApiKeys } from './published/api-keys.js';
import type { ServedEnvironment } from './published/published-index.js';
import { parseReceipt, type ReceiptRequests } from './receipts/receipt-requests.js';
import type { Rejections } from './rejections.js';
import { Coding, Form } from './render/render-task.js';
import type { Renderer } from './render/renderer.js';
import type { StreamHub } from './stream/stream-hub.js';
import { parseStreamRequest } from './stream/stream-request.js';
import { uWS } from './uws/uws.js';

const contentTypeJson = /^application\/json[ \t]*(;.*)?$/i;
/** The first group has those that take POST. */
const knownPath =
  /^\/(?:(api\/v1\/(?:config\/[^/]+(?:\/dynamic)?|combine\/?|refresh|stream|receipts|events)|ofrep\/v1\/evaluate\/flags(?:\/.*)?)|api\/v1\/env\/catalog|ofrep\/v1\/stream)$/;

export interface FrontEndParts {
  readonly options: DeliveryOptions;
  readonly keys: ApiKeys;
  readonly requests: ContentRequests;
  readonly refreshes: RefreshRequests;
  readonly streams: StreamHub;
  readonly flags: FlagRequests;
  readonly bulks: BulkRequests;
  readonly tokens: StreamTokens;
  readonly receipts: ReceiptRequests;
  readonly events: EventRequests;
  readonly networks: ClientNetworks;
  readonly renderer: Renderer;
  readonly metrics: Metrics;
  readonly rejections: Rejections;
  readonly unsent: UnsentResponses;
  readonly clock: Clock;
  readonly log: (error: unknown) => void;
}

export class FrontEnd {
  readonly #parts: FrontEndParts;
  readonly #context: ExchangeContext;
  readonly #app: TemplatedApp;
  readonly #bodies = new BodyDeadlines();
  readonly #collected = new CollectedBodies();
  #socket: us_listen_socket | null = null;
  #sweeps: NodeJS.Timeout | undefined;
  #isLeaving = false;

  constructor(parts: FrontEndParts) {
    this.#parts = parts;
    const { metrics, rejections, unsent, networks, log } = parts;
    const cors = new Cors(parts.options.corsOrigins);
    this.#context = makeExchangeContext(cors, {
      metrics,
      rejections,
      unsent,
      bodies: this.#bodies,
      networks,
      failed: log,
    });
    const { tlsCert, tlsKey } = parts.options;
    this.#app =
      tlsCert !== null && tlsKey !== null
        ? uWS.SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey })
        : uWS.App();
    this.#route();
  }

  /** Opens the port, which other delivery processes may share. False: it cannot be had. */
  listen(): Promise<boolean> {
    const { host, port } = this.#parts.options;
    this.#sweeps = setInterval(() => this.#sweep(), sweepEveryMs).unref();
    return new Promise((resolve) => {
      this.#app.listen(host, port, (socket) => {
        this.#socket = socket === false ? null : socket;
        resolve(socket !== false);
      });
    });
  }

  /** The port that is open; -1 before that. */
  get port(): number {
    return this.#socket === null ? -1 : uWS.us_socket_local_port(this.#socket);
  }

  /** Closes all connections at once. */
  close(): void {
    clearInterval(this.#sweeps);
    this.#socket = null;
    this.#app.close();
  }

  /** Its health check says from now on that it is going to end. It goes on serving until `drain`. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Accepts nothing more, finishes requests under way, and resolves when that is done or has taken too long. */
  async drain(): Promise<void> {
    this.#context.draining = true;
    if (this.#socket !== null) uWS.us_listen_socket_close(this.#socket);
    this.#socket = null;
    await this.#parts.streams.drain();
    const startedAt = performance.now();
    for (;;) {
      const elapsedMs = performance.now() - startedAt;
      const { underWay, metrics } = this.#context;
      const idle = metrics.connections === 0 || elapsedMs >= drainIdleMs;
      if (underWay === 0 && idle) break;
      if (elapsedMs >= drainMsMax) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.close();
  }

  #sweep(): void {
    const nowMs = performance.now();
    this.#bodies.sweep(nowMs);
    this.#parts.unsent.sweep(nowMs);
  }

  #route(): void {
    const one = (dynamic: boolean) => (res: HttpResponse, req: HttpRequest) =>
      this.#content(res, req, dynamic);
    const many = (res: HttpResponse, req: HttpRequest) => this.#combine(res, req);
    this.#app
      .post('/api/v1/config/:id/dynamic', one(true))
      .post('/api/v1/config/:id', one(false))
      .post('/api/v1/combine/', many)
      .post('/api/v1/combine', many)
      .post('/api/v1/refresh', (res, req) => this.#refresh(res, req))
      .post('/api/v1/stream', (res, req) => this.#stream(res, req))
      .post('/api/v1/receipts', (res, req) => this.#receipt(res, req))
      .post('/api/v1/events', (res, req) => this.#events(res, req))
      .get('/api/v1/env/catalog', (res, req) => this.#catalog(res, req))
      .post(flagsPath, (res, req) => this.#bulk(res, req))
      .post(`${flagsPath}/*`, (res, req) => this.#flag(res, req))
      .get(streamPath, (res, req) => this.#ofrepStream(res, req))
      .get('/healthz', (res) => this.#health(res))
      .any('/*', (res, req) => this.#other(res, req))
      // biome-ignore lint/suspicious/useIterableCallbackReturn: not an array: uWS tells of connections (+1, -1).
      .filter((_res, change) => {
        this.#parts.metrics.connections += Number(change);
      });
  }

  #content(res: HttpResponse, req: HttpRequest, dynamic: boolean): void {
    const id = decoded(req.getParameter(0) ?? '');
    const query = (dynamic ? req.getQuery() : '') ?? '';
    const exchange = this.#open(res, req, dynamic ? Endpoint.Dynamic : Endpoint.Content);
    exchange.content = id;
    const problem = id === '' ? problems.pathUnknown : this.#admit(exchange, req, true);
    this.#collect(res, exchange, bodyLengthOf(req), problem, (caller) => {
      const serialized = parseDynamicQuery(query);
      if (serialized instanceof Problem) return serialized;
      if (exchange.sequenceMin === sequenceMalformed) return problems.sequenceInvalid;
      const form = dynamic ? (serialized ? Form.Serialized : Form.Wrapped) : Form.Plain;
      this.#parts.requests.respondToOne(exchange, id, caller, form);
      return null;
    });
  }

  #combine(res: HttpResponse, req: HttpRequest): void {
    const rawQuery = req.getQuery() ?? '';
    const exchange = this.#open(res, req, Endpoint.Combine);
    const problem = this.#admit(exchange, req, true);
    this.#collect(res, exchange, bodyLengthOf(req), problem, (caller, body) => {
      const query = parseCombineQuery(rawQuery, this.#parts.options.idsMax, body['c']);
      if (query instanceof Problem) return query;
      if (exchange.sequenceMin === sequenceMalformed) return problems.sequenceInvalid;
      this.#parts.requests.respondToMany(exchange, query, caller);
      return null;
    });
  }

  #refresh(res: HttpResponse, req: HttpRequest): void {
    const rawQuery = req.getQuery() ?? '';
    const { refreshBytesMax } = this.#parts.options;
    const exchange = this.#open(res, req, Endpoint.Refresh);
    const problem = this.#admit(exchange, req, true);
    const onCaller: OnCaller = (caller, body) => {
      const request = parseRefreshRequest(rawQuery, body);
      if (request instanceof Problem) return request;
      if (exchange.sequenceMin === sequenceMalformed) return problems.sequenceInvalid;
      this.#parts.refreshes.respond(exchange, request, caller);
      return null;
    };
    this.#collect(res, exchange, bodyLengthOf(req), problem, onCaller, refreshBytesMax);
  }

  #stream(res: HttpResponse, req: HttpRequest): void {
    const rawQuery = req.getQuery() ?? '';
    const { options, streams } = this.#parts;
    const exchange = this.#open(res, req, Endpoint.Stream);
    const { network } = exchange;
    let problem = this.#admit(exchange, req, true);
    const retryAfter = problem === null ? streams.refusal(network, exchange.key) : null;
    if (retryAfter !== null) {
      exchange.retryAfter = retryAfter;
      problem = problems.streamsFull;
    }
    const onCaller: OnCaller = (caller, body) => {
      const request = parseStreamRequest(rawQuery, body);
      if (request instanceof Problem) return request;
      if (exchange.sequenceMin === sequenceMalformed) return problems.sequenceInvalid;
      streams.open(exchange, request, caller, network);
      return null;
    };
    this.#collect(res, exchange, bodyLengthOf(req), problem, onCaller, options.refreshBytesMax);
  }

  #receipt(res: HttpResponse, req: HttpRequest): void {
    const { receipts } = this.#parts;
    const exchange = this.#open(res, req, Endpoint.Receipts);
    const { network } = exchange;
    const problem =
      this.#admit(exchange, req, true) ??
      receipts.rates.refusal(network, exchange.key, exchange.startedAtMs);
    this.#collect(res, exchange, bodyLengthOf(req), problem, (_caller, body) => {
      const receipt = parseReceipt(body);
      if (receipt instanceof Problem) return receipt;
      receipts.respond(exchange, receipt, network);
      return null;
    });
  }

  #events(res: HttpResponse, req: HttpRequest): void {
    const { events, keys, clock } = this.#parts;
    const exchange = this.#open(res, req, Endpoint.Events);
    const key = req.getHeader(headerNames.apiKey);
    const sender = keys.admitForEvents(key, clock.wallMs(exchange.startedAtMs));
    if (sender instanceof Problem) {
      exchange.wrongKey = key;
      this.#dropBody(res, exchange, bodyLengthOf(req), sender, () => undefined);
      return;
    }
    const problem =
      this.#admitted(exchange, req, key, sender.environment, true) ??
      events.refusal(exchange, sender.purpose);
    const onCaller: OnCaller = (caller, body) => {
      const nowMs = clock.wallMs(exchange.receivedAtMs);
      return events.respond(exchange, sender.purpose, caller, body, nowMs);
    };
    this.#collect(res, exchange, bodyLengthOf(req), problem, onCaller, eventsBodyBytesMax);
  }

  #flag(res: HttpResponse, req: HttpRequest): void {
    const key = flagKeyOf(req.getUrl());
    const exchange = this.#open(res, req, Endpoint.Ofrep);
    exchange.problemForm = asOfrepError;
    exchange.flagKey = key;
    const problem = this.#admit(exchange, req, true, credentialOf(req));
    const onCaller: OnCaller = (caller) => {
      if (exchange.sequenceMin === sequenceMalformed) return ofrepProblems.sequenceInvalid;
      this.#parts.flags.respond(exchange, key, caller);
      return null;
    };
    const { bodyBytesMax } = this.#parts.options;
    this.#collect(res, exchange, bodyLengthOf(req), problem, onCaller, bodyBytesMax, ofrepBody);
  }

  #bulk(res: HttpResponse, req: HttpRequest): void {
    const ifNoneMatch = req.getHeader('if-none-match');
    const configSequence = configSequenceOf(req.getQuery() ?? '') ?? sequenceMalformed;
    const header = sequenceOf(req.getHeader(headerNames.minSequence));
    const isMalformed = configSequence === sequenceMalformed || header === sequenceMalformed;
    const sequenceMin = isMalformed ? sequenceMalformed : Math.max(header, configSequence);
    const exchange = this.#open(res, req, Endpoint.OfrepBulk, sequenceMin);
    exchange.problemForm = asOfrepError;
    const problem = this.#admit(exchange, req, true, credentialOf(req));
    const onCaller: OnCaller = (caller) => {
      if (isMalformed) return ofrepProblems.sequenceInvalid;
      this.#parts.bulks.respond(exchange, ifNoneMatch, caller);
      return null;
    };
    const { bodyBytesMax } = this.#parts.options;
    this.#collect(res, exchange, bodyLengthOf(req), problem, onCaller, bodyBytesMax, ofrepBody);
  }

  #ofrepStream(res: HttpResponse, req: HttpRequest): void {
    const { tokens, keys, clock, streams } = this.#parts;
    const token = new URLSearchParams(req.getQuery() ?? '').get('token') ?? '';
    const lastEventId = req.getHeader('last-event-id');
    const exchange = this.#open(res, req, Endpoint.OfrepStream);
    const { network } = exchange;
    exchange.problemForm = asOfrepError;
    const nowMs = clock.wallMs(exchange.startedAtMs);
    const subject = tokens.open(token, nowMs);
    const admitted =
      subject === null ? ofrepProblems.tokenInvalid : admittedBy(keys, subject, nowMs);
    const problem = admitted instanceof Problem ? admitted : null;
    this.#dropBody(res, exchange, bodyLengthOf(req), problem, () => {
      if (subject === null || admitted instanceof Problem) return;
      exchange.environment = admitted.environment;
      const { caller, endsAtMs: tokenEndsAtMs } = subject;
      const { hash: keyHash } = admitted;
      streams.openOfrep(exchange, { keyHash, caller, lastEventId, network, tokenEndsAtMs });
    });
  }

  #catalog(res: HttpResponse, req: HttpRequest): void {
    const ifNoneMatch = req.getHeader('if-none-match');
    const exchange = this.#open(res, req, Endpoint.Catalog);
    const problem =
      this.#admit(exchange, req, !this.#parts.options.lenientCatalog) ??
      (exchange.sequenceMin === sequenceMalformed ? problems.sequenceInvalid : null);
    this.#dropBody(res, exchange, bodyLengthOf(req), problem, () => {
      this.#catalogInSequence(exchange, ifNoneMatch);
    });
  }

  #catalogInSequence(exchange: Exchange, ifNoneMatch: string): void {
    if (exchange.sequenceMin < 0) {
      this.#respondWithCatalog(exchange, ifNoneMatch);
      return;
    }
    this.#parts.requests.inSequence(exchange, () =>
      this.#respondWithCatalog(exchange, ifNoneMatch),
    );
    exchange.pause();
  }

  #respondWithCatalog(exchange: Exchange, ifNoneMatch: string): void {
    const catalog = exchange.environment?.catalog;
    if (catalog === undefined) {
      exchange.reject(problems.internal);
      return;
    }
    const { bytes, etag } = catalog;
    const coding = anyCoding(exchange.accepts);
    if (ifNoneMatch !== '' && catalog.matches(ifNoneMatch) && exchange.notModified(etag)) return;
    if (coding === Coding.Identity || bytes.byteLength < gzipBytesMin) {
      exchange.respond(bytes, Coding.Identity, etag);
    } else {
      const { renderer } = this.#parts;
      const compressed = catalog.compressed(coding, (all, how) => renderer.compress(all, how));
      exchange.pause();
      compressed.then(
        (packed) => exchange.goOn(() => exchange.respond(packed, coding, etag)),
        () => exchange.goOn(() => exchange.respond(bytes, Coding.Identity, etag)),
      );
    }
  }

  #health(res: HttpResponse): void {
    const { draining } = this.#context;
    const isLeaving = draining || this.#isLeaving;
    const body = isLeaving ? '{"status":"draining"}' : '{"status":"ok"}';
    res.onAborted(() => undefined);
    res.writeStatus(isLeaving ? '503 Service Unavailable' : '200 OK');
    res.writeHeader('Content-Type', 'application/json; charset=utf-8');
    if (draining) res.end(body, true);
    // A client that does not read what it has asked for.
    else if (!res.tryEnd(body, body.length)[1]) res.close();
  }

  /** Everything that is no request of the API: preflights, wrong methods, unknown paths. */
  #other(res: HttpResponse, req: HttpRequest): void {
    const path = req.getUrl();
    const known = knownPath.exec(path);
    const method = req.getCaseSensitiveMethod();
    const exchange = this.#open(res, req, Endpoint.Other);
    exchange.headOnly = method === 'HEAD';
    if (path.startsWith(ofrepPrefix)) exchange.problemForm = asOfrepError;
    const problem = known === null ? problems.pathUnknown : null;
    this.#dropBody(res, exchange, bodyLengthOf(req), problem, () => {
      if (method === 'OPTIONS' && this.#context.cors.enabled) {
        exchange.preflight();
      } else {
        const allow = known?.[1] === undefined ? 'GET, OPTIONS' : 'POST, OPTIONS';
        exchange.rejectMethod(problems.methodWrong, allow);
      }
    });
  }

  #open(
    res: HttpResponse,
    req: HttpRequest,
    endpoint: Endpoint,
    sequenceMin: number = sequenceOf(req.getHeader(headerNames.minSequence)),
  ): Exchange {
    const exchange = new Exchange(
      this.#context,
      res,
      endpoint,
      this.#context.cors.byOrigin ? req.getHeader('origin') : '',
      acceptedCodings(req.getHeader(headerNames.acceptEncoding)),
      sequenceMin,
    );
    if (this.#parts.networks.readsForwarded) exchange.forwarded = forwardedOf(req);
    return exchange;
  }

  /** Key, then Content-Type. @returns null, or why the request is rejected */
  #admit(
    exchange: Exchange,
    req: HttpRequest,
    contentTypeNeeded: boolean,
    key: string = req.getHeader(headerNames.apiKey),
  ): Problem | null {
    const { keys, clock } = this.#parts;
    const admitted = keys.admit(key, clock.wallMs(exchange.startedAtMs));
    if (admitted instanceof Problem) {
      exchange.wrongKey = key;
      return admitted;
    }
    return this.#admitted(exchange, req, key, admitted, contentTypeNeeded);
  }

  #admitted(
    exchange: Exchange,
    req: HttpRequest,
    key: string,
    environment: ServedEnvironment,
    contentTypeNeeded: boolean,
  ): Problem | null {
    exchange.environment = environment;
    exchange.key = key;
    exchange.keysVersion = this.#parts.keys.version;
    const contentType = req.getHeader(headerNames.contentType);
    if (contentType === 'application/json' || contentTypeJson.test(contentType)) return null;
    if (!contentTypeNeeded && contentType === '') return null;
    return problems.contentTypeInvalid;
  }

  /**
   * Reads the body up to the limit, then hands on the evaluation context. Two closures: uWebSockets.js passes no context.
   * @param bodyLength see `bodyLengthOf`
   * @param problem why the request is rejected whatever its body says, or null
   * @param bodyBytesMax the longest body that is read
   * @param form how the body is read
   */
  #collect(
    res: HttpResponse,
    exchange: Exchange,
    bodyLength: number,
    problem: Problem | null,
    onCaller: OnCaller,
    bodyBytesMax: number = this.#parts.options.bodyBytesMax,
    form: BodyForm = plainBody,
  ): void {
    const early = problem ?? (bodyLength > bodyBytesMax ? problems.bodyTooLarge : null);
    if (early !== null || bodyLength === bodyAmbiguous) {
      this.#dropBody(res, exchange, bodyLength, early, () => undefined);
      return;
    }
    if (bodyLength === 0) {
      // At once: without a body, a head that came in two segments is followed by no call of `onData`.
      this.#handOn(exchange, noBytes, onCaller, form);
      return;
    }
    let collected: CollectedBody | null = null;
    let length = 0;
    const isChunked = bodyLength === bodyChunked;
    if (isChunked) this.#bodies.await(exchange);
    res.onData((chunk, isLast) => {
      if (exchange.ended || exchange.closing) return;
      const from = length;
      length += chunk.byteLength;
      if (isLast && (isChunked || from > 0)) this.#bodies.settle(exchange);
      if (length > bodyBytesMax) {
        // Only a chunked body can get here: dropped as `dropBody` does it.
        if (isLast) exchange.reject(problems.bodyTooLarge);
        else if (length > droppedBodyBytesMax) exchange.rejectAndClose(problems.bodyTooLarge);
        return;
      }
      if (isLast && from === 0) {
        this.#handOn(exchange, chunk, onCaller, form);
        return;
      }
      if (collected === null) {
        collected = new CollectedBody(this.#collected, bodyBytesMax);
        this.#bodies.await(exchange, collected);
      }
      collected.add(chunk);
      if (!isLast) return;
      collected.release();
      if (collected.dropped) exchange.reject(problems.overloaded);
      else this.#handOn(exchange, collected.bytes, onCaller, form);
    });
  }

  /**
   * Responds to a request whose body does not matter. uWebSockets.js reads and drops a body of a known length; a
   * chunked body is dropped here, and one that is too long for that ends the connection.
   * @param problem the response, or null: `respond` makes it
   */
  #dropBody(
    res: HttpResponse,
    exchange: Exchange,
    bodyLength: number,
    problem: Problem | null,
    respond: () => void,
  ): void {
    const end = () =>
      exchange.guard(() => (problem === null ? respond() : exchange.reject(problem)));
    if (bodyLength === bodyAmbiguous) {
      exchange.rejectAndClose(problem ?? problems.framingInvalid);
    } else if (bodyLength > droppedBodyBytesMax) {
      exchange.rejectAndClose(problem ?? problems.bodyTooLarge);
    } else if (bodyLength !== bodyChunked) {
      end();
    } else {
      let length = 0;
      this.#bodies.await(exchange);
      res.onData((chunk, isLast) => {
        if (exchange.ended || exchange.closing) return;
        length += chunk.byteLength;
        if (isLast) {
          this.#bodies.settle(exchange);
          end();
        } else if (length > droppedBodyBytesMax) {
          exchange.rejectAndClose(problem ?? problems.bodyTooLarge);
        }
      });
    }
  }

  #handOn(
    exchange: Exchange,
    body: ArrayBuffer | Uint8Array,
    onCaller: OnCaller,
    form: BodyForm,
  ): void {
    exchange.guard(() => {
      exchange.receivedAtMs = performance.now();
      if (!this.#parts.requests.isStillAdmitted(exchange)) {
        exchange.reject(problems.keyInvalid);
        return;
      }
      // A longer body, of a refresh, lets the rules do no more.
      const workBytes = Math.min(body.byteLength, this.#parts.options.bodyBytesMax);
      const problem = handBody(body, workBytes, exchange, onCaller, form);
      if (problem !== null) exchange.reject(problem);
      else exchange.pause();
    });
  }
}

/** Whose stream a token is for, or why it opens none. */
function admittedBy(
  keys: ApiKeys,
  { keyId, environmentId }: StreamSubject,
  nowMs: number,
): AdmittedId | Problem {
  const admitted = keys.admitId(keyId, nowMs);
  if (admitted === problems.keyInvalid) return ofrepProblems.tokenRevoked;
  if (admitted instanceof Problem || admitted.environment.id === environmentId) return admitted;
  return ofrepProblems.tokenRevoked;
}

/** Responds, now or later, or returns at once why not. */
type OnCaller = (caller: EvaluationContext, body: RequestBody) => Problem | null;

/** How a body is read, and the evaluation context in it. */
interface BodyForm {
  readonly parse: (bytes: ArrayBuffer | Uint8Array) => RequestBody | Problem;
  readonly contextOf: (body: RequestBody, workBytes: number) => EvaluationContext | Problem;
}

const plainBody: BodyForm = { parse: parseRequestBody, contextOf: parseUserContext };
const ofrepBody: BodyForm = { parse: parseOfrepBody, contextOf: parseOfrepContext };

function handBody(
  bytes: ArrayBuffer | Uint8Array,
  workBytes: number,
  exchange: Exchange,
  onCaller: OnCaller,
  { parse, contextOf }: BodyForm,
): Problem | null {
  if (bytes.byteLength > workBytes && !hasValuesWithin(bytesOf(bytes), longBodyValuesMax)) {
    return problems.bodyValuesTooMany;
  }
  const body = parse(bytes);
  if (body instanceof Problem) return body;
  const caller = contextOf(body, workBytes);
  if (caller instanceof Problem) return caller;
  const problem = onCaller(caller, body);
  const { environment } = exchange;
  environment?.traffic.note(caller, environment.settings.traffic);
  return problem;
}

const noBytes = new Uint8Array(0);

function bytesOf(bytes: ArrayBuffer | Uint8Array): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

/*
 * As bytes: uWebSockets.js copies a name given as a string each time, which is half of what reading a header costs
 * (0.23 against 0.12 us; four of them are read per request).
 */
const headerNames = {
  apiKey: Buffer.from('x-api-key'),
  contentType: Buffer.from('content-type'),
  acceptEncoding: Buffer.from('accept-encoding'),
  minSequence: Buffer.from('x-min-sequence'),
} as const;

/** X-Forwarded-For, whose lines are one list: some proxies add a line of their own behind the client's. */
function forwardedOf(req: HttpRequest): string {
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines.join(',');
}

/** Ids need no percent-encoding, but a careful client may do it all the same. */
function decoded(parameter: string): string {
  if (!parameter.includes('%')) return parameter;
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}

const sequenceMalformed = -2;
const sequenceForm = /^\d{1,15}$/;

/** Value of X-Min-Sequence; -1: absent. */
function sequenceOf(header: string): number {
  if (header === '') return -1;
  return sequenceForm.test(header) ? Number(header) : sequenceMalformed;
}
