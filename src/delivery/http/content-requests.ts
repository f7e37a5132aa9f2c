/** Responds to content requests whose body has been read: select, render, respond. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Clock } from '../clock.js';
import type { EventLoopLag } from '../event-loop-lag.js';
import {
  gatherTurnsMax,
  gzipBytesMin,
  inlineBytesMin,
  inlineTurnBytesMax,
  sequenceWaitMsMax,
  turnBehindWorkMax,
} from '../limits.js';
import type { Metrics } from '../metrics.js';
import { Problem, problems } from '../problems.js';
import type { ApiKeys } from '../published/api-keys.js';
import type { SequenceWaits } from '../published/sequence-waits.js';
import { type CombinedEntry, combine, combineGzip, failedValue } from '../render/combine.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, Form, type RenderedParts } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';
import { responseBytes, responseLength } from '../render/responses.js';
import { anyCoding, gzipOrNone } from './accept-encoding.js';
import type { Exchange } from './exchange.js';
import type { CombineQuery } from './query.js';

export class ContentRequests {
  readonly #keys: ApiKeys;
  readonly #renderer: Renderer;
  readonly #sequences: SequenceWaits;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #turns: EventLoopLag;
  readonly #combineBytesMax: number;

  /** @param combineBytesMax bytes of a combined response of more than one entry */
  constructor(
    keys: ApiKeys,
    renderer: Renderer,
    sequences: SequenceWaits,
    metrics: Metrics,
    clock: Clock,
    turns: EventLoopLag,
    combineBytesMax: number,
  ) {
    this.#keys = keys;
    this.#renderer = renderer;
    this.#sequences = sequences;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#turns = turns;
    this.#combineBytesMax = combineBytesMax;
  }

  /**
   * Whether the key is still good after a wait, for the body or for a sequence: an edit may have revoked it meanwhile,
   * and was acknowledged.
   */
  isStillAdmitted(exchange: Exchange): boolean {
    if (exchange.keysVersion === this.#keys.version) return true;
    exchange.environment = this.#keys.renew(exchange.key, this.#clock.wallMs(performance.now()));
    exchange.keysVersion = this.#keys.version;
    return exchange.environment !== null;
  }

  /** Endpoints 1 and 2. */
  respondToOne(exchange: Exchange, id: string, caller: EvaluationContext, form: Form): void {
    if (exchange.sequenceMin < 0) this.#one(exchange, id, caller, form, true);
    else this.#inSequence(exchange, () => this.#one(exchange, id, caller, form, true));
  }

  /** Endpoint 3. */
  respondToMany(exchange: Exchange, query: CombineQuery, caller: EvaluationContext): void {
    if (exchange.sequenceMin < 0) this.#many(exchange, query, caller, true);
    else this.#inSequence(exchange, () => this.#many(exchange, query, caller, true));
  }

  #inSequence(exchange: Exchange, respond: () => void): void {
    this.#sequences.wait(exchange.sequenceMin, sequenceWaitMsMax, (sequence, later) => {
      if (exchange.ended) return;
      exchange.sequence = sequence;
      if (later) exchange.corked = false;
      if (sequence < exchange.sequenceMin) exchange.reject(problems.sequenceNotReached);
      else if (!this.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
      else respond();
    });
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #one(
    exchange: Exchange,
    id: string,
    caller: EvaluationContext,
    form: Form,
    again: boolean,
  ): void {
    const nowMs = this.#clock.wallMs(exchange.choosingAtMs);
    const { accepts } = exchange;
    const coding = form === Form.Plain ? anyCoding(accepts) : gzipOrNone(accepts);
    const isBehind = this.#limitWork(exchange, caller);
    const slot = exchange.environment?.content(id)?.slot(caller, form, coding, nowMs) ?? null;
    if (slot === null) {
      exchange.reject(caller.isOverworked ? overworked(isBehind) : problems.contentUnknown);
      return;
    }
    const cached = this.#renderer.cached(slot, nowMs);
    exchange.prompt = cached !== null && exchange.corked;
    if (cached !== null) {
      this.#respond(exchange, slot, cached, caller);
      return;
    }
    const { slot: chosen, parts } = this.#renderer.choose(slot, caller, nowMs);
    if (parts !== null) {
      if (parts instanceof Problem) exchange.reject(parts);
      else this.#respond(exchange, chosen, parts, caller);
      return;
    }
    this.#renderer.render(chosen, (rendered) => {
      if (exchange.ended) return;
      exchange.corked = false;
      if (rendered instanceof Problem) exchange.reject(rendered);
      else if (rendered !== null) this.#respond(exchange, chosen, rendered, caller);
      else if (again) this.#one(exchange, id, caller, form, false);
      else exchange.reject(problems.internal);
    });
  }

  /** In a turn that has gone on for too long, only cheap selections are made: they are of what is asked for most. */
  #limitWork(exchange: Exchange, caller: EvaluationContext): boolean {
    const isBehind = this.#turns.isBehindAt(exchange.choosingAtMs);
    if (isBehind && caller.workLeft > turnBehindWorkMax) caller.workLeft = turnBehindWorkMax;
    return isBehind;
  }

  #respond(
    exchange: Exchange,
    slot: RenderSlot,
    parts: RenderedParts,
    caller: EvaluationContext,
  ): void {
    this.#metrics.rulesMissed += parts.missed.length;
    const { bytes, coding } = responseBytes(slot, parts, caller);
    exchange.respond(bytes, coding, '');
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #many(exchange: Exchange, query: CombineQuery, caller: EvaluationContext, again: boolean): void {
    const nowMs = this.#clock.wallMs(exchange.choosingAtMs);
    const form = query.dynamic ? (query.serialized ? Form.Serialized : Form.Wrapped) : Form.Plain;
    const coding = gzipOrNone(exchange.accepts);
    const isBehind = this.#limitWork(exchange, caller);
    const { contents } = query;
    const { environment } = exchange;
    const slots: (RenderSlot | null)[] = [];
    for (let at = 0; at < contents.length; at += 1) {
      const content = environment?.content(contents[at] as string);
      slots.push(content === undefined ? null : content.slot(caller, form, coding, nowMs));
      if (!caller.isOverworked) continue;
      exchange.reject(overworked(isBehind));
      return;
    }
    this.#gather({ exchange, query, slots, caller, coding, nowMs, again }, gatherTurnsMax);
  }

  /**
   * Finds or makes the bodies of a combined call. Those that the front end splices are made some in each turn of the
   * event loop: they are in the cache when the last of them is there.
   */
  #gather(call: CombineCall, turnsLeft: number): void {
    const { exchange, slots, nowMs } = call;
    const found: Found[] = [];
    let inlineBytes = 0;
    let isWaiting = false;
    for (let at = 0; at < slots.length; at += 1) {
      let slot = slots[at] as RenderSlot | null;
      if (slot === null) {
        found.push(notFound);
        continue;
      }
      let parts: RenderedParts | Problem | null = this.#renderer.cached(slot, nowMs);
      if (parts === null || (parts.packed === null && slot.coding === Coding.Gzip)) {
        if (inlineBytes >= inlineTurnBytesMax && turnsLeft > 0) {
          setImmediate(() => {
            if (exchange.ended) return;
            exchange.corked = false;
            this.#gather(call, turnsLeft - 1);
          });
          return;
        }
        ({ slot, parts } = this.#renderer.chooseEntry(slot));
        // A body that is spliced now is in the cache in the next turn, where it must not count as asked for again.
        slots[at] = slot;
        if (parts instanceof Problem) {
          exchange.reject(parts);
          return;
        }
        if (parts === null) isWaiting = true;
        else inlineBytes += Math.max(inlineBytesMin, slot.workBytes);
      }
      found.push({ slot, parts });
    }
    if (isWaiting) this.#waitForPool(call, found);
    else this.#respondMany(call, found);
  }

  #waitForPool(call: CombineCall, found: Found[]): void {
    const { exchange, query, caller, again } = call;
    let waiting = 0;
    let failed: Problem | null = null;
    let passed = false;
    const done = (): void => {
      waiting -= 1;
      if (waiting > 0 || exchange.ended) return;
      exchange.corked = false;
      if (failed !== null) exchange.reject(failed);
      else if (!passed) this.#respondMany(call, found);
      else if (again) this.#many(exchange, query, caller, false);
      else exchange.reject(problems.internal);
    };
    for (let at = 0; at < found.length; at += 1) {
      const { slot, parts } = found[at] as Found;
      if (slot === null) continue;
      // Bytes that are at hand may be another body's by the time the others are there.
      if (parts !== null) {
        found[at] = owned(slot, parts);
        continue;
      }
      waiting += 1;
      this.#renderer.render(slot, (rendered) => {
        if (rendered instanceof Problem) failed = rendered;
        else if (rendered === null) passed = true;
        else found[at] = { slot, parts: rendered };
        // Counted down in a turn of its own: this may be called before all the others have been asked for.
        queueMicrotask(done);
      });
    }
  }

  #respondMany(call: CombineCall, found: readonly Found[]): void {
    const { exchange, query, caller, coding } = call;
    for (const { parts } of found) {
      if (parts !== null) this.#metrics.rulesMissed += parts.missed.length;
    }
    const entries = entriesOf(query, found);
    const packed = coding === Coding.Gzip && isWorthGzip(entries, caller);
    const bytes = (packed ? combineGzip : combine)(entries, caller, this.#combineBytesMax);
    if (bytes === null) exchange.reject(problems.combineTooLarge);
    else exchange.respond(bytes, packed ? Coding.Gzip : Coding.Identity, '');
  }
}

