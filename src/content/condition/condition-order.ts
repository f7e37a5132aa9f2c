/** The operators `$eq $ne $lt $lte $gt $gte`: strict equality, and order among numbers or among texts. */

import type { EvaluationContext } from '../evaluation-context.js';
import { characterWork, shortTextUnits, spend } from '../evaluation-work.js';
import { listText, scalarText } from './attribute-text.js';
import { always, never, type Site, type Test } from './condition-site.js';
import { attributeText, isSameText, textNumber } from './derived-texts.js';

export function compileEq(wanted: unknown, site: Site): Test {
  if (isContainer(wanted)) {
    site.warn('never holds for a list or an object; leave the operator out to compare JSON');
    return never;
  }
  if (isLong(wanted)) return (value, caller) => isSame(value, wanted, caller);
  return (value) => value === wanted;
}

export function compileNe(wanted: unknown, site: Site): Test {
  if (isContainer(wanted)) {
    site.warn('always holds for a list or an object; use $not to compare JSON');
    return always;
  }
  if (isLong(wanted)) return (value, caller) => !isSame(value, wanted, caller);
  return (value) => value !== wanted;
}

function isLong(wanted: unknown): wanted is string {
  return typeof wanted === 'string' && wanted.length > shortTextUnits;
}

function isSame(value: unknown, wanted: string, caller: EvaluationContext): boolean {
  return typeof value === 'string' && isSameText(value, wanted, caller);
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
  const limit = limitOf(bound);
  if (limit === null) return never;
  const limitNumber = Number(limit);
  return (value, caller) => {
    if (typeof value === 'number') return holds(value, limitNumber);
    const primitive = primitiveOf(value, caller);
    if (primitive === null) return false;
    if (typeof primitive === 'number') return holds(primitive, limitNumber);
    if (typeof limit !== 'string') return holds(textNumber(primitive, caller), limitNumber);
    const compared = Math.min(primitive.length, limit.length);
    if (compared > shortTextUnits && !spend(caller, compared * characterWork)) return false;
    return holds(primitive, limit);
  };
}

/** Text for texts, lists and objects, a number for all else; null for what has no text. */
function primitiveOf(value: unknown, caller: EvaluationContext): Primitive | null {
  if (typeof value === 'string') return value;
  return isContainer(value) ? attributeText(value, caller) : Number(value);
}

/** The same of a bound. */
function limitOf(bound: unknown): Primitive | null {
  if (typeof bound === 'string') return bound;
  if (Array.isArray(bound)) return listText(bound, { workLeft: Number.MAX_SAFE_INTEGER });
  return isContainer(bound) ? scalarText(bound) : Number(bound);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
