/**
 * What a content item delivers to some callers, live or as the candidate of a release: its plan, and a slot for every body
 * that was asked of it.
 */

import type { Condition } from '../../content/condition/condition.js';
import { ContentPlan, type PlanLine, type Selection } from '../../content/content-plan.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import { type Layers, type LayersChange, noLayers } from '../../content/layers.js';
import { usesChange } from '../../content/mapping/layer-uses.js';
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import type { SelectionBudget } from '../../content/selection-budget.js';
import { parseVersion } from '../../content/version.js';
import type { DeliveryRow } from '../../published/reader.js';
import type { PublishedLineRow } from '../../published/schema.js';
import {
  type ContentExperiments,
  type CountedRules,
  countedRulesOf,
} from '../experiments/counted-arms.js';
import { TailHead } from './caller-tail.js';
import { RenderSlot } from './render-slot.js';
import { Coding, Form } from './render-task.js';

/** A line with what rendering wants to know of it. */
export interface ServedLine extends PlanLine {
  /** Place among the content's lines. */
  readonly index: number;
  /** Length of the delivered JSON. */
  readonly bytes: number;
  /** The beginning of every tail: it has the hash. */
  readonly tailHead: TailHead;
}

const noRules: readonly Rule[] = [];
/** Forms times codings: slots of one line. */
const slotsPerLine = 9;
const codings = 3;

/** The saved condition of a segment, by its name. */
export type SavedCondition = (segment: string) => Condition | undefined;

export class ServedState {
  /** Of the content item. */
  readonly id: string;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
  #flagsDigest = '';
  #flagsTagWithoutKey = '';
  #flagsTagWithoutLine = '';
  readonly #plan: ContentPlan<ServedLine>;
  readonly #mappingDigest: string;
  readonly #rules: readonly Rule[];
  /** Null: no rule is part of an experiment that runs. */
  readonly #counted: CountedRules | null;
  /** Of plain delivery. Those of a selection are attached to it: one that is forgotten takes them along. */
  readonly #plainSlots: Slots = [];

  /**
   * @param budget what the selections of all contents may hold together
   * @param layers of the environment
   * @param experiments null: none runs
   * @throws when the mapping does not parse: management checks it, so the file is not what it wrote
   */
  constructor(
    id: string,
    row: DeliveryRow,
    savedCondition: SavedCondition,
    budget: SelectionBudget,
    layers: Layers = noLayers,
    experiments: ContentExperiments | null = null,
  ) {
    this.id = id;
    this.flags = row.flags;
    this.#mappingDigest = row.mappingDigest;
    this.#rules = row.mapping === null ? noRules : rulesOf(row.mapping);
    const lines = row.lines.map(servedLine);
    this.#plan = new ContentPlan(id, lines, this.#rules, savedCondition, budget, layers);
    this.#counted = experiments === null ? null : countedRulesOf(this.#rules, experiments);
  }

  /** It is served no longer: gives back what its selections hold. Requests under way go on with what they have. */
  release(): void {
    this.#plan.release();
  }

  /** A mapping is attached: what is delivered may depend on the caller. */
  get isDynamic(): boolean {
    return this.#plan.dynamic;
  }

  /**
   * What the flags that the content lists are of, for a caller: the same text as long as a bulk evaluation has the same for
   * them. '' when it lists none. Of no account where `caller.isOverworked` afterwards.
   */
  flagsTag(caller: EvaluationContext, nowMs: number): string {
    if (this.flags.length === 0) return '';
    const slot = this.slot(caller, Form.Wrapped, Coding.Identity, nowMs);
    return this.flagsTagOf(slot, this.isKeyMissing(caller, slot, nowMs));
  }

  /**
   * The same where the slot is known.
   * @param slot wrapped and without a coding; null: no version line admits the caller
   * @param isKeyMissing see `isKeyMissing`
   */
  flagsTagOf(slot: RenderSlot | null, isKeyMissing: boolean): string {
    if (slot !== null && !isKeyMissing) return slot.flagsTag(this.flagsDigest);
    if (this.#flagsTagWithoutKey === '') {
      this.#flagsTagWithoutKey = `${this.flagsDigest} key`;
      this.#flagsTagWithoutLine = `${this.flagsDigest} `;
    }
    return isKeyMissing ? this.#flagsTagWithoutKey : this.#flagsTagWithoutLine;
  }

