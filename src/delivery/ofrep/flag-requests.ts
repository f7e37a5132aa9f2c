/** Responds to OFREP evaluations of a single flag: select, render, find the value, and keep what was found. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { contentIdOf, pointerOf } from '../../content/flags/flag-key.js';
import { type FlagDocument, locateFlag } from '../../content/flags/locate-flag.js';
import type { JsonPointer } from '../../content/mutation/json-pointer.js';
import type { Clock } from '../clock.js';
import { gzipOrNone } from '../http/accept-encoding.js';
import { type ContentRequests, overworked } from '../http/content-requests.js';
import type { Exchange } from '../http/exchange.js';
import { flagKeyCharactersMax, gzipBytesMin } from '../limits.js';
import type { Metrics } from '../metrics.js';
import { Problem, problems } from '../problems.js';
import { FlagMiss, type FlagResponse, makeFlagResponse } from '../render/flag-response.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, Form, type RenderedParts } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';
import type { BodyIndexes } from './body-indexes.js';
import type { FlagResponses } from './flag-responses.js';
import { flagNotFound, targetingKeyMissing } from './ofrep-errors.js';

export interface FlagRequestsParts {
  readonly requests: ContentRequests;
  readonly renderer: Renderer;
  readonly indexes: BodyIndexes;
  readonly responses: FlagResponses;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

export class FlagRequests {
  readonly #parts: FlagRequestsParts;

  constructor(parts: FlagRequestsParts) {
    this.#parts = parts;
  }

  /** @param key as the client wrote it, decoded */
  respond(exchange: Exchange, key: string, caller: EvaluationContext): void {
    if (exchange.sequenceMin < 0) this.#choose(exchange, key, caller, true);
    else this.#parts.requests.inSequence(exchange, () => this.#choose(exchange, key, caller, true));
  }

  /** @param again whether to choose once more when an edit has passed the choice */
  #choose(exchange: Exchange, key: string, caller: EvaluationContext, again: boolean): void {
    const { requests, responses, clock, metrics } = this.#parts;
    const nowMs = clock.wallMs(exchange.choosingAtMs);
    const isBehind = requests.limitWork(exchange, caller);
    const isKey = key.length <= flagKeyCharactersMax;
    const content = isKey ? exchange.environment?.content(contentIdOf(key)) : undefined;
    const state = content?.stateFor(caller) ?? null;
    if (state === null) {
      exchange.reject(flagNotFound(key, reasonWithoutContent(key)));
      return;
    }
    const slot = state.slot(caller, Form.Wrapped, Coding.Identity, nowMs);
    const isMissing = state.isKeyMissing(caller, slot, nowMs);
    if (slot === null || caller.isOverworked) {
      if (caller.isOverworked) exchange.reject(overworked(isBehind));
      else exchange.reject(flagNotFound(key, noVersionLine));
      return;
    }
    if (isMissing) {
      exchange.reject(targetingKeyMissing(key));
      return;
    }
    if (caller.lacksUtcOffset && again) metrics.utcOffsetsMissing += 1;
    const known = responses.find(slot, key, nowMs);
    if (known !== undefined) {
      exchange.prompt = exchange.corked;
      if (known instanceof FlagMiss) exchange.reject(known.problem);
      else this.#send({ exchange, slot, caller, nowMs }, known);
      return;
    }
    const pointer = pointerOf(key);
    if (typeof pointer === 'string') exchange.reject(flagNotFound(key, pointer));
    else this.#render({ exchange, key, pointer, slot, caller, nowMs, again });
  }

  #render(call: FlagCall): void {
    const { exchange, slot, caller, nowMs } = call;
    const { renderer } = this.#parts;
    const cached = renderer.cached(slot, nowMs);
    const parts = cached ?? renderer.choose(slot, caller, nowMs).parts;
    if (parts !== null) {
      if (parts instanceof Problem) exchange.reject(parts);
      else this.#index(call, parts);
      return;
    }
    renderer.render(slot, (rendered) =>
      exchange.goOn(() => {
        if (rendered instanceof Problem) exchange.reject(rendered);
        else if (rendered !== null) this.#index(call, rendered);
        else if (call.again) this.#again(call);
        else exchange.reject(problems.internal);
      }),
    );
  }

  #again({ exchange, key, caller }: FlagCall): void {
    if (this.#parts.requests.isStillAdmitted(exchange)) this.#choose(exchange, key, caller, false);
    else exchange.reject(problems.keyInvalid);
  }

  #index(call: FlagCall, parts: RenderedParts): void {
    const { exchange, slot } = call;
    const { indexes } = this.#parts;
    const { missed } = parts;
    const document = indexes.document(slot, parts);
    if (document !== null) {
      this.#respond(call, missed, document);
      return;
    }
    indexes.indexed(slot, parts, (indexed) =>
      exchange.goOn(() => {
        if (indexed instanceof Problem) exchange.reject(indexed);
        else this.#respond(call, missed, indexed);
      }),
    );
  }

  #respond(call: FlagCall, missed: readonly number[], document: FlagDocument): void {
    const { exchange, key, pointer, slot } = call;
    const { requests, responses } = this.#parts;
    if (!requests.isStillAdmitted(exchange)) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const range = locateFlag(document, pointer);
    if (typeof range === 'string') {
      const problem = flagNotFound(key, range);
      responses.keepMiss(slot, key, problem);
      exchange.reject(problem);
      return;
    }
    const response = makeFlagResponse(key, slot, missed, document, range);
    responses.keep(slot, response);
    this.#send(call, response);
  }

  #send({ exchange, slot, caller, nowMs }: Delivery, response: FlagResponse): void {
    const { bytes, packed } = response;
    slot.counted?.count(caller, nowMs);
    this.#parts.metrics.rulesMissed += response.rulesMissed;
    if (bytes.byteLength < gzipBytesMin || gzipOrNone(exchange.accepts) === Coding.Identity) {
      exchange.respond(bytes, Coding.Identity, '');
      return;
    }
    if (packed === null) this.#parts.responses.pack(slot, response);
    exchange.respond(packed ?? bytes, packed === null ? Coding.Identity : Coding.Gzip, '');
  }
}

/** Who is given a flag of which body. */
interface Delivery {
  readonly exchange: Exchange;
  readonly slot: RenderSlot;
  readonly caller: EvaluationContext;
  /** The moment that it is chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
}

interface FlagCall extends Delivery {
  readonly key: string;
  readonly pointer: JsonPointer;
  readonly again: boolean;
}

export const noVersionLine = 'The content item has no version line for this app version.';

function reasonWithoutContent(key: string): string {
  if (key === '') {
    return 'The flag key is empty: it is the id of a content item, perhaps followed by a JSON Pointer.';
  }
  if (key.length > flagKeyCharactersMax) {
    return `The flag key has more than ${flagKeyCharactersMax} characters.`;
  }
  return "No published content item of this key's environment has the id that the flag key begins with.";
}
