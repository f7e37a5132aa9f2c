/** Remembers the selections of one plan, so that choosing what was chosen before allocates nothing (D10). */

import type { EvaluationContext } from './evaluation-context.js';
import { selectionWork, spend } from './evaluation-work.js';
import type { Rule } from './mapping/rule.js';
import { NOT_APPLIED, Selection } from './selection.js';
import { KeptSelection, type SelectionBudget } from './selection-budget.js';

/** So that the marks of two plans in one budget differ. */
let tablesMade = 0;

/**
 * A selection is found by its choices, read as the digits of a number: a rule with n ways to end is a digit of base n.
 * While the product of the bases stays below 2^53 that number is exact; a longer mapping uses text instead.
 */
export class SelectionTable {
  readonly #rules: readonly Rule[];
  readonly #bases: readonly number[];
  readonly #numeric: boolean;
  readonly #known = new Map<number | string, KeptSelection>();
  readonly #budget: SelectionBudget;
  readonly #seed: number;
  #released = false;
  /** The choices of the caller at hand, overwritten by the next. */
  readonly #choices: Int16Array;

  /** @param budget bounds what is remembered, together with all other tables that it was given to */
  constructor(rules: readonly Rule[], budget: SelectionBudget) {
    this.#rules = rules;
    this.#budget = budget;
    this.#bases = rules.map((rule) => 1 + (rule.variants?.length ?? 1));
    this.#numeric = this.#bases.reduce((product, base) => product * base, 1) <= 2 ** 53;
    this.#choices = new Int16Array(rules.length);
    tablesMade += 1;
    this.#seed = Math.imul(tablesMade, hashPrime) ^ hashStart;
  }

  /** Where the choices for one caller are to be written, one per rule, before `find`. */
  get choices(): Int16Array {
    return this.#choices;
  }

  /** The selection for the choices that have been written; null when making it is more work than the caller may cause. */
  find(caller: EvaluationContext): Selection | null {
    const code = this.#numeric ? this.#number() : this.#choices.join();
    const known = this.#known.get(code);
    if (known === undefined) {
      const made = this.#make(code);
      return spend(caller, selectionWork + made.segJson.length) ? made : null;
    }
    known.used = true;
    return known.selection;
  }

  /** Called by the budget. */
  forget(code: number | string): void {
    this.#known.delete(code);
  }

  /** Gives everything back to the budget. The table goes on to work, and remembers nothing. */
  release(): void {
    this.#released = true;
    for (const kept of this.#known.values()) this.#budget.release(kept);
    this.#known.clear();
  }

  #number(): number {
    const choices = this.#choices;
    const bases = this.#bases;
    let code = 0;
    for (let i = 0; i < choices.length; i++) {
      code = code * (bases[i] as number) + ((choices[i] as number) - NOT_APPLIED);
    }
    return code;
  }

  #make(code: number | string): Selection {
    const selection = new Selection(this.#rules, Array.from(this.#choices));
    if (this.#released || !this.#budget.isWorthKeeping(this.#hash())) return selection;
    const kept = new KeptSelection(selection, code, this);
    selection.place = { budget: this.#budget, kept };
    this.#known.set(code, kept);
    this.#budget.keep(kept);
    return selection;
  }

  /** FNV-1a over the choices, 32 bits, mixed once more so that the lowest bits depend on all of them. */
  #hash(): number {
    const choices = this.#choices;
    let hash = this.#seed;
    for (let i = 0; i < choices.length; i++) {
      hash = Math.imul(hash ^ (choices[i] as number), hashPrime);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return hash ^ (hash >>> 13);
  }
}

const hashStart = 0x811c9dc5 | 0;
const hashPrime = 0x01000193;
