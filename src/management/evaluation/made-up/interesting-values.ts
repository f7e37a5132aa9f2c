/**
 * The values of an attribute at which one test of a condition may change its result: the operand, its neighbours, the
 * members of lists. They are candidates only: whether a test holds for one is always asked of the test itself.
 */
import { isOperators } from '../../../content/condition/condition-grammar.js';
import { madeUpValueCharsMax, madeUpValuesPerTestMax } from '../../limits/evaluation.js';
import type { ConditionTest } from '../condition-tree.js';
import { samplePattern } from './sample-pattern.js';

/** An attribute that a user does not have. */
export const absent = undefined;

/** Makes a value that a condition on an element of a list holds for; null: none was found. */
export type SolveElement = (condition: object) => unknown;

/** Values that hardly any condition asks for, so that tests fail too. */
export const plainValues: readonly unknown[] = [absent, 'no-such-text', 0, -1, true, false, '', []];

/** @param solveElement for `$elemMatch` and the conditions in `$all` */
export function interestingValues(
  { attribute, operator, wanted }: ConditionTest,
  solveElement: SolveElement,
): unknown[] {
  const found = valuesFor(operator, wanted, attribute === '@v', solveElement);
  return spread(found).filter(isSmall);
}

function valuesFor(
  operator: string | null,
  wanted: unknown,
  isAppVersion: boolean,
  solveElement: SolveElement,
): unknown[] {
  switch (operator) {
    case null:
    case '$not':
    case '$eq':
    case '$ne':
      return isAppVersion ? versions(wanted) : [wanted === null ? absent : wanted];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return isAppVersion ? versions(wanted) : neighbours(wanted);
    case '$in':
    case '$nin':
    case '$ini':
    case '$nini':
      return members(wanted);
    case '$all':
    case '$alli':
      return lists(wanted, solveElement);
    case '$size':
      return sizes(wanted).map((size) => fillers(size));
    case '$elemMatch':
      return elements(wanted, solveElement);
    case '$exists':
      return ['there', 1, absent];
    case '$type':
      return ['text', 1, true, ['text'], {}, absent];
    case '$regex':
    case '$regexi':
    case '$notRegex':
    case '$notRegexi':
      return samples(wanted);
    case '$veq':
    case '$vne':
    case '$vgt':
    case '$vgte':
    case '$vlt':
    case '$vlte':
      return versions(wanted);
    default:
      return [];
  }
}

function neighbours(bound: unknown): unknown[] {
  if (typeof bound === 'number') return [bound, bound - 1, bound + 1];
  if (typeof bound !== 'string') return [bound, Number(bound) - 1, Number(bound) + 1];
  const numbers = bound.trim() === '' ? [] : neighbours(Number(bound)).filter(Number.isFinite);
  return [bound, `${bound}0`, bound.slice(0, -1), '', '\u{ffff}', ...numbers];
}

function members(list: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  const some = spread(list.map((member) => (member === null ? absent : member)));
  return [...some, ...some.slice(0, 2).map((member) => [member])];
}

function lists(list: unknown, solveElement: SolveElement): unknown[] {
  if (!Array.isArray(list)) return [];
  const whole = list.map((wanted) => elementFor(wanted, solveElement));
  return [whole, whole.slice(1), [...whole, 'further']];
}

function elements(wanted: unknown, solveElement: SolveElement): unknown[] {
  const element = elementFor(wanted, solveElement);
  return [[element], ['further', element], ['further']];
}

function elementFor(wanted: unknown, solveElement: SolveElement): unknown {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return wanted;
  return solveElement(wanted);
}

const sizeMax = 100;

/** Lengths of lists: whole numbers around those that the operand names. */
export function sizes(wanted: unknown): number[] {
  const named = isOperators(wanted) ? numbersIn(wanted) : [Number(wanted)];
  const around = named.flatMap((size) => [Math.floor(size), Math.ceil(size) + 1, size - 1]);
  const valid = [...around, 0].map(Math.round).filter((size) => size >= 0 && size <= sizeMax);
  return [...new Set(valid)];
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn).slice(0, madeUpValuesPerTestMax);
}

/** A list of so many texts. */
export function fillers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `item-${index + 1}`);
}

function samples(source: unknown): unknown[] {
  if (typeof source !== 'string') return [];
  const sample = samplePattern(source);
  return sample === null ? [] : [sample, `${sample}0`, `a${sample}`];
}

const numberPart = /\d+/g;

/** The version of the operand in the form X.Y.Z, and those before and after it. */
function versions(operand: unknown): string[] {
  const text = String(operand);
  const parts = (text.match(numberPart) ?? []).slice(0, 3).map(Number);
  const [major = 0, minor = 0, patch = 0] = parts;
  const own = `${major}.${minor}.${patch}`;
  return [...new Set([text, own, ...neighbouringVersions(own)])];
}

const partMax = 999;

/** The versions just below and above, a later patch level, and the next minor and major version. */
export function neighbouringVersions(version: string): string[] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const found = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
  if (patch > 0) found.unshift(`${major}.${minor}.${patch - 1}`);
  else if (minor > 0) found.unshift(`${major}.${minor - 1}.${partMax}`);
  else if (major > 0) found.unshift(`${major - 1}.${partMax}.${partMax}`);
  return found;
}

/** As many as a test may give, taken from the whole list at even distances. */
function spread(values: readonly unknown[]): unknown[] {
  const { length } = values;
  if (length <= madeUpValuesPerTestMax) return [...values];
  return Array.from(
    { length: madeUpValuesPerTestMax },
    (_, index) => values[Math.floor((index * length) / madeUpValuesPerTestMax)],
  );
}

/** Larger values are left out: a preview holds thousands of users. */
export function isSmall(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= madeUpValueCharsMax;
  if (typeof value !== 'object' || value === null) return true;
  return JSON.stringify(value).length <= madeUpValueCharsMax;
}
