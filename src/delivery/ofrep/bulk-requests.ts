/** Responds to OFREP's bulk evaluations: the flags that the contents of an environment list, for one player. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import type { Clock } from '../clock.js';
import { gzipOrNone } from '../http/accept-encoding.js';
import { type ContentRequests, overworked } from '../http/content-requests.js';
import { isNoneMatch } from '../http/etag.js';
import type { Exchange } from '../http/exchange.js';
import { refreshRestartsMax } from '../limits.js';
import type { Metrics } from '../metrics.js';
import { problems } from '../problems.js';
import type { ApiKeys } from '../published/api-keys.js';
import type { PublishedIndex } from '../published/published-index.js';
import { Coding } from '../render/render-task.js';
import type { SealedToken } from '../sealed-token.js';
import { BulkBodies, BulkBody } from './bulk-bodies.js';
import { type BulkChoice, chooseBulk, countBulk, problemOf } from './bulk-choice.js';
import { BulkEvaluations, type BulkEvaluationsParts } from './bulk-evaluations.js';
import { keyIdLength, type StreamTokens } from './stream-token.js';

export interface BulkRequestsParts extends BulkEvaluationsParts {
  readonly requests: ContentRequests;
  readonly clock: Clock;
  readonly index: Pick<PublishedIndex, 'sequence'>;
  readonly keys: Pick<ApiKeys, 'hashOf'>;
  readonly tokens: StreamTokens;
  readonly metrics: Metrics;
}

/** How long a hidden page keeps its stream open, seconds: the protocol's own default. */
const inactivityDelaySec = 120;

export class BulkRequests {
  readonly #parts: BulkRequestsParts;
  readonly #evaluations: BulkEvaluations;
  readonly #bodies = new BulkBodies();

  constructor(parts: BulkRequestsParts) {
    this.#parts = parts;
    this.#evaluations = new BulkEvaluations(parts);
  }

  /** Bodies that gave way to others. */
  get evictions(): number {
    return this.#bodies.evictions;
  }

  /** @param ifNoneMatch value of If-None-Match; '' for none */
  respond(exchange: Exchange, ifNoneMatch: string, caller: EvaluationContext): void {
    const workMax = caller.workLeft;
    const start = () => this.#choose(exchange, ifNoneMatch, caller, workMax, 0);
    if (exchange.sequenceMin < 0) start();
    else this.#parts.requests.inSequence(exchange, start);
  }

  /**
   * @param workMax what the rules may do, without what each content item adds
   * @param restarts how often an edit has passed what was chosen
   */
  #choose(
    exchange: Exchange,
    ifNoneMatch: string,
    caller: EvaluationContext,
    workMax: number,
    restarts: number,
  ): void {
    const { requests, clock, index, keys, tokens, metrics } = this.#parts;
    const { environment } = exchange;
    if (environment === null) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    // After an edit has passed a choice, this one may be of a later sequence than what was waited for.
    if (exchange.sequence >= 0) exchange.sequence = index.sequence;
    caller.workLeft = workMax;
    const contents = environment.flaggedFor(caller);
    const problem = problemOf(contents);
    if (problem !== null) {
      exchange.reject(problem);
      return;
    }
    for (const { ordinaryWork } of contents) caller.workLeft += ordinaryWork;
    const nowMs = clock.wallMs(exchange.choosingAtMs);
    const isBehind = requests.limitWork(exchange, caller);
    const choice = chooseBulk(contents, caller, nowMs);
    if (choice === null) {
      exchange.reject(overworked(isBehind));
      return;
    }
    if (caller.lacksUtcOffset && restarts === 0) metrics.utcOffsetsMissing += 1;
    const keyId = keys.hashOf(exchange.key).slice(0, keyIdLength);
    const token = tokens.seal({ keyId, environmentId: environment.id, caller }, nowMs);
    // The key of the token is in it too: another API key, or another player, has another stream.
    const etag = `W/"${digestOf(`${choice.list}\n${token.digest}`).slice(0, 32)}"`;
    if (isNoneMatch(ifNoneMatch, etag) && exchange.notModified(etag)) {
      countBulk(choice, caller, nowMs);
      return;
    }
    const tail = tailOf(token, index.sequence);
    const key = digestOf(choice.list + choice.origins);
    const call: BulkCall = { exchange, choice, caller, nowMs, etag, tail, key };
    const known = this.#bodies.find(call.key);
    if (known !== undefined) {
      this.#send(call, known);
      return;
    }
    this.#evaluate(call, () => {
      if (restarts >= refreshRestartsMax) exchange.reject(problems.contentUnavailable);
      else if (!requests.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
      else this.#choose(exchange, ifNoneMatch, caller, workMax, restarts + 1);
    });
  }

  /** @param onPassed see `BulkOutcome` */
  #evaluate(call: BulkCall, onPassed: () => void): void {
    const { exchange, choice, nowMs, key } = call;
    this.#evaluations.start(exchange, choice, nowMs, {
      onMade: (items) => {
        const body = new BulkBody(items);
        this.#bodies.keep(key, body);
        this.#send(call, body);
      },
      onPassed,
      onFailed: (problem) => exchange.reject(problem),
    });
  }

  #send(call: BulkCall, body: BulkBody): void {
    const { exchange, choice, caller, nowMs, key, tail, etag } = call;
    const isGzip = gzipOrNone(exchange.accepts) === Coding.Gzip;
    const { bytes, coding } = this.#bodies.response(key, body, tail, isGzip);
    exchange.respond(bytes, coding, etag);
    countBulk(choice, caller, nowMs);
  }
}

/** What is responded to a request once its flags are there. */
interface BulkCall {
  readonly exchange: Exchange;
  readonly choice: BulkChoice;
  readonly caller: EvaluationContext;
  /** The moment that it is chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly etag: string;
  /** What follows the flags. */
  readonly tail: Uint8Array;
  /** Of the same flags with the same values. */
  readonly key: string;
}

function tailOf({ text }: SealedToken, sequence: number): Uint8Array {
  const stream = {
    type: 'sse',
    // Without an origin: providers take that of the address they were given.
    endpoint: { requestUri: `/ofrep/v1/stream?token=${text}` },
    inactivityDelaySec,
  };
  return Buffer.from(
    `,"eventStreams":[${JSON.stringify(stream)}],"metadata":{"sequence":${sequence}}}`,
  );
}