  /** SHA-256 of the id, as it is written in the keys of flags, and of `flags`. */
  get flagsDigest(): string {
    if (this.#flagsDigest === '') {
      this.#flagsDigest = digestOf(JSON.stringify([this.id, ...this.flags]));
    }
    return this.#flagsDigest;
  }

  /** A variant is assigned to the caller, who has no targeting key to assign it by. */
  isKeyMissing(caller: EvaluationContext, slot: RenderSlot | null, nowMs: number): boolean {
    return caller.u === '' && slot !== null && this.assignsVariant(caller, nowMs);
  }

  /** See `ContentPlan.assignsVariant`. */
  assignsVariant(caller: EvaluationContext, nowMs: number): boolean {
    return this.#plan.assignsVariant(caller, nowMs);
  }

  /** See `ContentPlan.ordinaryWork`. */
  get ordinaryWork(): number {
    return this.#plan.ordinaryWork;
  }

  /** Some rule begins or ends at an instant: `changesAtMs` may be finite. */
  get hasWindows(): boolean {
    return this.#plan.hasWindows;
  }

  /** See `ContentPlan.changesAtMs`. */
  changesAtMs(caller: EvaluationContext, nowMs: number, countsVariants = false): number {
    return this.#plan.changesAtMs(caller, nowMs, countsVariants);
  }

  /** See `ContentPlan.nextEdgeMs`. */
  nextEdgeMs(nowMs: number): number {
    return this.#plan.nextEdgeMs(nowMs);
  }

  usesSegment(name: string): boolean {
    return this.#rules.some((rule) => rule.condition === null && rule.segment === name);
  }

  /** Whether a rule is behind a definition that differs between the two. */
  usesChange(change: LayersChange): boolean {
    return this.#rules.some((rule) => usesChange(rule, change));
  }

  /**
   * The body for a caller: the line for the app version and, in wrapped forms, what the mapping makes of it.
   * Null: no line admits the version, or the rules need too much work (`caller.isOverworked`). Allocates nothing for a
   * body that was asked for before, twice if it is a selection's: one that was seen once keeps no slot.
   */
  slot(caller: EvaluationContext, form: Form, coding: Coding, nowMs: number): RenderSlot | null {
    const line = this.#plan.line(caller.version);
    if (line === null) return null;
    let selection: Selection | null = null;
    if (form !== Form.Plain) {
      selection = this.#plan.select(caller, nowMs);
      if (selection === null) return null;
    }
    const slots = selection === null ? this.#plainSlots : (selection.attached as Slots | null);
    const at = line.index * slotsPerLine + form * codings + coding;
    const known = slots?.[at];
    if (known !== undefined) return known;
    const counted = selection === null ? null : (this.#counted?.of(selection.choices) ?? null);
    const slot = new RenderSlot(line, selection, this.#mappingDigest, form, coding, counted);
    if (selection === null) this.#plainSlots[at] = slot;
    else if (selection.isKept) attach(selection, slot, at, this.#plan.lines.length);
    return slot;
  }
}

/** By line, form and coding. */
type Slots = (RenderSlot | undefined)[];

function attach(selection: Selection, slot: RenderSlot, at: number, lines: number): void {
  let bytes = slot.bytes;
  if (selection.attached === null) {
    selection.attached = [] satisfies Slots;
    // An array that is written at an index has room up to there, and half as much again.
    bytes += 200 + 12 * slotsPerLine * lines;
  }
  (selection.attached as Slots)[at] = slot;
  selection.countAttached(bytes);
}

function rulesOf(mapping: Uint8Array): readonly Rule[] {
  const parsed = parseMapping(mapping);
  if (!parsed.ok) throw new Error('A published mapping does not parse.');
  return parsed.rules;
}

function servedLine(row: PublishedLineRow, index: number): ServedLine {
  const version = parseVersion(row.version);
  if (version === null) throw new Error('A published line has no valid version.');
  const { digest, hash, bytes } = row;
  const tailHead = new TailHead(hash);
  return { version, versionText: row.version, digest, hash, index, bytes, tailHead };
}
