/**
 * The open streams of a process: opens them, and tells exactly those of a change whose own answers it concerns (D81).
 * An edit, and an instant at which a window begins or ends, puts streams into the wake queue; from there each is told what
 * a refresh of what its client holds would say.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { type EvaluationContext, makeEvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import type { DeliveryMetrics } from '../../published/barrier.js';
import type { Clock } from '../clock.js';
import type { ContentRequests } from '../http/content-requests.js';
import type { Exchange } from '../http/exchange.js';
import type { UnsentResponses } from '../http/unsent-responses.js';
import {
  streamDrainMs,
  streamDrainRetryMsMax,
  streamGapMsMax,
  streamTickMs,
  streamWorkMax,
  tokenRenewMsMax,
  tokenRenewMsMin,
  turnMsMax,
} from '../limits.js';
import type { Metrics } from '../metrics.js';
import type { OfrepSubscriber } from '../ofrep/ofrep-subscriber.js';
import { type Problem, problems } from '../problems.js';
import type { PublishedIndex, ServedEnvironment } from '../published/published-index.js';
import type { ReceiptIssue } from '../receipts/receipt-issue.js';
import type { Renderer } from '../render/renderer.js';
import { ClientWrites, comment } from './client-writes.js';
import { contextSizeOf } from './context-size.js';
import { Mode, Stream, type StreamKey, type StreamWants } from './stream.js';
import { StreamEvents } from './stream-events.js';
import { StreamKeys } from './stream-keys.js';
import { type StreamClaim, StreamLimits, type StreamLimitsOptions } from './stream-limits.js';
import type { StreamRequest } from './stream-request.js';
import { between, StreamTimers } from './stream-timers.js';
import { StreamWalk } from './stream-walk.js';
import { type Subscription, Subscriptions } from './subscription.js';
import { WakeQueue } from './wake-queue.js';

export interface StreamHubParts {
  readonly index: PublishedIndex;
  readonly requests: ContentRequests;
  readonly renderer: Renderer;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly receipts: Pick<ReceiptIssue, 'receiptOf'>;
  readonly limits: StreamLimitsOptions;
  /** See `WakeQueue`. */
  readonly wakesPerSecond: number | null;
  /** The largest evaluation context, bytes of JSON. */
  readonly contextBytesMax: number;
  /** What clients have yet to read. */
  readonly unsent: UnsentResponses;
  /** Is told of bugs. */
  readonly log: (error: unknown) => void;
}

/** Why streams ended. */
const endings = ['client', 'key', 'draining', 'failed'] as const;
type Ending = (typeof endings)[number];

export class StreamHub {
  readonly #parts: StreamHubParts;
  readonly #subscriptions = new Subscriptions();
  readonly #keys: StreamKeys;
  readonly #limits: StreamLimits;
  readonly #walk: StreamWalk;
  readonly #queue: WakeQueue;
  readonly #events: StreamEvents;
  readonly #writes: ClientWrites;
  readonly #timers: StreamTimers;
  /** Streams whose first event is being made. */
  readonly #openings = new Map<Stream, Exchange>();
  readonly #ended = new Map<Ending, number>(endings.map((ending) => [ending, 0]));
  #eventsSent = 0;
  /** When another sequence was served last; performance.now(). */
  #appliedAtMs = Number.NEGATIVE_INFINITY;
  #ticks: NodeJS.Timeout | undefined;
  #isDraining = false;

