/** Whether values are among those that a guard lists. */

import { type AbstractValue, Plain } from '../envelope/abstract-value.js';
import { scalarText } from '../envelope/scalar-set.js';
import { indexDocument } from '../json/document.js';
import { jsonEqual } from '../mutation/json-equal.js';
import { Untouched } from '../mutation/json-value.js';
import { describeText } from './describe-bound.js';

export class EnumCheck {
  readonly #texts: ReadonlySet<string>;
  readonly #listed: readonly Untouched[];

  /** @param listed JSON values */
  constructor(listed: readonly unknown[]) {
    const texts = listed.map((value) => JSON.stringify(value));
    this.#texts = new Set(texts);
    this.#listed = texts.map((text) => new Untouched(indexDocument(Buffer.from(text)), 0));
  }

  /** A value that is not listed, in words, or null: all are. Values that are not known one by one count as others. */
  findOther(values: readonly AbstractValue[]): string | null {
    for (const value of values) {
      const other = value instanceof Plain ? this.#other(value) : this.#otherOf(value);
      if (other !== null) return other;
    }
    return null;
  }

  #otherOf({ scalars, containers }: Exclude<AbstractValue, Plain>): string | null {
    if (scalars !== null && scalars.known === null) return 'one of very many values';
    for (const scalar of scalars?.known?.values() ?? []) {
      const other = this.#other(scalar);
      if (other !== null) return other;
    }
    return containers.length > 0 ? 'an object or array that rules edit' : null;
  }

  #other(value: Plain): string | null {
    const text = scalarText(value);
    if (this.#texts.has(text)) return null;
    const written = new Untouched(value.origin.document, value.node);
    return this.#listed.some((one) => jsonEqual(one, written)) ? null : describeText(text);
  }
}
