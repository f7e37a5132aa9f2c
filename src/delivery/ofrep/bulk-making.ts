/** A bulk evaluation under way: which flags are made, which one is at hand, and what is held for it. */
import type { FlagDocument } from '../../content/flags/locate-flag.js';
import type { Found } from '../http/body-gathering.js';
import type { Exchange } from '../http/exchange.js';
import { bulkBodiesBytesMax, turnMsMax } from '../limits.js';
import type { Problem } from '../problems.js';
import { RenderSlot } from '../render/render-slot.js';
import type { ChosenContent } from './bulk-choice.js';

/** Exactly one of these is called, in this turn or a later one; none when the exchange ends before. */
export interface BulkOutcome {
  /** @param items each an evaluation, JSON */
  readonly onMade: (items: readonly Uint8Array[]) => void;
  /** An edit has passed the choice: what it chose is no longer published. */
  readonly onPassed: () => void;
  readonly onFailed: (problem: Problem) => void;
}

const noneFound: readonly Found[] = [];
const noneMissed: readonly number[] = [];

export class BulkMaking {
  readonly exchange: Exchange;
  readonly nowMs: number;
  readonly outcome: BulkOutcome;
  readonly items: Uint8Array[] = [];
  /** Of the items, with a comma each. */
  bytes = 0;
  /** When the turn is over; performance.now(). */
  untilMs = 0;
  /** Of the content item at hand: its document, and the rules that could not apply. */
  document: FlagDocument | null = null;
  missed: readonly number[] = noneMissed;
  readonly #contents: readonly ChosenContent[];
  /** The content item at hand, and its flag. */
  #at = 0;
  #flagAt = 0;
  /** The document's bytes hold beyond this turn. */
  #isOwned = false;
  /** Bodies, whose bytes hold for this turn, and the content item that the first is of. */
  #found: readonly Found[] = noneFound;
  #foundFrom = 0;
  #portionEnd = 0;

  constructor(
    exchange: Exchange,
    contents: readonly ChosenContent[],
    nowMs: number,
    outcome: BulkOutcome,
  ) {
    this.exchange = exchange;
    this.nowMs = nowMs;
    this.outcome = outcome;
    this.#contents = contents;
    this.beginTurn();
  }

  beginTurn(): void {
    this.untilMs = performance.now() + turnMsMax;
  }

  /** The content item at hand; undefined when all is made. */
  get chosen(): ChosenContent | undefined {
    return this.#contents[this.#at];
  }

  /** The flag at hand, a JSON Pointer. */
  get flag(): string {
    return this.chosen?.content.flags[this.#flagAt] as string;
  }

  get found(): Found | undefined {
    return this.#found[this.#at - this.#foundFrom];
  }

  get heldBytes(): number {
    return this.bytes + (this.#isOwned ? (this.document?.bytes.byteLength ?? 0) : 0);
  }

  /**
   * What bodies are gathered next, from the content item at hand on; null where none is needed. The list ends where it ended
   * when some of it was gathered before: what follows would have to be waited for.
   */
  slotsNeeded(): (RenderSlot | null)[] {
    if (this.#portionEnd <= this.#at) {
      let bytes = 0;
      this.#portionEnd = this.#at;
      while (bytes < bulkBodiesBytesMax && this.#portionEnd < this.#contents.length) {
        bytes += slotNeeded(this.#contents[this.#portionEnd] as ChosenContent)?.workBytes ?? 0;
        this.#portionEnd += 1;
      }
    }
    return this.#contents.slice(this.#at, this.#portionEnd).map(slotNeeded);
  }

  /** The bodies of `slotsNeeded`. */
  receive(found: readonly Found[]): void {
    this.#found = found;
    this.#foundFrom = this.#at;
  }

  own(document: FlagDocument): void {
    this.document = document;
    this.#isOwned = true;
  }

  /** The evaluation of the flag at hand. */
  add(item: Uint8Array): void {
    this.items.push(item);
    this.bytes += item.byteLength + 1;
    this.#flagAt += 1;
    if (this.#flagAt < (this.chosen?.content.flags.length ?? 0)) return;
    this.#at += 1;
    this.#flagAt = 0;
    this.document = null;
    this.#isOwned = false;
  }

  /** The turn ends: bodies that are needed later are looked for again. Only the document at hand is copied. */
  letGo(): void {
    this.#found = noneFound;
    if (this.document === null || this.#isOwned) return;
    this.own({ ...this.document, bytes: this.document.bytes.slice() });
  }
}

/** The body that a content item's flags are to be looked up in; null when all of them are known, or none can be evaluated. */
function slotNeeded({ content, slot }: ChosenContent): RenderSlot | null {
  if (!(slot instanceof RenderSlot)) return null;
  const { flags } = slot;
  const isNeeded = flags === null || content.flags.some((flag) => !flags.has(content.id + flag));
  return isNeeded ? slot : null;
}
