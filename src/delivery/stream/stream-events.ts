/** Makes the events of streams: each is a refresh of what the client holds, from one sequence. */
import type { Clock } from '../clock.js';
import { countAll } from '../experiments/counted-arms.js';
import { type Found, gatherBodies } from '../http/body-gathering.js';
import {
  asUnavailable,
  evaluatedAtMs,
  instantText,
  pageEntries,
  pageLength,
  type RefreshState,
  refreshEnvelope,
} from '../http/refresh-pages.js';
import { refreshTurnContentsMax, refreshTurnWorkMax } from '../limits.js';
import type { Metrics } from '../metrics.js';
import { type Problem, problems } from '../problems.js';
import type { PublishedIndex } from '../published/published-index.js';
import type { ReceiptIssue } from '../receipts/receipt-issue.js';
import { combine } from '../render/combine.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';
import type { ServedContent } from '../render/served-content.js';
import { GONE, Mode, type Stream } from './stream.js';
import { changesAtMsFor, formOf, tagFor } from './stream-tags.js';

/** Exactly one of these is called for each event that is to be made, unless the stream ends before. */
export interface StreamEventsOutcome {
  /** The bytes hold for this turn of the event loop. */
  readonly made: (stream: Stream, event: Uint8Array) => void;
  /** The client holds what it would be given. */
  readonly unchanged: (stream: Stream) => void;
  /** An edit has passed what was chosen. */
  readonly passed: (stream: Stream) => void;
  readonly failed: (stream: Stream, problem: Problem) => void;
  /** A bug of ours: it ends this stream, not the process. */
  readonly broke: (stream: Stream, error: unknown) => void;
}

export class StreamEvents {
  readonly #index: PublishedIndex;
  readonly #renderer: Renderer;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #receipts: Pick<ReceiptIssue, 'receiptOf'>;
  readonly #outcome: StreamEventsOutcome;
  /** What is left of an answer whose last event said that more follows. */
  readonly #paging = new WeakMap<Stream, Making>();

  constructor(
    index: PublishedIndex,
    renderer: Renderer,
    metrics: Metrics,
    clock: Clock,
    receipts: Pick<ReceiptIssue, 'receiptOf'>,
    outcome: StreamEventsOutcome,
  ) {
    this.#index = index;
    this.#renderer = renderer;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#receipts = receipts;
    this.#outcome = outcome;
  }

