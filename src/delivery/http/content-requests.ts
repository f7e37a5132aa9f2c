/** Responds to content requests whose body has been read: select, render, respond. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Clock } from '../clock.js';
import type { EventLoopLag } from '../event-loop-lag.js';
import { countAll } from '../experiments/counted-arms.js';
import { gzipBytesMin, sequenceWaitMsMax, turnBehindWorkMax } from '../limits.js';
import type { Metrics } from '../metrics.js';
import { Problem, problems } from '../problems.js';
import type { ApiKeys } from '../published/api-keys.js';
import type { SequenceWaits } from '../published/sequence-waits.js';
import { type CombinedEntry, combine, combineGzip, failedValue } from '../render/combine.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, Form, type RenderedParts } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';
import { responseBytes, responseLength, suffixOf } from '../render/responses.js';
import { anyCoding, gzipOrNone } from './accept-encoding.js';
import { type Found, gatherBodies } from './body-gathering.js';
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
   * Whether the key is still good after a wait, for the request's body, for a sequence or for a rendered body: an edit may have revoked it meanwhile,
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
    else this.inSequence(exchange, () => this.#one(exchange, id, caller, form, true));
  }

  /** Endpoint 3. */
  respondToMany(exchange: Exchange, query: CombineQuery, caller: EvaluationContext): void {
    if (exchange.sequenceMin < 0) this.#many(exchange, query, caller, true);
    else this.inSequence(exchange, () => this.#many(exchange, query, caller, true));
  }

  /** Waits for the sequence that the client has seen, then calls `respond`; or rejects the request. */
  inSequence(exchange: Exchange, respond: () => void): void {
    this.#sequences.wait(exchange.sequenceMin, sequenceWaitMsMax, (sequence, later) => {
      const resume = (): void => {
        exchange.sequence = sequence;
        if (sequence < exchange.sequenceMin) exchange.reject(problems.sequenceNotReached);
        else if (!this.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
        else respond();
      };
      if (later) exchange.goOn(resume);
      else resume();
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
    const isBehind = this.limitWork(exchange, caller);
    const state = exchange.environment?.content(id)?.stateFor(caller) ?? null;
    const slot = state === null ? null : state.slot(caller, form, coding, nowMs);
    if (slot === null) {
      exchange.reject(caller.isOverworked ? overworked(isBehind) : problems.contentUnknown);
      return;
    }
    const cached = this.#renderer.cached(slot, nowMs);
    exchange.prompt = cached !== null && exchange.corked;
    if (cached !== null) {
      this.#respond(exchange, slot, cached, caller, nowMs);
      return;
    }
    const { slot: chosen, parts } = this.#renderer.choose(slot, caller, nowMs);
    if (parts !== null) {
      if (parts instanceof Problem) exchange.reject(parts);
      else this.#respond(exchange, chosen, parts, caller, nowMs);
      return;
    }
    this.#renderer.render(chosen, (rendered) =>
      exchange.goOn(() => {
        if (rendered instanceof Problem) exchange.reject(rendered);
        else if (!this.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
        else if (rendered !== null) this.#respond(exchange, chosen, rendered, caller, nowMs);
        else if (again) this.#one(exchange, id, caller, form, false);
        else exchange.reject(problems.internal);
      }),
    );
  }

  /** In a turn that has gone on for too long, only cheap selections are made: they are of what is asked for most. */
  limitWork(exchange: Exchange, caller: EvaluationContext): boolean {
    const isBehind = this.#turns.isBehindAt(exchange.choosingAtMs);
    if (isBehind && caller.workLeft > turnBehindWorkMax) caller.workLeft = turnBehindWorkMax;
    return isBehind;
  }

  #respond(
    exchange: Exchange,
    slot: RenderSlot,
    parts: RenderedParts,
    caller: EvaluationContext,
    nowMs: number,
  ): void {
    this.#metrics.rulesMissed += parts.missed.length;
    if (caller.lacksUtcOffset) this.#metrics.utcOffsetsMissing += 1;
    const { bytes, coding } = responseBytes(slot, parts, caller);
    exchange.respond(bytes, coding, '');
    if (slot.counted !== null) slot.counted.count(caller, nowMs);
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #many(exchange: Exchange, query: CombineQuery, caller: EvaluationContext, again: boolean): void {
    const nowMs = this.#clock.wallMs(exchange.choosingAtMs);
    const form = query.dynamic ? (query.serialized ? Form.Serialized : Form.Wrapped) : Form.Plain;
    const coding = gzipOrNone(exchange.accepts);
    const isBehind = this.limitWork(exchange, caller);
    const { contents } = query;
    const { environment } = exchange;
    const slots: (RenderSlot | null)[] = [];
    for (let at = 0; at < contents.length; at += 1) {
      const state = environment?.content(contents[at] as string)?.stateFor(caller) ?? null;
      slots.push(state === null ? null : state.slot(caller, form, coding, nowMs));
      if (!caller.isOverworked) continue;
      exchange.reject(overworked(isBehind));
      return;
    }
    gatherBodies(this.#renderer, {
      exchange,
      slots,
      nowMs,
      onFound: (found) => {
        if (this.isStillAdmitted(exchange))
          this.#respondMany(exchange, query, caller, coding, found, nowMs);
        else exchange.reject(problems.keyInvalid);
      },
      onPassed: () => {
        if (again) this.#many(exchange, query, caller, false);
        else exchange.reject(problems.internal);
      },
      onFailed: (problem) => exchange.reject(problem),
    });
  }

  #respondMany(
    exchange: Exchange,
    query: CombineQuery,
    caller: EvaluationContext,
    coding: Coding,
    found: readonly Found[],
    nowMs: number,
  ): void {
    for (const { parts } of found) {
      if (parts !== null) this.#metrics.rulesMissed += parts.missed.length;
    }
    if (caller.lacksUtcOffset) this.#metrics.utcOffsetsMissing += 1;
    const entries = entriesOf(query, found);
    const packed = coding === Coding.Gzip && isWorthGzip(entries, caller);
    const bytes = (packed ? combineGzip : combine)(entries, caller, this.#combineBytesMax);
    if (bytes === null) {
      exchange.reject(problems.combineTooLarge);
      return;
    }
    exchange.respond(bytes, packed ? Coding.Gzip : Coding.Identity, '');
    countAll(found, caller, nowMs);
  }
}

/** Whether a response has 1 KiB or more, and not all of its bodies are fresh variants that nothing has compressed yet. */
export function isWorthGzip(entries: readonly CombinedEntry[], caller: EvaluationContext): boolean {
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
export function overworked(isBehind: boolean): Problem {
  return isBehind ? problems.overloaded : problems.contextOverworked;
}

/** One entry for each spelling; one that is only a message stands in the name's place. */
function entriesOf(query: CombineQuery, found: readonly Found[]): CombinedEntry[] {
  const { ids, names, contentOf } = query;
  const entries: CombinedEntry[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    const { slot, parts } = found[contentOf[at] as number] as Found;
    const name = names[at] as Uint8Array;
    if (slot !== null && parts !== null) {
      entries.push({ name, slot, parts, suffix: suffixOf(slot, parts) });
      continue;
    }
    const message = Buffer.from(failedValue(ids[at] as string));
    entries.push({ name: Buffer.concat([name, message]), slot: null, parts: null, suffix: null });
  }
  return entries;
}