/** Whether a response has 1 KiB or more, and not all of its bodies are fresh variants that nothing has compressed yet. */
function isWorthGzip(entries: readonly CombinedEntry[], caller: EvaluationContext): boolean {
  let size = 2;
  let compressed = 0;
  let fresh = 0;
  for (const { name, slot, parts } of entries) {
    size += name.byteLength;
    if (parts === null || slot === null) continue;
    if (parts.raw === null) return true;
    if (parts.packed === null) fresh += 1;
    else compressed += 1;
    size += responseLength(slot, parts, caller);
  }
  return size >= gzipBytesMin && (compressed > 0 || fresh === 0);
}

/** The attributes are too large for the rules; or, where little is allowed, perhaps only now. */
function overworked(isBehind: boolean): Problem {
  return isBehind ? problems.overloaded : problems.contextOverworked;
}

/** A combined call whose contents have been chosen. */
interface CombineCall {
  readonly exchange: Exchange;
  readonly query: CombineQuery;
  /** By content; null: it is not there. */
  readonly slots: (RenderSlot | null)[];
  readonly caller: EvaluationContext;
  readonly coding: Coding;
  /** The moment that they were chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly again: boolean;
}

/** A content of a combined call. */
interface Found {
  /** Null: it is not there. */
  readonly slot: RenderSlot | null;
  /** Null until the pool has made them. */
  readonly parts: RenderedParts | null;
}

const notFound: Found = { slot: null, parts: null };

/** The same with bytes of its own. */
function owned(slot: RenderSlot, parts: RenderedParts): Found {
  return { slot, parts: parts.raw === null ? parts : { ...parts, raw: parts.raw.slice() } };
}

/** One entry for each spelling; one that is only a message stands in the name's place. */
function entriesOf(query: CombineQuery, found: readonly Found[]): CombinedEntry[] {
  const { ids, names, contentOf } = query;
  const entries: CombinedEntry[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    const { slot, parts } = found[contentOf[at] as number] as Found;
    const name = names[at] as Uint8Array;
    if (slot !== null) {
      entries.push({ name, slot, parts });
      continue;
    }
    const message = Buffer.from(failedValue(ids[at] as string));
    entries.push({ name: Buffer.concat([name, message]), slot: null, parts: null });
  }
  return entries;
}