  /** Makes the next event of a stream, in this turn or a later one. */
  make(stream: Stream): void {
    this.#guarded(stream, () => {
      const paging = this.#paging.get(stream);
      this.#paging.delete(stream);
      // What was chosen for the page before holds until something is published.
      if (paging?.version === this.#index.version) this.#gather(paging);
      else this.#begin(stream);
    });
  }

  #guarded(stream: Stream, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#outcome.broke(stream, error);
    }
  }

  #begin(stream: Stream): void {
    const { subscription, caller, workMax, floorMs } = stream;
    subscription.catchUp(this.#index.environment(subscription.environmentId), this.#index.version);
    // A copy: the bodies may take more than one turn, and an edit meanwhile puts others in their place.
    const contents = subscription.contents.slice();
    caller.workLeft = workMax;
    for (const content of contents) caller.workLeft += content?.ordinaryWork ?? 0;
    const nowMs = this.#clock.wallMs(performance.now());
    if (stream.changesAtMs <= nowMs) stream.atMs = stream.changesAtMs;
    const making = new Making(
      stream,
      contents,
      this.#index,
      evaluatedAtMs(nowMs, Math.max(floorMs, stream.atMs)),
      (work) => this.#guarded(stream, work),
    );
    if (stream.wants.mode === Mode.Ofrep) this.#refetch(making);
    else this.#choose(making, 0);
  }

  /** At once: content items without flags take no time. */
  #refetch(making: Making): void {
    const { stream, contents, nowMs, sequence } = making;
    const { tags, caller } = stream;
    const { isOpening, owes } = stream;
    // Of a blind stream nothing tells whether the edge of a window concerns the client.
    let isChanged = owes || isOpening || (stream.wants.isBlind && stream.atMs > 0);
    for (const [place, content] of contents.entries()) {
      const tag = tagFor(stream, content, nowMs);
      if (caller.isOverworked) break;
      if (content !== null) making.windowed(content);
      if (tag === (tags[place] ?? '')) continue;
      isChanged = true;
      tags[place] = tag;
    }
    const isOverworked = caller.isOverworked;
    this.#looked(making);
    if (isOverworked) {
      this.#outcome.failed(stream, problems.contextOverworked);
      return;
    }
    making.told(0, false);
    if (!isChanged) this.#outcome.unchanged(stream);
    else this.#outcome.made(stream, isOpening && !owes ? idOnly(sequence) : refetchEvent(sequence));
  }

  /** All content items were looked at. */
  #looked({ stream, changesAtMs }: Making): void {
    const { caller, isOpening } = stream;
    if (isOpening && caller.lacksUtcOffset) this.#metrics.utcOffsetsMissing += 1;
    caller.forgetDerived();
    stream.changesAtMs = changesAtMs;
  }

  /** In short turns, as a refresh does. */
  #choose(making: Making, from: number): void {
    const { stream, contents, nowMs } = making;
    const { caller, tags } = stream;
    const form = formOf(stream.wants);
    const workAtStart = caller.workLeft;
    for (let at = from; at < contents.length; at += 1) {
      if (
        at - from >= refreshTurnContentsMax ||
        workAtStart - caller.workLeft > refreshTurnWorkMax
      ) {
        setImmediate(() => making.goOn(() => this.#choose(making, at)));
        return;
      }
      const content = contents[at] as ServedContent | null;
      const state = content === null ? null : content.stateFor(caller);
      const slot = state === null ? null : state.slot(caller, form, Coding.Identity, nowMs);
      if (caller.isOverworked) break;
      if (content === null || slot === null) {
        making.missed(at);
        continue;
      }
      making.windowed(content);
      if (slot.tag === tags[at]) making.confirm(at, slot);
      else making.choose(at, slot);
    }
    this.#chosen(making);
  }

  #chosen(making: Making): void {
    const { stream, changed, gone } = making;
    const isOverworked = stream.caller.isOverworked;
    this.#looked(making);
    if (isOverworked) this.#outcome.failed(stream, problems.contextOverworked);
    else if (changed.length + gone.length === 0 && !stream.owes) this.#outcome.unchanged(stream);
    else if (stream.wants.mode === Mode.Notify) this.#notify(making);
    else this.#gather(making);
  }

  #notify(making: Making): void {
    const { stream, changed, slots, gone, sequence } = making;
    const { names } = stream.subscription;
    const ids = [...changed, ...gone].map((place) => names[place]);
    const at = stream.atMs > 0 ? `,"at":${instantText(stream.atMs)}` : '';
    const data = `{"ids":${JSON.stringify(ids)},"sequence":${sequence}${at}}`;
    making.told(slots.length, false);
    this.#outcome.made(stream, Buffer.from(`${beforeData(sequence)}${data}${afterData}`));
  }

  #gather(making: Making): void {
    const { stream, slots, nowMs } = making;
    gatherBodies(this.#renderer, {
      exchange: making,
      slots: slots.slice(0, pageLength(slots, stream.wants.bytesMax, this.#renderer)),
      nowMs,
      onFound: (found) => this.#assemble(making, found),
      onPassed: () => this.#outcome.passed(stream),
      onFailed: (problem) => this.#outcome.failed(stream, asUnavailable(problem)),
    });
  }

  #assemble(making: Making, found: readonly Found[]): void {
    const { stream } = making;
    const { caller, subscription, wants } = stream;
    const { changed, contents } = making;
    const page = { changed, contents, names: subscription.names };
    const entries = pageEntries(found, page, caller, wants.bytesMax);
    for (const { parts } of entries) this.#metrics.rulesMissed += parts?.missed.length ?? 0;
    const more = entries.length < changed.length;
    const environment = this.#index.environment(subscription.environmentId);
    const reporting = {
      receipt: more ? '' : this.#receiptOf(making),
      takesEvents: environment?.settings.takesEvents === true,
    };
    const event = dataEvent(making, entries, more, reporting);
    if (stream.owes) this.#paging.set(stream, making);
    this.#outcome.made(stream, event);
    countAll(entries, caller, making.nowMs);
    countAll(making.confirmed, caller, making.nowMs);
  }

  #receiptOf({ stream, contents }: Making): string {
    const { environmentId } = stream.subscription;
    if (!this.#index.environment(environmentId)?.collectsReceipts) return '';
    const receipt = this.#receipts.receiptOf(environmentId, contents, stream.caller);
    stream.caller.forgetDerived();
    return receipt;
  }
}

