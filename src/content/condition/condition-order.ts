/** The operators `$eq $ne $lt $lte $gt $gte`: strict equality, and order among numbers or among texts. */

import { attributeText } from './attribute-text.js';
import { always, never, type Site, type Test } from './condition-site.js';

export function compileEq(wanted: unknown, site: Site): Test {
  if (isContainer(wanted)) {
    site.warn('never holds for a list or an object; leave the operator out to compare JSON');
    return never;
  }
  return (value) => value === wanted;
}

export function compileNe(wanted: unknown, site: Site): Test {
  if (isContainer(wanted)) {
    site.warn('always holds for a list or an object; use $not to compare JSON');
    return always;
  }
  return (value) => value !== wanted;
}

export function compileLt(bound: unknown): Test {
  return compileOrder(bound, (a, b) => a < b);
}

export function compileLte(bound: unknown): Test {
  return compileOrder(bound, (a, b) => a <= b);
}

export function compileGt(bound: unknown): Test {
  return compileOrder(bound, (a, b) => a > b);
}

export function compileGte(bound: unknown): Test {
  return compileOrder(bound, (a, b) => a >= b);
}

type Primitive = string | number;

/**
 * Two texts compare by UTF-16 code units. Otherwise both compare as numbers: an absent attribute is 0, and what is
 * no number compares with nothing. These are the rules of JavaScript's `<`, by which the dialect is defined.
 */
function compileOrder(bound: unknown, holds: (a: Primitive, b: Primitive) => boolean): Test {
  const limit = primitiveOf(bound);
  if (limit === null) return never;
  const limitNumber = Number(limit);
  return (value) => {
    if (typeof value === 'number') return holds(value, limitNumber);
    const primitive = primitiveOf(value);
    if (primitive === null) return false;
    return typeof primitive === 'string' && typeof limit === 'string'
      ? holds(primitive, limit)
      : holds(Number(primitive), limitNumber);
  };
}

/** Text for texts, lists and objects, a number for all else; null for what has no text. */
function primitiveOf(value: unknown): Primitive | null {
  if (typeof value === 'string') return value;
  return isContainer(value) ? attributeText(value) : Number(value);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
