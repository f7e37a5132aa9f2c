/** The grammar of conditions: how `$and $or $nor $not`, attributes and the operators on them nest in one another. */

import type { EvaluationContext } from '../evaluation-context.js';
import { elementTextWork, elementWork, pathNameWork, spend } from '../evaluation-work.js';
import { compilePath } from './attribute-path.js';
import { allOf, anyOf, negate, whenPresent } from './condition-joins.js';
import { conditionPathLengthMax } from './condition-limits.js';
import { compileExists, type OperatorCompiler, valueOperators } from './condition-operators.js';
import { never, type Site, type Test } from './condition-site.js';
import { compileEquality } from './condition-value.js';
import { attributeText, foldedText } from './derived-texts.js';

/** Compiles a whole condition, to be tested on an object: the caller's attributes, or an element of a list. */
export function compileMembers(condition: unknown, site: Site): Test {
  if (!isObject(condition)) return site.reject('must be an object');
  const tests: Test[] = [];
  for (const [name, operand] of Object.entries(condition)) {
    const join = joins.get(name);
    const at = site.member(name);
    tests.push(join === undefined ? compileAttribute(name, operand, at) : join(operand, at));
  }
  return allOf(tests);
}

const joins: ReadonlyMap<string, OperatorCompiler> = new Map<string, OperatorCompiler>([
  ['$and', (operand, site) => allOf(compileConditions(operand, site))],
  ['$or', (operand, site) => anyOf(compileConditions(operand, site))],
  ['$nor', (operand, site) => negate(anyOf(compileConditions(operand, site)))],
  ['$not', (operand, site) => negate(compileMembers(operand, site))],
]);

function compileConditions(list: unknown, site: Site): Test[] {
  if (!Array.isArray(list)) return [site.reject('must be a list of conditions')];
  return list.map((condition, index) => compileMembers(condition, site.element(index)));
}

function compileAttribute(name: string, operand: unknown, site: Site): Test {
  const read = callerReaders.get(name);
  if (read !== undefined) {
    const test = compileValue(operand, site.of(name === '@v'), false);
    return (_, caller) => test(read(caller), caller);
  }
  const issue = attributeNameIssue(name, operand);
  if (issue !== null) return site.reject(issue);
  const readPath = compilePath(name);
  const test = compileValue(operand, site.of(false), false);
  const work = (name.split('.').length - 1) * pathNameWork;
  if (work === 0) return (subject, caller) => test(readPath(subject), caller);
  return (subject, caller) => {
    caller.workLeft -= work;
    return test(readPath(subject), caller);
  };
}

/** What the server knows of a caller. Attributes of these names are never looked at. */
export const callerReaders: ReadonlyMap<string, (caller: EvaluationContext) => unknown> = new Map<
  string,
  (caller: EvaluationContext) => unknown
>([
  ['@u', (caller) => caller.u],
  ['@v', (caller) => (caller.v === '' ? null : caller.v)],
  ['@mod', (caller) => caller.mod],
]);

function attributeNameIssue(name: string, operand: unknown): string | null {
  if (name.length > conditionPathLengthMax) {
    return `an attribute's name has at most ${conditionPathLengthMax} characters`;
  }
  if (callerReaders.has(name.split('.', 1)[0] ?? '')) return 'has no members';
  if (!name.startsWith('$')) return null;
  if (isOperator(name)) return 'tests one attribute: write {"attribute": {"$operator": ...}}';
  // The dialect's published cases have an attribute called `$groups`. What is tested with operators is an attribute.
  return isOperators(operand) ? null : 'is not an operator';
}

/** Compiles what one value must be: operators on it, or the value itself. `foldCase`: a text is compared without case. */
function compileValue(wanted: unknown, site: Site, foldCase: boolean): Test {
  if (isOperators(wanted)) {
    return allOf(
      Object.entries(wanted).map(([name, operand]) =>
        compileOperator(name, operand, site.member(name)),
      ),
    );
  }
  if (isObject(wanted)) {
    if (Object.keys(wanted).some(isOperator)) return site.reject('mixes operators and members');
    if (holdsOperators(wanted)) {
      site.warn('is compared as JSON, operators in it included; address members as "outer.inner"');
    }
  }
  return comparison(compileEquality(wanted, foldCase), site);
}

