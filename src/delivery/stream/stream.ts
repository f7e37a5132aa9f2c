/** One open stream: who listens, what it follows, and which tags its client holds. */
import type { HttpResponse } from 'uWebSockets.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { StreamClaim } from './stream-limits.js';
import type { Subscription } from './subscription.js';

/** What an event carries. */
export const Mode = {
  /** The refresh itself. */
  Data: 0,
  /** Content ids and the sequence. */
  Notify: 1,
  /** OFREP's word that a bulk evaluation would be another one. */
  Ofrep: 2,
} as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

/** In the place of a tag: the client knows that the content item is gone. No tag has this form. */
export const GONE = 'gone';

/** What all streams of one key have in common. */
export interface StreamKey {
  /** SHA-256 of the key's text, lower-case hex. */
  readonly hash: string;
  readonly environmentId: string;
  /** Milliseconds since the epoch, or Infinity. */
  expiresAtMs: number;
  /** It is good no longer: nothing is written to its streams any more. */
  isRevoked: boolean;
  streams: number;
}

/** What a stream was opened with. */
export interface StreamWants {
  readonly mode: Mode;
  readonly serialized: boolean;
  /** Bytes of entries of one event. */
  readonly bytesMax: number;
  /** Of OFREP: nothing is known of the caller, so that every edit counts. */
  readonly isBlind: boolean;
}

export class Stream {
  readonly key: StreamKey;
  readonly claim: StreamClaim;
  readonly subscription: Subscription;
  readonly caller: EvaluationContext;
  /** What the rules may do each time, estimated nanoseconds. */
  readonly workMax: number;
  readonly wants: StreamWants;
  /** By place of the subscription: the tag that the client holds, '' or nothing for none, `GONE`. */
  readonly tags: string[];
  /** Null until the first event is written, and after the end. */
  res: HttpResponse | null = null;
  /** Nothing may be written any more. */
  ended = false;
  /** The next event is due whether or not anything has changed: it is the first, or the last one said that more follows. */
  owes = true;
  /** The events up to the first that says `"more":false`: they tell what of the named content items is not there. */
  isOpening = true;
  /** An event is being made. */
  isWaking = false;
  /** Something may have changed since the event under way, or the one that the client has not taken yet, was made. */
  isStale = false;
  /** The client has not taken all that was written. */
  isBehind = false;
  /** Among the streams of its subscription; among those that wait to be woken, -1: it does not wait. */
  place = -1;
  queuePlace = -1;
  /** Slots of the timer wheels; -1: none. */
  beatSlot = -1;
  edgeSlot = -1;
  /** The next instant at which the clock alone may change an answer, milliseconds since the epoch, or Infinity. */
  changesAtMs: number = Number.POSITIVE_INFINITY;
  /** The instant whose passing is to be told; 0: none. */
  atMs = 0;
  /** The instant that the client was told of before (`at`): this node's clock may be behind it. 0: none. */
  readonly floorMs: number;
  /** Of OFREP: when the client is told to evaluate again, since its token ends, milliseconds since the epoch, or Infinity. */
  renewAtMs: number = Number.POSITIVE_INFINITY;

  constructor(
    key: StreamKey,
    claim: StreamClaim,
    subscription: Subscription,
    caller: EvaluationContext,
    wants: StreamWants,
    tags: string[],
    floorMs: number,
  ) {
    this.key = key;
    this.claim = claim;
    this.subscription = subscription;
    this.caller = caller;
    this.workMax = caller.workLeft;
    this.wants = wants;
    this.tags = tags;
    this.floorMs = floorMs;
  }

  /** Whether the client holds something at a place. */
  holds(place: number): boolean {
    const tag = this.tags[place] ?? '';
    return tag !== '' && tag !== GONE;
  }
}
