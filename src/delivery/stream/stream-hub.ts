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
  streamBeatMsMax,
  streamBeatMsMin,
  streamDrainMs,
  streamDrainRetryMsMax,
  streamEdgeDelayMs,
  streamEdgeJitterMs,
  streamGapMsMax,
  streamRetryMsMax,
  streamRetryMsMin,
  streamTickMs,
  streamWorkMax,
  turnMsMax,
} from '../limits.js';
import type { Metrics } from '../metrics.js';
import type { OfrepSubscriber } from '../ofrep/ofrep-subscriber.js';
import { type Problem, problems } from '../problems.js';
import type { PublishedIndex, ServedEnvironment } from '../published/published-index.js';
import type { Renderer } from '../render/renderer.js';
import { ClientWrites, comment } from './client-writes.js';
import { contextSizeOf } from './context-size.js';
import { GONE, Mode, Stream, type StreamKey, type StreamWants } from './stream.js';
import { StreamEvents } from './stream-events.js';
import { type StreamClaim, StreamLimits, type StreamLimitsOptions } from './stream-limits.js';
import type { StreamRequest } from './stream-request.js';
import { StreamWalk } from './stream-walk.js';
import { type Subscription, Subscriptions } from './subscription.js';
import { TimerWheel } from './timer-wheel.js';
import { WakeQueue } from './wake-queue.js';

export interface StreamHubParts {
  readonly index: PublishedIndex;
  readonly requests: ContentRequests;
  readonly renderer: Renderer;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly limits: StreamLimitsOptions;
  /** See `WakeQueue`. */
  readonly wakesPerSecond: number | null;
  /** The largest evaluation context, bytes of JSON. */
  readonly contextBytesMax: number;
  /** What clients have yet to read. */
  readonly unsent: UnsentResponses;
}

/** Why streams ended. */
const endings = ['client', 'key', 'draining', 'failed'] as const;
type Ending = (typeof endings)[number];

export class StreamHub {
  readonly #parts: StreamHubParts;
  readonly #subscriptions = new Subscriptions();
  readonly #keys = new Map<string, StreamKey>();
  readonly #limits: StreamLimits;
  readonly #walk: StreamWalk;
  readonly #queue: WakeQueue;
  readonly #events: StreamEvents;
  readonly #writes: ClientWrites;
  /** When a comment is due, by performance.now(); when the clock changes an answer, by the time of day. */
  readonly #beats = new TimerWheel<Stream>(streamTickMs, performance.now());
  readonly #edges: TimerWheel<Stream>;
  /** Streams whose first event is being made. */
  readonly #openings = new Map<Stream, Opening>();
  readonly #ended = new Map<Ending, number>(endings.map((ending) => [ending, 0]));
  #keysVersion = -1;
  #eventsSent = 0;
  /** When another sequence was served last; performance.now(). */
  #appliedAtMs = Number.NEGATIVE_INFINITY;
  #ticks: NodeJS.Timeout | undefined;
  #isDraining = false;