function compileOperator(name: string, operand: unknown, site: Site): Test {
  const compileNesting = nestingOperators.get(name);
  if (compileNesting !== undefined) return compileNesting(operand, site);
  const compileOnValue = valueOperators.get(name);
  if (compileOnValue !== undefined) return comparison(compileOnValue(operand, site), site);
  return site.reject(
    joins.has(name) ? 'joins whole conditions and cannot test a value' : 'is not an operator',
  );
}

const nestingOperators: ReadonlyMap<string, OperatorCompiler> = new Map<string, OperatorCompiler>([
  ['$not', (operand, site) => negate(compileValue(operand, site, false))],
  ['$exists', (operand) => compileExists(operand)],
  ['$size', compileSize],
  ['$elemMatch', compileElemMatch],
  ['$all', (operand, site) => compileAll(operand, site, false)],
  ['$alli', (operand, site) => compileAll(operand, site, true)],
]);

function compileSize(operand: unknown, site: Site): Test {
  const test = compileValue(operand, site.of(false), false);
  return (value, caller) => Array.isArray(value) && test(value.length, caller);
}

function compileElemMatch(operand: unknown, site: Site): Test {
  const test = isOperators(operand)
    ? compileValue(operand, site.of(false), false)
    : compileMembers(operand, site.of(false));
  return (value, caller) => Array.isArray(value) && hasMatch(value, test, caller);
}

function hasMatch(list: readonly unknown[], test: Test, caller: EvaluationContext): boolean {
  for (const element of list) {
    if (!spend(caller, elementWork)) return false;
    if (element !== null && test(element, caller)) return true;
  }
  return false;
}

/** `$all` and `$alli`: for each value given, some element of the attribute must be it. */
function compileAll(operand: unknown, site: Site, foldCase: boolean): Test {
  if (!Array.isArray(operand)) {
    site.warn('is not a list, so it never holds');
    return never;
  }
  if (operand.every((wanted) => typeof wanted === 'string')) {
    return comparison(hasAllTexts(operand, foldCase), site);
  }
  const tests = operand.map((wanted, index) =>
    compileValue(wanted, site.of(false).element(index), foldCase),
  );
  return (value, caller) =>
    Array.isArray(value) && tests.every((test) => hasElement(value, test, caller));
}

function hasElement(list: readonly unknown[], test: Test, caller: EvaluationContext): boolean {
  for (const element of list) {
    if (!spend(caller, elementWork)) return false;
    if (test(element, caller)) return true;
  }
  return false;
}

/** One pass over the attribute, where a test per text would make it one pass for each. */
function hasAllTexts(texts: readonly string[], foldCase: boolean): Test {
  const wanted = new Set(foldCase ? texts.map((text) => text.toLowerCase()) : texts);
  return (value, caller) => {
    if (!Array.isArray(value)) return false;
    if (wanted.size === 0) return true;
    const found = new Set<string>();
    for (const element of value) {
      if (!spend(caller, elementTextWork)) return false;
      const text = attributeText(element, caller);
      const folded = foldCase && text !== null ? foldedText(text, caller) : text;
      if (folded !== null && wanted.has(folded) && found.add(folded).size === wanted.size) {
        return true;
      }
    }
    return false;
  };
}

function comparison(test: Test, site: Site): Test {
  site.countTest();
  return site.appVersion ? whenPresent(test) : test;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object whose every name begins with `$` holds operators; any other is a value to be equal to. */
export function isOperators(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

/** The name of every operator there is; `$not` stands on values and joins conditions. */
export const operatorNames: ReadonlySet<string> = new Set([
  ...valueOperators.keys(),
  ...nestingOperators.keys(),
  ...joins.keys(),
]);

function isOperator(name: string): boolean {
  return valueOperators.has(name) || nestingOperators.has(name);
}

/** Recurses no deeper than the levels that a condition may have. */
function holdsOperators(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && Object.keys(value).some(isOperator)) return true;
  return Object.values(value).some(holdsOperators);
}
