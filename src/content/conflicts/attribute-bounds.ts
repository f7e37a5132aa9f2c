/**
 * What a condition certainly asks of attributes, as far as two conditions can be compared by it. A condition becomes
 * alternatives, one of which holds for every player that the condition holds for; what is not understood here (patterns, what is
 * asked of members of lists, negated groups) is left out, which only lets more players in.
 */
import { isOperators } from '../condition/condition-grammar.js';
import { type BoundTest, compileBound } from './bound-test.js';

/** By name of the attribute, as it is written: tests that all hold. */
export type Bounds = ReadonlyMap<string, readonly BoundTest[]>;

/** `$or` in a condition multiplies alternatives. Where there would be more, a `$or` is left out. */
const alternativesMax = 16;

/** No bounds: every player. */
export const everyone: readonly Bounds[] = [new Map()];

/**
 * @param when a condition that compiles, as `JSON.parse` gave it
 */
export function boundsOf(when: unknown): readonly Bounds[] {
  let alternatives = everyone;
  for (const [name, operand] of Object.entries(when as object)) {
    alternatives = both(alternatives, boundsOfMember(name, operand));
  }
  return alternatives;
}

/** The alternatives of two conditions that both hold. */
export function both(a: readonly Bounds[], b: readonly Bounds[]): readonly Bounds[] {
  if (a.length * b.length > alternativesMax) return a.length <= b.length ? a : b;
  return a.flatMap((one) => b.map((other) => joined(one, other)));
}

function boundsOfMember(name: string, operand: unknown): readonly Bounds[] {
  switch (name) {
    case '$and':
      return (operand as readonly unknown[]).map(boundsOf).reduce(both, everyone);
    case '$or': {
      const parts = operand as readonly unknown[];
      // An empty list holds, as it does in the dialect.
      if (parts.length === 0 || parts.length > alternativesMax) return everyone;
      const alternatives = parts.flatMap(boundsOf);
      return alternatives.length > alternativesMax ? everyone : alternatives;
    }
    case '$nor':
    case '$not':
      return everyone;
    default:
      return boundsOfAttribute(name, operand);
  }
}

function boundsOfAttribute(name: string, operand: unknown): readonly Bounds[] {
  const single = isOperators(operand)
    ? Object.entries(operand).map(([operator, value]) => ({ [operator]: value }))
    : [operand];
  const tests = single.map((one) => compileBound(name, one)).filter((test) => test !== null);
  return tests.length === 0 ? everyone : [new Map([[name, tests]])];
}

function joined(a: Bounds, b: Bounds): Bounds {
  if (a.size === 0) return b;
  const all = new Map(a);
  for (const [name, tests] of b) all.set(name, [...(all.get(name) ?? []), ...tests]);
  return all;
}