  constructor(parts: StreamHubParts) {
    this.#parts = parts;
    const { index, renderer, metrics, clock, limits, wakesPerSecond, unsent } = parts;
    this.#limits = new StreamLimits(limits);
    this.#queue = new WakeQueue(wakesPerSecond, (stream) => this.#wake(stream, 0));
    this.#walk = new StreamWalk(this.#subscriptions, index, clock, {
      changed: (stream) => this.#queue.add(stream),
      changesEarlier: (stream, atMs) => {
        stream.changesAtMs = atMs;
        this.#awaitEdge(stream);
      },
    });
    this.#events = new StreamEvents(index, renderer, metrics, clock, {
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
    });
    this.#writes = new ClientWrites(unsent, (stream) => {
      if (stream.isStale || stream.owes) this.#queue.add(stream);
    });
    this.#edges = new TimerWheel(streamTickMs, clock.wallMs(performance.now()));
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
    return this.#limits.retryAfter(performance.now());
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
  openOfrep(exchange: Exchange, { keyHash, caller, lastEventId, network }: OfrepSubscriber): void {
    const { index } = this.#parts;
    const { environment } = exchange;
    // The body of a GET may take its time.
    if (environment === null || index.key(keyHash) === undefined) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const stream = this.#add(exchange, {
      key: this.#keyOf(keyHash, environment),
      network,
      subscription: this.#subscriptions.of(environment.id, [], true),
      caller: caller ?? makeEvaluationContext('', {}, null),
      wants: { mode: Mode.Ofrep, serialized: false, bytesMax: 0, isBlind: caller === null },
      tags: [],
    });
    if (stream === null) return;
    stream.owes =
      lastEventId === ''
        ? performance.now() - this.#appliedAtMs < streamGapMsMax
        : lastEventId !== String(index.sequence);
    exchange.keysVersion = index.keysVersion;
    this.#openings.set(stream, { exchange, atMs: 0 });
    this.#wake(stream, 0);
    this.#awaitFirst(exchange);
  }

  /** Another sequence is served. Before it is acknowledged, so that nothing is written for a key that it revokes. */
  applied(): void {
    this.#appliedAtMs = performance.now();
    this.#checkKeys();
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
        if (!stream.isBehind) this.#writes.write(stream, Buffer.from(`retry: ${retryMs}\n\n`));
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
      key: this.#keyOf(digestOf(exchange.key), environment),
      ...{ network, subscription, caller },
      wants: { mode, serialized, bytesMax, isBlind: false },
      tags: tagsOf(subscription, request),
    });
    if (stream === null) return;
    this.#openings.set(stream, { exchange, atMs });
    this.#wake(stream, atMs);
    this.#awaitFirst(exchange);
  }

  /** The first event may be made in a later turn. */
  #awaitFirst(exchange: Exchange): void {
    if (exchange.ended) return;
    exchange.corked = false;
  }

  /** @returns null: the request is rejected */
  #add(exchange: Exchange, opened: Opened): Stream | null {
    const { key, network, subscription, caller, wants, tags } = opened;
    const { jsonBytes: contextBytes, heldBytes } = contextSizeOf(caller);
    const bytes = streamBytes + heldBytes + tagBytes * tags.length + bytesFor(subscription);
    const claim: StreamClaim = { network, keyHash: key.hash, bytes };
    const problem = this.#problemOf(claim, contextBytes);
    if (problem !== null) {
      this.#forgetUnused(key);
      if (problem === problems.streamsFull) {
        exchange.retryAfter = this.#limits.retryAfter(performance.now());
      }
      exchange.reject(problem);
      return null;
    }
    caller.workLeft = Math.min(caller.workLeft, streamWorkMax);
    const stream = new Stream(key, claim, subscription, caller, wants, tags);
    this.#limits.take(claim);
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

  #forgetUnused(key: StreamKey): void {
    if (key.streams === 0 && this.#keys.get(key.hash) === key) this.#keys.delete(key.hash);
  }

  #subscribe(environment: ServedEnvironment, { have, ids }: StreamRequest): Subscription {
    const held = Object.keys(have);
    const followsAll = ids === null;
    const listed = new Set(ids?.map((id) => id.toLowerCase()));
    const names = followsAll
      ? held.filter((id) => environment.content(id)?.id !== id)
      : [...ids, ...held.filter((id) => !listed.has(id.toLowerCase()))];
    const subscription = this.#subscriptions.of(environment.id, names, followsAll);
    subscription.catchUp(environment, this.#parts.index.version);
    return subscription;
  }

  #keyOf(hash: string, environment: ServedEnvironment): StreamKey {
    const known = this.#keys.get(hash);
    if (known !== undefined) return known;
    const key: StreamKey = {
      hash,
      environmentId: environment.id,
      expiresAtMs: this.#parts.index.key(hash)?.expiresAtMs ?? 0,
      isRevoked: false,
      streams: 0,
    };
    this.#keys.set(hash, key);
    return key;
  }

  #wake(stream: Stream, atMs: number): void {
    // A comment that it has not taken, since it began to wait: `ClientWrites` says when it has.
    if (stream.isBehind) {
      stream.isStale = true;
      this.#queue.finished(stream);
      return;
    }
    stream.isWaking = true;
    stream.isStale = false;
    this.#events.make(stream, atMs);
  }

  #send(stream: Stream, event: Uint8Array): void {
    const opening = this.#openings.get(stream);
    if (opening === undefined) {
      this.#writes.write(stream, event);
    } else {
      this.#openings.delete(stream);
      if (!this.#parts.requests.isStillAdmitted(opening.exchange)) {
        opening.exchange.reject(problems.keyInvalid);
        this.#end(stream, 'key');
        return;
      }
      opening.exchange.beginStream((res) => {
        stream.res = res;
        this.#listen(stream, res);
        this.#writes.writeCorked(stream, event);
      });
      this.#awaitBeat(stream, between(streamBeatMsMin, streamBeatMsMax));
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
    this.#awaitEdge(stream);
    if (stream.isBehind) return;
    const opening = this.#openings.get(stream);
    if (opening !== undefined) this.#wake(stream, opening.atMs);
    else if (stream.isStale || stream.owes) this.#queue.add(stream);
  }

  /** A stream that was open keeps what it has, and is tried again; only attributes that are too large for the rules end it. */
  #fail(stream: Stream, problem: Problem): void {
    const opening = this.#openings.get(stream);
    if (opening !== undefined) {
      opening.exchange.reject(problem);
      this.#end(stream, 'failed');
    } else if (problem === problems.contextOverworked) {
      this.#end(stream, 'failed');
    } else {
      this.#finish(stream);
      stream.isStale = true;
      this.#queue.remove(stream);
      this.#awaitBeat(stream, between(streamRetryMsMin, streamRetryMsMax));
    }
  }

  #tick(): void {
    const nowMs = performance.now();
    const wallMs = this.#parts.clock.wallMs(nowMs);
    for (const stream of this.#beats.take(nowMs)) {
      stream.beatSlot = -1;
      // An event that is being made would be written behind what the client has not taken.
      if (!stream.isBehind && !stream.isWaking) {
        this.#writes.write(stream, comment);
        if (stream.isStale && !stream.isBehind) this.#queue.add(stream);
      }
      if (!stream.ended) this.#awaitBeat(stream, between(streamBeatMsMin, streamBeatMsMax));
    }
    for (const stream of this.#edges.take(wallMs)) {
      stream.edgeSlot = -1;
      if (stream.isWaking || stream.isBehind) stream.isStale = true;
      else this.#queue.add(stream);
    }
    for (const key of [...this.#keys.values()]) if (key.expiresAtMs <= wallMs) this.#revoke(key);
  }

  #awaitBeat(stream: Stream, ms: number): void {
    if (stream.beatSlot >= 0) this.#beats.remove(stream, stream.beatSlot);
    stream.beatSlot = this.#beats.add(stream, performance.now() + ms);
  }

  #awaitEdge(stream: Stream): void {
    if (stream.edgeSlot >= 0) this.#edges.remove(stream, stream.edgeSlot);
    stream.edgeSlot = -1;
    if (stream.changesAtMs === Number.POSITIVE_INFINITY) return;
    const jitterMs = between(0, streamEdgeJitterMs);
    const dueMs = stream.changesAtMs + streamEdgeDelayMs + jitterMs;
    stream.edgeSlot = this.#edges.add(stream, dueMs);
  }

  #checkKeys(): void {
    const { index } = this.#parts;
    if (this.#keysVersion === index.keysVersion) return;
    this.#keysVersion = index.keysVersion;
    for (const key of [...this.#keys.values()]) {
      const served = index.key(key.hash);
      if (served?.environment.id === key.environmentId) key.expiresAtMs = served.expiresAtMs;
      else this.#revoke(key);
    }
  }

  /** Nothing is written to its streams from now on; their connections are closed in short turns. */
  #revoke(key: StreamKey): void {
    key.isRevoked = true;
    this.#keys.delete(key.hash);
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
    if (stream.beatSlot >= 0) this.#beats.remove(stream, stream.beatSlot);
    if (stream.edgeSlot >= 0) this.#edges.remove(stream, stream.edgeSlot);
    this.#writes.forget(stream);
    this.#subscriptions.remove(stream);
    this.#limits.giveBack(stream.claim);
    const { key } = stream;
    key.streams -= 1;
    this.#forgetUnused(key);
    const opening = this.#openings.get(stream);
    this.#openings.delete(stream);
    if (ending === 'key') opening?.exchange.reject(problems.keyInvalid);
    else if (ending === 'draining') opening?.exchange.reject(problems.overloaded);
    const { res, isBehind } = stream;
    stream.res = null;
    if (res === null || ending === 'client') return;
    if (isBehind) res.close();
    else res.cork(() => res.end('', true));
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
}

interface Opening {
  readonly exchange: Exchange;
  readonly atMs: number;
}

/** A stream with its timers and its connection, and a tag of it, bytes. */
const streamBytes = 1_500;
const tagBytes = 8;

/** A list that no other stream has yet. */
function bytesFor({ streams, names }: Subscription): number {
  if (streams.length > 0) return 0;
  return names.reduce((sum, name) => sum + 2 * name.length + 150, 0);
}

function tagsOf(subscription: Subscription, { have }: StreamRequest): string[] {
  const tags = new Array<string>(subscription.contents.length).fill('');
  for (const [id, tag] of Object.entries(have)) {
    const place = subscription.place(id);
    // A client that has something under no tag, or under what is none, holds it all the same.
    if (place !== undefined) tags[place] = tag === '' || tag === GONE ? unknownTag : tag;
  }
  return tags;
}

const unknownTag = '?';

function between(min: number, max: number): number {
  return min + Math.random() * (max - min);
}
