/**
 * A content as the request path needs it: its lines, and its mapping ready to select with. Pure: no clock, no I/O, no
 * randomness; the same plan, caller and time select the same for ever.
 */

import { bucketOf } from './bucket.js';
import type { Condition } from './condition/condition.js';
import type { EvaluationContext } from './evaluation-context.js';
import {
  characterWork,
  ruleWork,
  selectionWork,
  shortTextUnits,
  spend,
  testWork,
} from './evaluation-work.js';
import { behindLayers, type Layers, noLayers } from './layers.js';
import { planSelectionsBytesMax } from './mapping/mapping-limits.js';
import type { Rule, Variant } from './mapping/rule.js';
import { isOpen, nextEdgeAnywhereMs, nextEdgeForMs } from './mapping/window.js';
import { NOT_APPLIED, type Selection } from './selection.js';
import { SelectionBudget } from './selection-budget.js';
import { SelectionTable } from './selection-table.js';
import { compareVersions, type Version } from './version.js';

export type { Selection } from './selection.js';

/** One app-version line. */
export interface PlanLine {
  /** The lowest app version that is given this line. */
  readonly version: Version;
  readonly versionText: string;
  /** SHA-256 of the delivered JSON. */
  readonly digest: string;
  /** The hash that clients see (`hash.ts`). */
  readonly hash: string;
}

/** `Line`: what a line carries beside what the plan needs. */
export class ContentPlan<Line extends PlanLine = PlanLine> {
  readonly id: string;
  /** Ascending by version. */
  readonly lines: readonly Line[];
  /** A mapping is attached: segmentation or A/B tests may be active. */
  readonly dynamic: boolean;
  /** Saved segments that rules name and the environment does not have. Such a rule never applies. */
  readonly missingSegments: readonly string[];
  /** A rule begins or ends at some instant: the clock alone can change what is selected. */
  readonly hasWindows: boolean;
  /** What `select` and `changesAtMs` cost for ordinary attributes the first time, estimated nanoseconds. */
  readonly ordinaryWork: number;
  readonly #rules: readonly Rule[];
  /** Per rule, its own condition or the saved one, behind its layer and the holdout. */
  readonly #conditions: readonly Condition[];
  /** No rule repeats or is in local time: each is open between two instants, which `select` compares itself. */
  readonly #hasPlainWindows: boolean;
  readonly #selections: SelectionTable;
  /** `nextEdgeMs` as it was found last, and the time from which on it holds. */
  #edgeFoundMs = Number.POSITIVE_INFINITY;
  #edgeMs = Number.NEGATIVE_INFINITY;

