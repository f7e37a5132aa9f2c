/** What a mapping makes of one kind of caller: which rules applied, with which variants, and how that is reported. */

import { digestOf } from './hash.js';
import type { MutationSource, Rule, Variant } from './mapping/rule.js';
import type { KeptSelection, SelectionBudget } from './selection-budget.js';
import { type TaggedRule, tagOf } from './tag.js';

/** The choice of a rule that did not apply. */
export const NOT_APPLIED = -1;

/** A rule that applied. */
export interface AppliedRule {
  readonly segment: string;
  /** Name of the variant; null without variants. */
  readonly variant: string | null;
}

/** Shared: a plan hands the same one to every caller for whom it chooses the same. Immutable but for what is attached. */
export class Selection {
  /** Per rule: `NOT_APPLIED`, the index of the variant, or 0 for a rule that applied and has no variants. */
  readonly choices: readonly number[];
  /** In rule order, only of those that mutate. */
  readonly mutations: readonly MutationSource[];
  /** For each mutation, the rule it belongs to. */
  readonly rulesOfMutations: readonly number[];
  /** Equal for equal mutations in the same order, whatever content they are of; '' when nothing mutates. */
  readonly mutationsKey: string;
  /** What `mutations` are long together. */
  readonly mutationsBytes: number;
  /** The value of `meta.seg`: JSON text, one entry for each rule that applied, in rule order. */
  readonly segJson: string;
  /**
   * What the plan's user keeps with it; forgotten with it. A WeakMap instead costs each request and each collection.
   * Only where `isKept`, and each part is counted (`attach`).
   */
  attached: object | null = null;
  /** Where it is counted; null: its table does not remember it. */
  place: { readonly budget: SelectionBudget; readonly kept: KeptSelection } | null = null;
  readonly #rules: readonly Rule[];
  #whenForgotten: (() => void)[] | null = null;

  constructor(rules: readonly Rule[], choices: readonly number[]) {
    const mutations: MutationSource[] = [];
    const rulesOfMutations: number[] = [];
    for (const [index, rule] of rules.entries()) {
      const choice = choices[index] ?? NOT_APPLIED;
      if (choice === NOT_APPLIED) continue;
      const variant = rule.variants?.[choice] ?? null;
      const mutation = variant === null ? rule.mutation : variant.mutation;
      if (mutation === null) continue;
      mutations.push(mutation);
      rulesOfMutations.push(index);
    }
    this.choices = choices;
    this.mutations = mutations;
    this.rulesOfMutations = rulesOfMutations;
    this.mutationsKey = keyOf(mutations);
    this.mutationsBytes = mutations.reduce(
      (sum, { document }) => sum + document.bytes.byteLength,
      0,
    );
    this.#rules = rules;
    this.segJson = segList(rules, choices, noRules);
  }

  /** Roughly what it holds in memory: its text (two bytes a character, at worst), the lists, and its objects. */
  get bytes(): number {
    const listed = this.choices.length + 2 * this.mutations.length;
    return 640 + 2 * this.segJson.length + 8 * listed;
  }

  /** The next caller with the same choices receives this very object. */
  get isKept(): boolean {
    return this.place !== null;
  }

  /** Counts something of that many bytes that was put into `attached`. */
  countAttached(bytes: number): void {
    this.place?.budget.grow(this.place.kept, bytes);
  }

  /** Whether the next caller receives it still: it is kept, and neither an edit nor the budget has ended that. */
  get isRemembered(): boolean {
    return this.place !== null && !this.place.kept.isReleased;
  }

  /** Calls `forget` once, as soon as it is remembered no longer: for what is kept elsewhere on its account. */
  whenForgotten(forget: () => void): void {
    this.#whenForgotten ??= [];
    this.#whenForgotten.push(forget);
  }

  /** Called by the budget. */
  forgotten(): void {
    const all = this.#whenForgotten;
    if (all === null) return;
    this.#whenForgotten = null;
    for (const forget of all) forget();
  }

  /** The tag of what a caller of this selection is given of a version line (`tag.ts`). */
  tag(lineDigest: string): string {
    const selected: TaggedRule[] = [];
    for (let at = 0; at < this.choices.length; at++) {
      const choice = this.choices[at] ?? NOT_APPLIED;
      if (choice === NOT_APPLIED) continue;
      const rule = this.#rules[at] as Rule;
      const variant = rule.variants?.[choice] ?? null;
      const mutation = variant === null ? rule.mutation : variant.mutation;
      selected.push({ seg: segEntry(rule, variant), mutationDigest: mutation?.digest ?? '' });
    }
    return tagOf(lineDigest, selected);
  }

  /** Whether the plan has any rules. */
  get hasRules(): boolean {
    return this.#rules.length > 0;
  }

  /** The rules of `segJsonWithout(missed)`. */
  applied(missed: readonly number[]): AppliedRule[] {
    const without = this.#rulesWithout(missed);
    const applied: AppliedRule[] = [];
    for (const [at, rule] of this.#rules.entries()) {
      const choice = this.choices[at] ?? NOT_APPLIED;
      if (choice === NOT_APPLIED || without.has(at)) continue;
      applied.push({ segment: rule.segment, variant: rule.variants?.[choice]?.name ?? null });
    }
    return applied;
  }

  /** `segJson` without the rules whose mutation could not apply: `missed` has indexes into `mutations`. */
  segJsonWithout(missed: readonly number[]): string {
    if (missed.length === 0) return this.segJson;
    return segList(this.#rules, this.choices, this.#rulesWithout(missed));
  }

  /** Places of the rules that these mutations belong to. */
  #rulesWithout(missed: readonly number[]): ReadonlySet<number> {
    if (missed.length === 0) return noRules;
    return new Set(missed.map((index) => this.rulesOfMutations[index] as number));
  }
}

const noRules: ReadonlySet<number> = new Set();

/** One entry for each rule that applied; `without`: places of rules that are left out. */
function segList(
  rules: readonly Rule[],
  choices: readonly number[],
  without: ReadonlySet<number>,
): string {
  const entries: string[] = [];
  for (let at = 0; at < rules.length; at++) {
    const choice = choices[at] ?? NOT_APPLIED;
    if (choice === NOT_APPLIED || without.has(at)) continue;
    const rule = rules[at] as Rule;
    entries.push(segEntry(rule, rule.variants?.[choice] ?? null));
  }
  return `[${entries.join(',')}]`;
}

function segEntry(rule: Rule, variant: Variant | null): string {
  const info = infoOf(rule, variant);
  const member = info === null ? '' : `,"i":${JSON.stringify(info)}`;
  const name = JSON.stringify(variant?.name ?? null);
  return `{"n":${JSON.stringify(rule.segment)},"v":${name}${member}}`;
}

/** What is reported as `i`: a variant's own info wins over its rule's. Null when neither has any. */
export function infoOf(rule: Rule, variant: Variant | null): string | null {
  return variant?.info ?? rule.info;
}

/** One digest however many rules mutate: it becomes part of the key of every rendered body. */
function keyOf(mutations: readonly MutationSource[]): string {
  const [first] = mutations;
  if (first === undefined) return '';
  if (mutations.length === 1) return first.digest;
  return digestOf(mutations.map((mutation) => mutation.digest).join('\n'));
}
