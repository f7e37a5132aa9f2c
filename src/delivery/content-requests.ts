/** Answers content requests whose body has been read: select, render, respond. */
import type { Caller } from '../content/caller.js';
import { type CombinedEntry, combine, failedEntry } from './combine.js';
import type { Exchange } from './exchange.js';
import { gzipWithTail } from './gzip.js';
import { combineBytesMax, gzipBytesMin, sequenceWaitMsMax } from './limits.js';
import type { Measures } from './measures.js';
import type { CombineQuery } from './query.js';
import { Refusal, refusals } from './refusals.js';
import { Form, wrapperFoot, wrapperHead } from './render-task.js';
import type { Rendered, Renderer } from './renderer.js';
import type { SequenceWaits } from './sequence-waits.js';
import type { Choice } from './served-content.js';

export class ContentRequests {
  readonly #renderer: Renderer;
  readonly #sequences: SequenceWaits;
  readonly #measures: Measures;
  readonly #now: () => number;

  constructor(renderer: Renderer, sequences: SequenceWaits, measures: Measures, now: () => number) {
    this.#renderer = renderer;
    this.#sequences = sequences;
    this.#measures = measures;
    this.#now = now;
  }

  /** Endpoints 1 and 2. */
  answerOne(exchange: Exchange, id: string, caller: Caller, form: Form): void {
    this.#inSequence(exchange, () => {
      this.#one(exchange, id, caller, form, true);
    });
  }

  /** Endpoint 3. */
  answerMany(exchange: Exchange, query: CombineQuery, caller: Caller): void {
    this.#inSequence(exchange, () => {
      this.#many(exchange, query, caller, true);
    });
  }

  #inSequence(exchange: Exchange, answer: () => void): void {
    if (exchange.sequenceMin < 0) {
      answer();
      return;
    }
    this.#sequences.wait(exchange.sequenceMin, sequenceWaitMsMax, (sequence) => {
      if (exchange.ended) return;
      exchange.sequence = sequence;
      if (sequence < exchange.sequenceMin) exchange.refuse(refusals.sequenceNotReached);
      else answer();
    });
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #one(exchange: Exchange, id: string, caller: Caller, form: Form, again: boolean): void {
    const choice = this.#choose(exchange, id, caller, form !== Form.Plain);
    if (choice === null) {
      exchange.refuse(refusals.contentUnknown);
      return;
    }
    const key = choice.content.renderKey(choice, form, exchange.gzip);
    const cached = this.#renderer.cached(key);
    if (cached !== undefined) {
      this.#respond(exchange, choice, caller, form, cached);
      return;
    }
    const task = choice.content.renderTask(choice, form, exchange.gzip);
    this.#renderer.render(key, task, choice.bytes, (rendered) => {
      if (exchange.ended) return;
      if (rendered instanceof Refusal) exchange.refuse(rendered);
      else if (rendered !== null) this.#respond(exchange, choice, caller, form, rendered);
      else if (again) this.#one(exchange, id, caller, form, false);
      else exchange.refuse(refusals.internal);
    });
  }

  #choose(exchange: Exchange, id: string, caller: Caller, wrapped: boolean): Choice | null {
    const content = exchange.environment?.content(id);
    return content?.choose(caller, wrapped, this.#now()) ?? null;
  }

  #respond(
    exchange: Exchange,
    choice: Choice,
    caller: Caller,
    form: Form,
    rendered: Rendered,
  ): void {
    if (form === Form.Plain) {
      const { bytes, deflated, bytesLength } = rendered;
      const encoded = deflated !== null && (bytes === null || bytesLength >= gzipBytesMin);
      exchange.answer((encoded ? deflated : bytes) as Uint8Array, encoded);
      return;
    }
    const tail = this.#tail(choice, caller, rendered);
    const { bytes, deflated, crc, bytesLength } = rendered;
    if (deflated !== null && bytesLength + tail.byteLength >= gzipBytesMin) {
      exchange.answer(gzipWithTail(deflated, crc, bytesLength, tail), true);
      return;
    }
    exchange.answer(joined(bytes as Uint8Array, tail), false);
  }

  /** What follows the cached bytes of a wrapped body, which end in `"meta":{"uid":`. */
  #tail(choice: Choice, caller: Caller, rendered: Rendered): Uint8Array {
    const { selection } = choice;
    const { missed } = rendered;
    let seg = '[]';
    if (selection !== null) {
      this.#measures.rulesMissed += missed.length;
      seg = missed.length === 0 ? selection.segJson : selection.segJsonWithout(missed);
    }
    return Buffer.from(`${caller.uid},"mod":${caller.mod},"seg":${seg}}}`);
  }

  #many(exchange: Exchange, query: CombineQuery, caller: Caller, again: boolean): void {
    const form = query.serialized ? Form.Serialized : Form.Wrapped;
    const choices = query.ids.map((id) => this.#choose(exchange, id, caller, query.dynamic));
    const rendered: (Rendered | null)[] = choices.map(() => null);
    let waiting = 1;
    let failed: Refusal | null = null;
    let passed = false;
    const done = (): void => {
      waiting -= 1;
      if (waiting > 0 || exchange.ended) return;
      if (failed !== null) exchange.refuse(failed);
      else if (passed && again) this.#many(exchange, query, caller, false);
      else if (passed) exchange.refuse(refusals.internal);
      else this.#respondMany(exchange, query, caller, choices, rendered);
    };
    for (let at = 0; at < choices.length; at += 1) {
      const choice = choices[at] ?? null;
      if (choice === null) continue;
      const key = choice.content.renderKey(choice, form, false);
      rendered[at] = this.#renderer.cached(key) ?? null;
      if (rendered[at] !== null) continue;
      waiting += 1;
      const task = choice.content.renderTask(choice, form, false);
      this.#renderer.render(key, task, choice.bytes, (result) => {
        if (result instanceof Refusal) failed = result;
        else if (result === null) passed = true;
        else rendered[at] = result;
        done();
      });
    }
    done();
  }

  #respondMany(
    exchange: Exchange,
    query: CombineQuery,
    caller: Caller,
    choices: readonly (Choice | null)[],
    rendered: readonly (Rendered | null)[],
  ): void {
    const entries: CombinedEntry[] = query.ids.map((id, at) => {
      const choice = choices[at] ?? null;
      const body = rendered[at] ?? null;
      if (choice === null || body === null || body.bytes === null) return failedEntry(id);
      if (query.dynamic) return { id, pieces: [body.bytes, this.#tail(choice, caller, body)] };
      return { id, pieces: [dataOf(body.bytes, choice.line.hash)] };
    });
    const bytes = combine(entries, combineBytesMax);
    if (bytes === null) {
      exchange.refuse(refusals.combineTooLarge);
      return;
    }
    if (!exchange.gzip || bytes.byteLength < gzipBytesMin) {
      exchange.answer(bytes, false);
      return;
    }
    this.#renderer.gzip(bytes).then(
      (compressed) => exchange.answer(compressed, true),
      () => exchange.answer(bytes, false),
    );
  }
}

/** The content itself out of a wrapped body. */
function dataOf(wrapped: Uint8Array, hash: string): Uint8Array {
  return wrapped.subarray(wrapperHead.length, wrapped.byteLength - wrapperFoot(hash).length);
}

function joined(bytes: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = Buffer.allocUnsafe(bytes.byteLength + tail.byteLength);
  whole.set(bytes, 0);
  whole.set(tail, bytes.byteLength);
  return whole;
}
