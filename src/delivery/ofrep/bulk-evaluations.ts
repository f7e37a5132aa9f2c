/**
 * Makes the items of bulk evaluations: flag after flag, in short turns of the event loop, and within a number of bytes that
 * is counted before anything is copied. Bodies are rendered and indexed a few at a time.
 */
import { pointerOf } from '../../content/flags/flag-key.js';
import { type FlagDocument, locateFlag } from '../../content/flags/locate-flag.js';
import { gatherBodies } from '../http/body-gathering.js';
import type { ContentRequests } from '../http/content-requests.js';
import type { Exchange } from '../http/exchange.js';
import { bulksUnderWayBytesMax } from '../limits.js';
import { Problem, problems } from '../problems.js';
import { FlagMiss, makeFlagResponse } from '../render/flag-response.js';
import { RenderSlot } from '../render/render-slot.js';
import type { Renderer } from '../render/renderer.js';
import type { BodyIndexes } from './body-indexes.js';
import type { BulkChoice, ChosenContent } from './bulk-choice.js';
import { BulkMaking, type BulkOutcome } from './bulk-making.js';
import type { FlagResponses } from './flag-responses.js';
import { flagNotFound, flagsTooLarge } from './ofrep-errors.js';

export interface BulkEvaluationsParts {
  readonly requests: Pick<ContentRequests, 'isStillAdmitted'>;
  readonly renderer: Renderer;
  readonly indexes: BodyIndexes;
  readonly responses: FlagResponses;
  /** The most that the flags of one may have together: --combine-bytes-max. */
  readonly bytesMax: number;
}

export class BulkEvaluations {
  readonly #parts: BulkEvaluationsParts;
  /** Those that go on in a later turn, and some that have ended since. */
  readonly #waiting = new Set<BulkMaking>();

  constructor(parts: BulkEvaluationsParts) {
    this.#parts = parts;
  }

  /** @param nowMs the moment that was chosen for, milliseconds since the epoch */
  start(exchange: Exchange, choice: BulkChoice, nowMs: number, outcome: BulkOutcome): void {
    this.#run(new BulkMaking(exchange, choice.contents, nowMs, outcome));
  }

  /** Goes on until the turn is over, a body is needed, or all is made. */
  #run(making: BulkMaking): void {
    for (let chosen = making.chosen; chosen !== undefined; chosen = making.chosen) {
      const item = this.#known(making, chosen) ?? this.#evaluated(making, chosen);
      if (item === null) return;
      if (item instanceof Problem || !this.#add(making, item)) {
        this.#fail(making, item instanceof Problem ? item : flagsTooLarge(this.#parts.bytesMax));
        return;
      }
      if (making.chosen === undefined || performance.now() < making.untilMs) continue;
      making.letGo();
      if (this.#mayWait(making)) setImmediate(() => this.#goOn(making));
      return;
    }
    this.#waiting.delete(making);
    making.outcome.onMade(making.items);
  }

  /** In a later turn. */
  #goOn(making: BulkMaking): void {
    const { exchange } = making;
    exchange.goOn(() => {
      making.beginTurn();
      if (this.#parts.requests.isStillAdmitted(exchange)) this.#run(making);
      else this.#fail(making, problems.keyInvalid);
    });
  }

  /** Counts an item. @returns false when it is one too many */
  #add(making: BulkMaking, item: Uint8Array): boolean {
    making.add(item);
    return making.bytes <= this.#parts.bytesMax;
  }

  /** What is known of the flag at hand without its body. */
  #known({ flag, nowMs }: BulkMaking, { content, slot }: ChosenContent): Uint8Array | null {
    const key = content.id + flag;
    if (!(slot instanceof RenderSlot)) return slot(key).body;
    const kept = this.#parts.responses.find(slot, key, nowMs);
    if (kept === undefined) return null;
    return kept instanceof FlagMiss ? kept.problem.body : kept.bytes;
  }

  /** The same with its body. @returns null when that is not at hand: the evaluation goes on when it is */
  #evaluated(making: BulkMaking, { content, slot }: ChosenContent): Uint8Array | Problem | null {
    const { responses, bytesMax } = this.#parts;
    const document = making.document ?? this.#document(making, slot as RenderSlot);
    if (document === null) return null;
    const key = content.id + making.flag;
    const pointer = pointerOf(key);
    const range = typeof pointer === 'string' ? pointer : locateFlag(document, pointer);
    if (typeof range === 'string') {
      const problem = flagNotFound(key, range);
      responses.keepMiss(slot as RenderSlot, key, problem);
      return problem.body;
    }
    if (making.bytes + range.end - range.start > bytesMax) return flagsTooLarge(bytesMax);
    const made = makeFlagResponse(key, slot as RenderSlot, making.missed, document, range);
    responses.keep(slot as RenderSlot, made);
    return made.bytes;
  }

  /** The document of the content item at hand. @returns null when it must be waited for */
  #document(making: BulkMaking, slot: RenderSlot): FlagDocument | null {
    const parts = making.found?.parts ?? null;
    if (parts === null) {
      this.#gather(making);
      return null;
    }
    making.missed = parts.missed;
    making.document = this.#parts.indexes.document(slot, parts);
    if (making.document === null && this.#mayWait(making)) {
      making.letGo();
      this.#parts.indexes.indexed(slot, parts, (indexed) => {
        if (indexed instanceof Problem) {
          making.exchange.goOn(() => this.#fail(making, indexed));
          return;
        }
        making.own(indexed);
        this.#goOn(making);
      });
    }
    return making.document;
  }

  /** Finds or makes the next bodies that are needed, then goes on. */
  #gather(making: BulkMaking): void {
    if (!this.#mayWait(making)) return;
    const { exchange, nowMs, outcome } = making;
    let isLater = false;
    gatherBodies(this.#parts.renderer, {
      ...{ exchange, nowMs },
      slots: making.slotsNeeded(),
      onFound: (found) => {
        making.receive(found);
        if (isLater) this.#goOn(making);
        else this.#run(making);
      },
      onPassed: () => {
        this.#waiting.delete(making);
        outcome.onPassed();
      },
      onFailed: (problem) => this.#fail(making, problem),
    });
    isLater = true;
  }

  /** Whether one may hold what it has until a later turn; it is rejected otherwise. */
  #mayWait(making: BulkMaking): boolean {
    this.#waiting.add(making);
    let bytes = 0;
    for (const one of this.#waiting) {
      if (one.exchange.ended) this.#waiting.delete(one);
      else bytes += one.heldBytes;
    }
    if (bytes <= bulksUnderWayBytesMax) return true;
    this.#fail(making, problems.overloaded);
    return false;
  }

  #fail(making: BulkMaking, problem: Problem): void {
    this.#waiting.delete(making);
    making.outcome.onFailed(problem);
  }
}
