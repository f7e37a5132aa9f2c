/** Remembers the selections of one plan, so that choosing what was chosen before allocates nothing. */

import { planSelectionsBytesMax } from './mapping/mapping-limits.js';
import type { Rule } from './mapping/rule.js';
import { NOT_APPLIED, Selection } from './selection.js';

/**
 * A selection is found by its choices, read as the digits of a number: a rule with n ways to end is a digit of base n.
 * While the product of the bases stays below 2^53 that number is exact; a longer mapping uses text instead.
 */
export class SelectionTable {
  readonly #rules: readonly Rule[];
  readonly #bases: readonly number[];
  readonly #numeric: boolean;
  readonly #known = new Map<number | string, Selection>();
  #bytes = 0;
  /** The choices of the caller at hand, overwritten by the next. */
  readonly #choices: Int16Array;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#bases = rules.map((rule) => 1 + (rule.variants?.length ?? 1));
    this.#numeric = this.#bases.reduce((product, base) => product * base, 1) <= 2 ** 53;
    this.#choices = new Int16Array(rules.length);
  }

  /** Where the choices for one caller are to be written, one per rule, before `find`. */
  get choices(): Int16Array {
    return this.#choices;
  }

  /** The selection for the choices that have been written. */
  find(): Selection {
    const code = this.#numeric ? this.#number() : this.#choices.join();
    const known = this.#known.get(code);
    return known === undefined ? this.#add(code) : known;
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

  /**
   * Forgets everything when it is full. A caller who tries attribute after attribute can fill it, and keeping the
   * newest would favour just that caller; what is in real use comes back at the price of one hash each.
   */
  #add(code: number | string): Selection {
    const selection = new Selection(this.#rules, Array.from(this.#choices));
    this.#bytes += selection.bytes;
    if (this.#bytes > planSelectionsBytesMax) {
      this.#known.clear();
      this.#bytes = selection.bytes;
    }
    this.#known.set(code, selection);
    return selection;
  }
}
