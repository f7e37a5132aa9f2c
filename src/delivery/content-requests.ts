/** Answers content requests whose body has been read: select, render, respond. */
import type { Caller } from '../content/caller.js';
import { anyCoding, gzipOrNone } from './accept-encoding.js';
import { answerBytes } from './answers.js';
import type { ApiKeys } from './api-keys.js';
import type { Clock } from './clock.js';
import { type CombinedEntry, combine, combineGzip, failedValue } from './combine.js';
import type { Exchange } from './exchange.js';
import { combineBytesMax, gzipBytesMin, sequenceWaitMsMax } from './limits.js';
import type { Measures } from './measures.js';
import type { CombineQuery } from './query.js';
import { Refusal, refusals } from './refusals.js';
import type { RenderSlot } from './render-slot.js';
import { Coding, Form, type RenderedParts } from './render-task.js';
import type { Renderer } from './renderer.js';
import type { SequenceWaits } from './sequence-waits.js';

export class ContentRequests {
  readonly #keys: ApiKeys;
  readonly #renderer: Renderer;
  readonly #sequences: SequenceWaits;
  readonly #measures: Measures;
  readonly #clock: Clock;

  constructor(
    keys: ApiKeys,
    renderer: Renderer,
    sequences: SequenceWaits,
    measures: Measures,
    clock: Clock,
  ) {
    this.#keys = keys;
    this.#renderer = renderer;
    this.#sequences = sequences;
    this.#measures = measures;
    this.#clock = clock;
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
  answerOne(exchange: Exchange, id: string, caller: Caller, form: Form): void {
    if (exchange.sequenceMin < 0) this.#one(exchange, id, caller, form, true);
    else this.#inSequence(exchange, () => this.#one(exchange, id, caller, form, true));
  }

  /** Endpoint 3. */
  answerMany(exchange: Exchange, query: CombineQuery, caller: Caller): void {
    if (exchange.sequenceMin < 0) this.#many(exchange, query, caller, true);
    else this.#inSequence(exchange, () => this.#many(exchange, query, caller, true));
  }

  #inSequence(exchange: Exchange, answer: () => void): void {
    this.#sequences.wait(exchange.sequenceMin, sequenceWaitMsMax, (sequence, later) => {
      if (exchange.ended) return;
      exchange.sequence = sequence;
      if (later) exchange.corked = false;
      if (sequence < exchange.sequenceMin) exchange.refuse(refusals.sequenceNotReached);
      else if (!this.isStillAdmitted(exchange)) exchange.refuse(refusals.keyInvalid);
      else answer();
    });
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #one(exchange: Exchange, id: string, caller: Caller, form: Form, again: boolean): void {
    const nowMs = this.#clock.wallMs(exchange.choosingAtMs);
    const { accepts } = exchange;
    const coding = form === Form.Plain ? anyCoding(accepts) : gzipOrNone(accepts);
    const slot = exchange.environment?.content(id)?.slot(caller, form, coding, nowMs) ?? null;
    if (slot === null) {
      exchange.refuse(refusals.contentUnknown);
      return;
    }
    const cached = this.#renderer.cached(slot, nowMs);
    exchange.prompt = cached !== null && exchange.corked;
    const parts = cached ?? this.#renderer.spliced(slot);
    if (parts !== null) {
      if (parts instanceof Refusal) exchange.refuse(parts);
      else this.#respond(exchange, slot, parts, caller);
      return;
    }
    this.#renderer.render(slot, (rendered) => {
      if (exchange.ended) return;
      exchange.corked = false;
      if (rendered instanceof Refusal) exchange.refuse(rendered);
      else if (rendered !== null) this.#respond(exchange, slot, rendered, caller);
      else if (again) this.#one(exchange, id, caller, form, false);
      else exchange.refuse(refusals.internal);
    });
  }

  #respond(exchange: Exchange, slot: RenderSlot, parts: RenderedParts, caller: Caller): void {
    this.#measures.rulesMissed += parts.missed.length;
    const { bytes, coding } = answerBytes(slot, parts, caller);
    exchange.answer(bytes, coding, '');
  }

  #many(exchange: Exchange, query: CombineQuery, caller: Caller, again: boolean): void {
    const nowMs = this.#clock.wallMs(exchange.choosingAtMs);
    const form = query.dynamic ? (query.serialized ? Form.Serialized : Form.Wrapped) : Form.Plain;
    const coding = gzipOrNone(exchange.accepts);
    const { ids } = query;
    const entries: CombinedEntry[] = [];
    let waiting = 0;
    let failed: Refusal | null = null;
    let passed = false;
    const done = (): void => {
      waiting -= 1;
      if (waiting > 0 || exchange.ended) return;
      exchange.corked = false;
      if (failed !== null) exchange.refuse(failed);
      else if (!passed) this.#respondMany(exchange, entries, caller, coding);
      else if (again) this.#many(exchange, query, caller, false);
      else exchange.refuse(refusals.internal);
    };
    const { environment } = exchange;
    for (let at = 0; at < ids.length; at += 1) {
      const content = environment === null ? undefined : environment.content(ids[at] as string);
      const slot = content === undefined ? null : content.slot(caller, form, coding, nowMs);
      const name = query.names[at] as Uint8Array;
      if (slot === null) {
        entries.push(missing(query, at));
        continue;
      }
      const parts = this.#renderer.cached(slot, nowMs) ?? this.#renderer.spliced(slot);
      if (parts instanceof Refusal) {
        // Nobody waits for what the others may still ask of the pool.
        exchange.refuse(parts);
        return;
      }
      entries.push({ name, slot, parts });
      if (parts !== null) continue;
      waiting += 1;
      this.#renderer.render(slot, (rendered) => {
        if (rendered instanceof Refusal) failed = rendered;
        else if (rendered === null) passed = true;
        else entries[at] = { name, slot, parts: rendered };
        // Counted down in a turn of its own: this may be called before all the others have been asked for.
        queueMicrotask(done);
      });
    }
    if (waiting === 0) {
      this.#respondMany(exchange, entries, caller, coding);
      return;
    }
    // Bytes that were at hand may be another body's by the time the others are there.
    for (let at = 0; at < entries.length; at += 1)
      entries[at] = owned(entries[at] as CombinedEntry);
  }

  #respondMany(
    exchange: Exchange,
    entries: readonly CombinedEntry[],
    caller: Caller,
    coding: Coding,
  ): void {
    for (const { parts } of entries) {
      if (parts !== null) this.#measures.rulesMissed += parts.missed.length;
    }
    const packed = coding === Coding.Gzip && isWorthGzip(entries);
    const bytes = (packed ? combineGzip : combine)(entries, caller, combineBytesMax);
    if (bytes === null) exchange.refuse(refusals.combineTooLarge);
    else exchange.answer(bytes, packed ? Coding.Gzip : Coding.Identity, '');
  }
}

function isWorthGzip(entries: readonly CombinedEntry[]): boolean {
  let size = 2;
  for (const { name, parts } of entries) {
    if (parts !== null && parts.raw === null) return true;
    size += name.byteLength + (parts === null ? 0 : parts.rawLength);
  }
  return size >= gzipBytesMin;
}

/** The entry with bytes of its own. */
function owned(entry: CombinedEntry): CombinedEntry {
  const { parts } = entry;
  if (parts === null || parts.raw === null) return entry;
  return { ...entry, parts: { ...parts, raw: parts.raw.slice() } };
}

/** An entry that is only a message, all of it in the name's place. */
function missing(query: CombineQuery, at: number): CombinedEntry {
  const message = Buffer.from(failedValue(query.ids[at] as string));
  return {
    name: Buffer.concat([query.names[at] as Uint8Array, message]),
    slot: null,
    parts: null,
  };
}
