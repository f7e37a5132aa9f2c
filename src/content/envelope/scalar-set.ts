/** What is known of the scalars at one place: their types, the lowest and the highest number, and all of them if few. */

import { valueEndOf, valueStartOf } from '../json/document.js';
import { textOf } from '../json/json-text.js';
import type { Plain } from './abstract-value.js';
import { textsKnownMax } from './envelope-limits.js';
import { TypeBit, typeBitOf } from './json-types.js';
import type { NumberBound } from './line-envelope.js';

/** Immutable. */
export class ScalarSet {
  /** Bits of `TypeBit`. */
  readonly types: number;
  readonly min: NumberBound | null;
  readonly max: NumberBound | null;
  /** The scalars by their JSON text, each as it was first written; null: they are too many. */
  readonly known: ReadonlyMap<string, Plain> | null;

  constructor(
    types: number,
    min: NumberBound | null,
    max: NumberBound | null,
    known: ReadonlyMap<string, Plain> | null,
  ) {
    this.types = types;
    this.min = min;
    this.max = max;
    this.known = known;
  }

  /** The set of one scalar. */
  static of(scalar: Plain): ScalarSet {
    const type = typeBitOf(scalar.firstByte);
    const text = scalarText(scalar);
    const bound =
      type === TypeBit.number ? { value: Number(text), source: scalar.origin.source } : null;
    return new ScalarSet(type, bound, bound, new Map([[text, scalar]]));
  }
}

/** The scalar as it is written. */
export function scalarText({ origin: { document }, node }: Plain): string {
  return textOf(document.bytes, valueStartOf(document, node), valueEndOf(document, node));
}

export function joinScalars(a: ScalarSet | null, b: ScalarSet | null): ScalarSet | null {
  if (a === null || b === null || a === b) return a ?? b;
  return new ScalarSet(
    a.types | b.types,
    lower(a.min, b.min),
    higher(a.max, b.max),
    joinKnown(a.known, b.known),
  );
}

/** Of equal bounds the first. */
export function lower(a: NumberBound | null, b: NumberBound | null): NumberBound | null {
  if (a === null || b === null) return a ?? b;
  return b.value < a.value ? b : a;
}

export function higher(a: NumberBound | null, b: NumberBound | null): NumberBound | null {
  if (a === null || b === null) return a ?? b;
  return b.value > a.value ? b : a;
}

function joinKnown(a: ScalarSet['known'], b: ScalarSet['known']): ScalarSet['known'] {
  if (a === null || b === null) return null;
  const joined = new Map(a);
  for (const [text, scalar] of b) if (!joined.has(text)) joined.set(text, scalar);
  return joined.size > textsKnownMax ? null : joined;
}
