/** Sets of JSON types, as bits of a number. */

import { BRACE_OPEN, BRACKET_OPEN, LOWER_F, LOWER_N, LOWER_T, QUOTE } from '../json/ascii.js';
import type { JsonType } from './line-envelope.js';

export const TypeBit: Readonly<Record<JsonType, number>> = {
  object: 1,
  array: 2,
  string: 4,
  number: 8,
  boolean: 16,
  null: 32,
};

/** The type of the value that begins with this byte. */
export function typeBitOf(firstByte: number): number {
  switch (firstByte) {
    case BRACE_OPEN:
      return TypeBit.object;
    case BRACKET_OPEN:
      return TypeBit.array;
    case QUOTE:
      return TypeBit.string;
    case LOWER_T:
    case LOWER_F:
      return TypeBit.boolean;
    case LOWER_N:
      return TypeBit.null;
    default:
      return TypeBit.number;
  }
}

export function typesOf(bits: number): JsonType[] {
  return allTypes.filter((type) => (bits & TypeBit[type]) !== 0);
}

export const allTypes = Object.keys(TypeBit) as JsonType[];
