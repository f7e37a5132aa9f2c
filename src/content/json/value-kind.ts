/** What kind of value begins with a byte or unit of valid JSON. */
import { BRACE_OPEN, BRACKET_OPEN, LOWER_F, LOWER_N, LOWER_T, QUOTE } from './ascii.js';

export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** What begins like none of the others can only be a number. */
export function kindAt(unit: number | undefined): ValueKind {
  switch (unit) {
    case BRACE_OPEN:
      return 'object';
    case BRACKET_OPEN:
      return 'array';
    case QUOTE:
      return 'string';
    case LOWER_T:
    case LOWER_F:
      return 'boolean';
    case LOWER_N:
      return 'null';
    default:
      return 'number';
  }
}