  /**
   * @param selections what it may remember; a budget of its own unless several plans share one
   * @param layers of the environment; a rule of another layer never applies
   */
  constructor(
    id: string,
    lines: readonly Line[],
    rules: readonly Rule[],
    savedCondition: (segment: string) => Condition | undefined,
    selections: SelectionBudget = new SelectionBudget(planSelectionsBytesMax, false),
    layers: Layers = noLayers,
  ) {
    this.id = id;
    this.lines = lines.toSorted((a, b) => compareVersions(a.version, b.version));
    this.dynamic = rules.length > 0;
    const missing = new Set<string>();
    this.#rules = rules;
    this.#conditions = rules.map((rule) => {
      const condition = rule.condition ?? savedCondition(rule.segment);
      if (condition === undefined) missing.add(rule.segment);
      return condition === undefined ? never : behindLayers(rule, layers, condition);
    });
    this.missingSegments = [...missing];
    this.ordinaryWork = ordinaryWorkOf(rules);
    this.#hasPlainWindows = rules.every(({ isLocal, repeat }) => !isLocal && repeat === null);
    this.hasWindows =
      !this.#hasPlainWindows ||
      rules.some(({ fromMs, untilMs }) => Number.isFinite(fromMs) || Number.isFinite(untilMs));
    this.#selections = new SelectionTable(rules, selections);
  }

  /**
   * The line with the highest minimum that is not above `version`; null when every minimum is. `NO_VERSION` is above
   * them all and gets the highest line.
   */
  line(version: Version): Line | null {
    const lines = this.lines;
    for (let i = lines.length - 1; i >= 0; i--) {
      const line = lines[i] as Line;
      if (compareVersions(line.version, version) <= 0) return line;
    }
    return null;
  }

  /** Gives what it remembers back to the budget: another plan takes its place. */
  release(): void {
    this.#selections.release();
  }

  /**
   * Which rules apply to the caller at `nowMs` (milliseconds since the epoch). Allocates only what is new to the plan.
   * @returns null when the rules needed more work than the caller may cause (`caller.isOverworked`)
   */
  select(caller: EvaluationContext, nowMs: number): Selection | null {
    const rules = this.#rules;
    const conditions = this.#conditions;
    const choices = this.#selections.choices;
    const isPlain = this.#hasPlainWindows;
    caller.workLeft -= rules.length * ruleWork;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i] as Rule;
      const open = isPlain
        ? rule.fromMs <= nowMs && nowMs < rule.untilMs
        : isOpen(rule, caller, nowMs);
      const applies = open && (conditions[i] as Condition)(caller);
      choices[i] = applies ? choose(rule, caller) : NOT_APPLIED;
      // Once it is used up, nothing that takes long is done any more: rules of plain tests may end by the dozen.
      if ((i & 15) === 15 && caller.workLeft < 0) return null;
    }
    return caller.workLeft < 0 ? null : this.#selections.find(caller);
  }

  /**
   * Whether `select` assigns a variant to the caller: a rule with variants is open, and its condition holds. A caller without
   * a user id is in bucket 0 of each such rule, and in no layer. Where `caller.isOverworked` afterwards, the result does not count.
   */
  assignsVariant(caller: EvaluationContext, nowMs: number): boolean {
    for (const [at, rule] of this.#rules.entries()) {
      if (rule.variants === null || !isOpen(rule, caller, nowMs)) continue;
      if (!spend(caller, ruleWork)) return false;
      if ((this.#conditions[at] as Condition)(caller)) return true;
    }
    return false;
  }

  /**
   * The first instant after `nowMs` at which the clock alone changes what is selected for the caller, milliseconds since
   * the epoch; Infinity when none does. The edge of a window counts only if its rule applies to the caller while open.
   * Where `caller.isOverworked` afterwards, the result does not count.
   * @param countsVariants whether a rule with variants counts too that has none for the caller (`assignsVariant`)
   */
  changesAtMs(caller: EvaluationContext, nowMs: number, countsVariants = false): number {
    const isPlain = this.#hasPlainWindows;
    let first = Number.POSITIVE_INFINITY;
    for (const [at, rule] of this.#rules.entries()) {
      const edge = isPlain
        ? nowMs < rule.fromMs
          ? rule.fromMs
          : rule.untilMs
        : nextEdgeForMs(rule, caller, nowMs);
      if (edge <= nowMs || edge >= first) continue;
      if (!spend(caller, ruleWork)) return first;
      const applies = (this.#conditions[at] as Condition)(caller);
      if (!applies) continue;
      if (choose(rule, caller) !== NOT_APPLIED || (countsVariants && rule.variants !== null)) {
        first = edge;
      }
    }
    return first;
  }

  /**
   * The first instant after `nowMs` at which a rule begins or ends for anybody, milliseconds since the epoch, or Infinity. See
   * `nextEdgeAnywhereMs` for rules in local time.
   */
  nextEdgeMs(nowMs: number): number {
    if (this.#edgeFoundMs <= nowMs && nowMs < this.#edgeMs) return this.#edgeMs;
    let first = Number.POSITIVE_INFINITY;
    for (const rule of this.#rules) first = Math.min(first, nextEdgeAnywhereMs(rule, nowMs));
    this.#edgeFoundMs = nowMs;
    this.#edgeMs = first;
    return first;
  }
}

/** A few tests for each rule, twice, and a selection that is made for the first time, with its text. */
function ordinaryWorkOf(rules: readonly Rule[]): number {
  let work = selectionWork;
  for (const { segment, info } of rules) {
    work += 2 * (ruleWork + 4 * testWork) + segment.length + (info?.length ?? 0) + 100;
  }
  return work;
}

const never: Condition = () => false;

/** What a rule that applies does for the caller. */
function choose(rule: Rule, caller: EvaluationContext): number {
  const variants = rule.variants;
  if (variants === null) return 0;
  if (rule.salt !== null && caller.u.length > shortTextUnits) {
    if (!spend(caller, caller.u.length * characterWork)) return NOT_APPLIED;
  }
  const bucket = bucketOf(rule.salt, caller);
  for (let i = 0; i < variants.length; i++) {
    const variant = variants[i] as Variant;
    if (variant.from <= bucket && bucket <= variant.to) return i;
  }
  return NOT_APPLIED;
}
