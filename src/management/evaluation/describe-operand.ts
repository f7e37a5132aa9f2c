/** Describes for people what an operand of a condition wants and what it found. */
import type { ConditionTest } from './condition-tree.js';

/** `country is "DE", but must be one of ["US","CA"].` or `level is 12, which is at least 10.` */
export function describeOperand(
  { attribute, operator, wanted }: Pick<ConditionTest, 'attribute' | 'operator' | 'wanted'>,
  found: unknown,
  held: boolean,
  negated: boolean,
): string {
  const shown = found === null ? 'not there' : shownJson(found);
  const is = `${nameOf(attribute)} is ${shown}`;
  const phrase = phraseOf(operator, wanted);
  const not = negated ? 'not ' : '';
  // Below a negation an operand that holds is what speaks against the condition.
  if (held === negated) return `${is}, but must ${not}be ${phrase}.`;
  const isSaidAlready = operator === '$exists' || (found !== null && phrase === shown);
  return isSaidAlready ? `${is}.` : `${is}, which is ${not}${phrase}.`;
}

function nameOf(attribute: string): string {
  const known = knownNames.get(attribute);
  if (known !== undefined) return known;
  return plainName.test(attribute) ? attribute : JSON.stringify(attribute);
}

const plainName = /^[\w.$-]+$/;

const knownNames: ReadonlyMap<string, string> = new Map([
  ['@u', 'the user id (@u)'],
  ['@v', 'the app version (@v)'],
  ['@mod', 'the bucket (@mod)'],
]);

function phraseOf(operator: string | null, wanted: unknown): string {
  if (operator === null) return shownJson(wanted);
  if (operator === '$exists') return wanted ? 'there' : 'absent';
  const [before, after = ''] = phrases.get(operator) ?? [`${operator} `];
  return `${before}${shownJson(wanted)}${after}`;
}

/** What stands before and behind the operand. */
const phrases: ReadonlyMap<string, readonly [string, string?]> = new Map([
  ['$eq', ['exactly ']],
  ['$ne', ['other than ']],
  ['$lt', ['below ']],
  ['$lte', ['at most ']],
  ['$gt', ['above ']],
  ['$gte', ['at least ']],
  ['$in', ['one of ']],
  ['$nin', ['none of ']],
  ['$ini', ['one of ', ' (in capitals or not)']],
  ['$nini', ['none of ', ' (in capitals or not)']],
  ['$all', ['a list with all of ']],
  ['$alli', ['a list with all of ', ' (in capitals or not)']],
  ['$not', ['anything but ']],
  ['$type', ['of the type ']],
  ['$size', ['a list of the size ']],
  ['$elemMatch', ['a list with an element that matches ']],
  ['$regex', ['a text that matches ']],
  ['$regexi', ['a text that matches ', ' (in capitals or not)']],
  ['$notRegex', ['a text that does not match ']],
  ['$notRegexi', ['a text that does not match ', ' (in capitals or not)']],
  ['$veq', ['version ']],
  ['$vne', ['a version other than ']],
  ['$vgt', ['a version above ']],
  ['$vgte', ['a version from ', ' on']],
  ['$vlt', ['a version below ']],
  ['$vlte', ['a version up to ']],
]);

/** A few values are read at a glance; a list of 50,000 tester ids is not. */
const shownElementsMax = 8;
const shownCharsMax = 200;

/** The value as JSON text; what is too long to read is cut, and the cut shown. */
export function shownJson(value: unknown): string {
  if (Array.isArray(value) && value.length > shownElementsMax) {
    const shown = JSON.stringify(value.slice(0, shownElementsMax)).slice(0, -1);
    return `${cut(shown)},… ${value.length - shownElementsMax} more]`;
  }
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax)}…`;
}
