/** What a mapping makes of one kind of caller: which rules applied, with which variants, and how that is reported. */

import { digestOf } from './hash.js';
import type { MutationSource, Rule } from './mapping/rule.js';

/** The choice of a rule that did not apply. */
export const NOT_APPLIED = -1;

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
  /** The value of `meta.seg`: JSON text, one entry for each rule that applied, in rule order. */
  readonly segJson: string;
  /** What the plan's user keeps with it; forgotten with it. A WeakMap instead costs each request and each collection. */
  attached: object | null = null;
  /** For each rule that applied, its entry and its place in the mapping. */
  readonly #entries: readonly SegEntry[];

  constructor(rules: readonly Rule[], choices: readonly number[]) {
    const mutations: MutationSource[] = [];
    const rulesOfMutations: number[] = [];
    const entries: SegEntry[] = [];
    for (const [index, rule] of rules.entries()) {
      const choice = choices[index] ?? NOT_APPLIED;
      if (choice === NOT_APPLIED) continue;
      const variant = rule.variants?.[choice] ?? null;
      entries.push({ rule: index, json: segEntry(rule, variant === null ? null : variant.name) });
      const mutation = variant === null ? rule.mutation : variant.mutation;
      if (mutation === null) continue;
      mutations.push(mutation);
      rulesOfMutations.push(index);
    }
    this.choices = choices;
    this.mutations = mutations;
    this.rulesOfMutations = rulesOfMutations;
    this.mutationsKey = keyOf(mutations);
    this.#entries = entries;
    this.segJson = segList(entries);
  }

  /** Roughly what it holds in memory: the text twice, the choices, and its objects. */
  get bytes(): number {
    return 512 + 4 * this.segJson.length + 8 * this.choices.length + 64 * this.#entries.length;
  }

  /** `segJson` without the rules whose mutation could not apply: `missed` has indexes into `mutations`. */
  segJsonWithout(missed: readonly number[]): string {
    if (missed.length === 0) return this.segJson;
    const rules = new Set(missed.map((index) => this.rulesOfMutations[index]));
    return segList(this.#entries.filter((entry) => !rules.has(entry.rule)));
  }
}

interface SegEntry {
  readonly rule: number;
  readonly json: string;
}

function segList(entries: readonly SegEntry[]): string {
  return `[${entries.map((entry) => entry.json).join(',')}]`;
}

function segEntry(rule: Rule, variant: string | null): string {
  const info = rule.info === null ? '' : `,"i":${JSON.stringify(rule.info)}`;
  return `{"n":${JSON.stringify(rule.segment)},"v":${JSON.stringify(variant)}${info}}`;
}

/** One digest however many rules mutate: it becomes part of the key of every rendered body. */
function keyOf(mutations: readonly MutationSource[]): string {
  const [first] = mutations;
  if (first === undefined) return '';
  if (mutations.length === 1) return first.digest;
  return digestOf(mutations.map((mutation) => mutation.digest).join('\n'));
}