  constructor(parts: StreamHubParts) {
    this.#parts = parts;
    const { index, renderer, metrics, clock, receipts, limits, wakesPerSecond, unsent } = parts;
    this.#limits = new StreamLimits(limits);
    this.#queue = new WakeQueue(wakesPerSecond, (stream) => this.#wake(stream));
    this.#walk = new StreamWalk(this.#subscriptions, index, clock, {
      changed: (stream) => this.#queue.add(stream),
      changesEarlier: (stream, atMs) => {
        stream.changesAtMs = atMs;
        this.#timers.awaitEdge(stream);
      },
      broke: (stream, error) => this.#broke(stream, error),
    });
    this.#events = new StreamEvents(index, renderer, metrics, clock, receipts, {
      made: (stream, event) => this.#send(stream, event),
      unchanged: (stream) => {
        stream.atMs = 0;
        this.#finish(stream);
      },
      passed: (stream) => {
        stream.isStale = true;
        this.#finish(stream);
      },
      failed: (stream, problem) => this.#fail(stream, problem),
      broke: (stream, error) => this.#broke(stream, error),
    });
    this.#writes = new ClientWrites(unsent, {
      caughtUp: (stream) => {
        if (stream.isStale || stream.owes) this.#queue.add(stream);
      },
      broke: (stream, error) => this.#broke(stream, error),
    });
    this.#timers = new StreamTimers(clock);
    this.#keys = new StreamKeys(index, (key) => this.#endAllOf(key));
  }

  /** What it counted since it was made. */
  get counts(): Pick<
    DeliveryMetrics,
    'streams' | 'streamsWaiting' | 'streamsLooked' | 'streamEvents' | 'streamsEnded'
  > {
    return {
      streams: this.#limits.open,
      streamsWaiting: this.#queue.length,
      streamsLooked: this.#walk.looked,
      streamEvents: this.#eventsSent,
      streamsEnded: [...this.#ended],
    };
  }

  /** Value of Retry-After when the client can have no stream now; null: it may have one. */
  refusal(network: string, key: string): string | null {
    if (!this.#limits.refuses(network, digestOf(key))) return null;
    return this.#limits.retryAfter(network, performance.now());
  }

  /**
   * Opens a stream, or rejects the request.
   * @param exchange whose key was found good
   * @param network see `ClientNetworks`
   */
  open(
    exchange: Exchange,
    request: StreamRequest,
    caller: EvaluationContext,
    network: string,
  ): void {
    const start = () => this.#start(exchange, request, caller, network);
    if (exchange.sequenceMin < 0) start();
    else this.#parts.requests.inSequence(exchange, start);
  }

  /**
   * Opens a stream of OFREP's, whose token was found good. Its events say no more than that there is something new. The
   * client has evaluated its flags a moment ago: what was published since then it is told at once.
   */
  openOfrep(exchange: Exchange, subscriber: OfrepSubscriber): void {
    const { index } = this.#parts;
    const { keyHash, caller, lastEventId, network, tokenEndsAtMs } = subscriber;
    const { environment } = exchange;
    // The body of a GET may take its time.
    if (environment === null || index.key(keyHash) === undefined) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const stream = this.#add(exchange, {
      key: this.#keys.of(keyHash, environment),
      network,
      subscription: this.#subscriptionOf(environment, [], true),
      caller: caller ?? makeEvaluationContext('', {}, null),
      wants: { mode: Mode.Ofrep, serialized: false, bytesMax: 0, isBlind: caller === null },
      tags: [],
      floorMs: 0,
    });
    if (stream === null) return;
    stream.owes =
      lastEventId === ''
        ? performance.now() - this.#appliedAtMs < streamGapMsMax
        : lastEventId !== String(index.sequence);
    stream.renewAtMs = tokenEndsAtMs - between(tokenRenewMsMin, tokenRenewMsMax);
    exchange.keysVersion = index.keysVersion;
    this.#openings.set(stream, exchange);
    this.#wake(stream);
    this.#awaitFirst(exchange);
  }

  /** Another sequence is served. Before it is acknowledged, so that nothing is written for a key that it revokes. */
  applied(): void {
    this.#appliedAtMs = performance.now();
    this.#keys.applied();
    this.#walk.start();
  }

  /** Ends all streams, some at a time, and tells each client when to come back. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    const streams = this.#all();
    const steps = streamDrainMs / streamTickMs;
    const perStep = Math.ceil(streams.length / steps);
    while (streams.length > 0) {
      for (const stream of streams.splice(-perStep)) {
        const retryMs = Math.ceil(Math.random() * streamDrainRetryMsMax);
        const retry = Buffer.from(`retry: ${retryMs}\n\n`);
        if (!stream.isBehind) this.#guarded(stream, () => this.#writes.write(stream, retry));
        this.#end(stream, 'draining');
      }
      if (streams.length > 0) await new Promise((resolve) => setTimeout(resolve, streamTickMs));
    }
    this.close();
  }

  /** Nothing is told any more; the connections are somebody else's to close. */
  close(): void {
    clearInterval(this.#ticks);
  }

  #start(
    exchange: Exchange,
    request: StreamRequest,
    caller: EvaluationContext,
    network: string,
  ): void {
    const { environment } = exchange;
    if (environment === null) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const { mode, serialized, bytesMax, atMs } = request;
    const subscription = this.#subscribe(environment, request);
    const stream = this.#add(exchange, {
      key: this.#keys.of(digestOf(exchange.key), environment),
      ...{ network, subscription, caller },
      wants: { mode, serialized, bytesMax, isBlind: false },
      tags: tagsOf(subscription, request),
      floorMs: atMs,
    });
    if (stream === null) return;
    this.#openings.set(stream, exchange);
    this.#wake(stream);
    this.#awaitFirst(exchange);
  }

  /** The first event may be made in a later turn. */
  #awaitFirst(exchange: Exchange): void {
    if (exchange.ended) return;
    exchange.corked = false;
  }

  /** @returns null: the request is rejected */
  #add(exchange: Exchange, opened: Opened): Stream | null {
    const { key, network, subscription, caller, wants, tags, floorMs } = opened;
    const { jsonBytes: contextBytes, heldBytes } = contextSizeOf(caller);
    const places = Math.max(tags.length, subscription.contents.length);
    const bytes = streamBytes + heldBytes + tagBytes * places;
    const claim: StreamClaim = { network, keyHash: key.hash, bytes };
    const listBytes = subscription.claim === null ? subscription.listBytes : 0;
    const problem = this.#problemOf({ ...claim, bytes: bytes + listBytes }, contextBytes);
    if (problem !== null) {
      this.#keys.forgetUnused(key);
      if (problem === problems.streamsFull) {
        exchange.retryAfter = this.#limits.retryAfter(network, performance.now());
      }
      exchange.reject(problem);
      return null;
    }
    caller.workLeft = Math.min(caller.workLeft, streamWorkMax);
    const stream = new Stream(key, claim, subscription, caller, wants, tags, floorMs);
    this.#limits.take(claim);
    if (subscription.claim === null) {
      subscription.claim = { network, bytes: listBytes };
      this.#limits.hold(network, listBytes);
    }
    key.streams += 1;
    this.#subscriptions.add(stream);
    exchange.whenAborted(() => this.#end(stream, 'client'));
    this.#ticks ??= setInterval(() => this.#tick(), streamTickMs).unref();
    return stream;
  }

  /** Why there is no stream for a request; null: there is one. */
  #problemOf({ network, keyHash, bytes }: StreamClaim, contextBytes: number): Problem | null {
    if (contextBytes > this.#parts.contextBytesMax) return problems.bodyTooLarge;
    if (this.#limits.refuses(network, keyHash, bytes)) return problems.streamsFull;
    return this.#isDraining ? problems.overloaded : null;
  }

  #subscribe(environment: ServedEnvironment, { have, ids }: StreamRequest): Subscription {
    const held = Object.keys(have);
    const followsAll = ids === null;
    const listed = new Set(ids?.map((id) => id.toLowerCase()));
    const names = followsAll
      ? held.filter((id) => environment.content(id)?.id !== id)
      : [...ids, ...held.filter((id) => !listed.has(id.toLowerCase()))];
    return this.#subscriptionOf(environment, names, followsAll);
  }

  #subscriptionOf(
    environment: ServedEnvironment,
    names: readonly string[],
    followsAll: boolean,
  ): Subscription {
    const { version } = this.#parts.index;
    const known = this.#subscriptions.of(environment.id, names, followsAll);
    known.catchUp(environment, version);
    if (!known.isRespelled) return known;
    const made = this.#subscriptions.of(environment.id, names, followsAll);
    made.catchUp(environment, version);
    return made;
  }

  #wake(stream: Stream): void {
    // A comment that it has not taken, since it began to wait: `ClientWrites` says when it has.
    if (stream.isBehind) {
      stream.isStale = true;
      this.#queue.finished(stream);
      return;
    }
    stream.isWaking = true;
    stream.isStale = false;
    this.#events.make(stream);
  }

  #send(stream: Stream, event: Uint8Array): void {
    const opening = this.#openings.get(stream);
    if (opening === undefined) {
      this.#writes.write(stream, event);
    } else {
      this.#openings.delete(stream);
      if (!this.#parts.requests.isStillAdmitted(opening)) {
        opening.reject(problems.keyInvalid);
        this.#end(stream, 'key');
        return;
      }
      opening.beginStream((res) => {
        stream.res = res;
        this.#listen(stream, res);
        this.#writes.writeCorked(stream, event);
      });
      this.#timers.awaitBeat(stream);
    }
    this.#eventsSent += 1;
    this.#finish(stream);
  }

  /** In a scope of its own: the closure would keep what else is in its scope, the event too, as long as the stream lives. */
  #listen(stream: Stream, res: HttpResponse): void {
    res.onAborted(() => this.#end(stream, 'client'));
  }

  /** The event is written, or there was none to write. */
  #finish(stream: Stream): void {
    if (!stream.isWaking) return;
    stream.isWaking = false;
    this.#queue.finished(stream);
    if (stream.ended) return;
    this.#timers.awaitEdge(stream);
    if (stream.isBehind) return;
    if (this.#openings.has(stream)) this.#wake(stream);
    else if (stream.isStale || stream.owes) this.#queue.add(stream);
  }

  /** A stream that was open keeps what it has, and is tried again; only attributes that are too large for the rules end it. */
  #fail(stream: Stream, problem: Problem): void {
    const opening = this.#openings.get(stream);
    if (opening !== undefined) {
      opening.reject(problem);
      this.#end(stream, 'failed');
    } else if (problem === problems.contextOverworked) {
      this.#end(stream, 'failed');
    } else {
      this.#finish(stream);
      stream.isStale = true;
      this.#queue.remove(stream);
      this.#timers.awaitRetry(stream);
    }
  }

  /** A bug of ours: it ends this stream, not the process. */
  #broke(stream: Stream, error: unknown): void {
    const opening = this.#openings.get(stream);
    this.#parts.log(error);
    this.#end(stream, 'failed');
    opening?.reject(problems.internal);
  }

  #guarded(stream: Stream, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#broke(stream, error);
    }
  }

  #tick(): void {
    const nowMs = performance.now();
    const wallMs = this.#parts.clock.wallMs(nowMs);
    for (const stream of this.#timers.takeBeats(nowMs)) {
      this.#guarded(stream, () => this.#beat(stream));
      if (!stream.ended) this.#timers.awaitBeat(stream);
    }
    for (const stream of this.#timers.takeEdges(wallMs)) {
      if (stream.renewAtMs <= wallMs) {
        stream.owes = true;
        stream.renewAtMs = Number.POSITIVE_INFINITY;
      }
      if (stream.isWaking || stream.isBehind) stream.isStale = true;
      else this.#queue.add(stream);
    }
    this.#keys.expire(wallMs);
  }

  #beat(stream: Stream): void {
    // An event that is being made would be written behind what the client has not taken.
    if (stream.isBehind || stream.isWaking) return;
    this.#writes.write(stream, comment);
    if (stream.isStale && !stream.isBehind) this.#queue.add(stream);
  }

  /** Nothing is written to its streams from now on; their connections are closed in short turns. */
  #endAllOf(key: StreamKey): void {
    const streams = this.#all().filter((stream) => stream.key === key);
    const turn = (): void => {
      const untilMs = performance.now() + turnMsMax;
      while (streams.length > 0 && performance.now() < untilMs) {
        this.#end(streams.pop() as Stream, 'key');
      }
      if (streams.length > 0) setImmediate(turn);
    };
    turn();
  }

  #forgetClaim(stream: Stream): void {
    const { subscription, claim } = stream;
    this.#subscriptions.remove(stream);
    this.#limits.giveBack(claim);
    if (subscription.streams.length > 0 || subscription.claim === null) return;
    const { network, bytes } = subscription.claim;
    this.#limits.hold(network, -bytes);
    subscription.claim = null;
  }

  #all(): Stream[] {
    const all: Stream[] = [];
    for (const { streams } of this.#subscriptions.all) for (const one of streams) all.push(one);
    return all;
  }

  #end(stream: Stream, ending: Ending): void {
    if (stream.ended) return;
    stream.ended = true;
    stream.isWaking = false;
    this.#ended.set(ending, (this.#ended.get(ending) ?? 0) + 1);
    this.#queue.remove(stream);
    this.#queue.finished(stream);
    this.#timers.forget(stream);
    this.#writes.forget(stream);
    this.#forgetClaim(stream);
    const { key } = stream;
    key.streams -= 1;
    this.#keys.forgetUnused(key);
    const opening = this.#openings.get(stream);
    this.#openings.delete(stream);
    if (ending === 'key') opening?.reject(problems.keyInvalid);
    else if (ending === 'draining') opening?.reject(problems.overloaded);
    const { res, isBehind } = stream;
    stream.res = null;
    if (res === null || ending === 'client') return;
    try {
      if (isBehind) res.close();
      else res.cork(() => res.end('', true));
    } catch (error) {
      // The connection may be what broke.
      this.#parts.log(error);
    }
  }
}

/** What a stream is made of. */
interface Opened {
  readonly key: StreamKey;
  /** See `ClientNetworks`. */
  readonly network: string;
  readonly subscription: Subscription;
  readonly caller: EvaluationContext;
  readonly wants: StreamWants;
  readonly tags: string[];
  readonly floorMs: number;
}

/**
 * A stream with its timers and its connection, bytes; and a place of what it follows: the tag, which is the client's own text
 * until the first event, and what is yet to be sent of an answer in pages.
 */
const streamBytes = 1_500;
const tagBytes = 64;

function tagsOf(subscription: Subscription, { have }: StreamRequest): string[] {
  const tags = new Array<string>(subscription.contents.length).fill('');
  for (const [id, tag] of Object.entries(have)) {
    const place = subscription.place(id);
    // A client that has something under what is no tag holds it all the same.
    if (place !== undefined) tags[place] = tagForm.test(tag) ? tag : unknownTag;
  }
  return tags;
}

const tagForm = /^[0-9a-f]{16}$/;
const unknownTag = '?';