/** An event that is being made. */
class Making {
  readonly stream: Stream;
  readonly contents: readonly (ServedContent | null)[];
  readonly sequence: number;
  readonly storeId: string;
  /** See `PublishedIndex.version`. */
  readonly version: number;
  /** The moment that it is made for, milliseconds since the epoch. */
  readonly nowMs: number;
  /** Places of what the client does not hold, and the bodies that it is to get. */
  readonly changed: number[] = [];
  readonly slots: RenderSlot[] = [];
  /** Bodies that the client holds and goes on with, where it is counted for them. */
  readonly confirmed: { readonly slot: RenderSlot }[] = [];
  /** Places of what is to be told gone. */
  readonly gone: number[] = [];
  changesAtMs: number = Number.POSITIVE_INFINITY;
  readonly #guard: (work: () => void) => void;

  constructor(
    stream: Stream,
    contents: readonly (ServedContent | null)[],
    { sequence, storeId, version }: PublishedIndex,
    nowMs: number,
    guard: (work: () => void) => void,
  ) {
    this.stream = stream;
    this.contents = contents;
    this.sequence = sequence;
    this.storeId = storeId;
    this.version = version;
    this.nowMs = nowMs;
    this.#guard = guard;
  }

  /** Does some of the work in a later turn of the event loop. A bug there ends the stream, not the process. */
  goOn(work: () => void): void {
    if (!this.stream.ended) this.#guard(work);
  }

  /** The client holds the body. Its own copy of the tag gives way to the one that all streams share. */
  confirm(place: number, slot: RenderSlot): void {
    this.stream.tags[place] = slot.tag;
    if (slot.counted !== null) this.confirmed.push({ slot });
  }

  choose(place: number, slot: RenderSlot): void {
    this.changed.push(place);
    this.slots.push(slot);
  }

  /** A content item that is not there, or that no version line admits the caller to. */
  missed(place: number): void {
    const { stream } = this;
    const isNamed = stream.isOpening && place < stream.subscription.named;
    if (isNamed || stream.holds(place)) this.gone.push(place);
  }

  windowed(content: ServedContent): void {
    const atMs = changesAtMsFor(this.stream, content, this.nowMs);
    this.changesAtMs = Math.min(this.changesAtMs, atMs);
  }

  /**
   * The client is told of the first `count` of what has changed.
   * @param more whether another event follows; what is gone is repeated there
   */
  told(count: number, more: boolean): void {
    const { stream, changed, slots, gone } = this;
    const { tags } = stream;
    for (let at = 0; at < count; at += 1) {
      tags[changed[at] as number] = (slots[at] as RenderSlot).tag;
    }
    changed.splice(0, count);
    slots.splice(0, count);
    stream.owes = more;
    if (more) return;
    for (const place of gone) tags[place] = GONE;
    stream.isOpening = false;
    stream.atMs = 0;
  }
}

function dataEvent(
  making: Making,
  entries: Parameters<typeof combine>[0],
  more: boolean,
  reporting: Pick<RefreshState, 'receipt' | 'takesEvents'>,
): Uint8Array {
  const { stream, storeId, sequence, changesAtMs, gone } = making;
  const { names } = stream.subscription;
  const state = {
    ...{ storeId, sequence, changesAtMs, ...reporting },
    gone: gone.map((place) => names[place] as string),
  };
  const envelope = refreshEnvelope(state, more, stream.atMs, beforeData(sequence), afterData);
  const event = combine(entries, stream.caller, Number.POSITIVE_INFINITY, envelope) as Uint8Array;
  making.told(entries.length, more);
  return event;
}

/** JSON as it is delivered has no line break, so that an event's data is one line. */
function beforeData(sequence: number): string {
  return `event: refresh\nid: ${sequence}\ndata: `;
}

const afterData = '\n\n';

/** Sets the id that the client names when it comes back, and is no event (WHATWG HTML, "Server-sent events"). */
function idOnly(sequence: number): Uint8Array {
  return Buffer.from(`id: ${sequence}${afterData}`);
}

/**
 * OpenFeature Remote Evaluation Protocol 0.3.0, ADR 8: the provider evaluates again, and hands `etag` on as `flagConfigEtag`.
 */
function refetchEvent(sequence: number): Uint8Array {
  const data = `{"type":"refetchEvaluation","etag":"${sequence}"}`;
  return Buffer.from(`id: ${sequence}\ndata: ${data}${afterData}`);
}
