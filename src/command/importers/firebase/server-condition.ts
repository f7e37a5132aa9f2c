/**
 * Conditions of server templates: objects instead of expressions. The types `OneOfCondition`, `PercentCondition` and
 * `CustomSignalCondition` of firebase-admin are their schema.
 */

import { isObject, type JsonObject } from '../source.js';
import { type Atom, type Expression, ExpressionIssue } from './expression.js';

const microPerPercent = 1_000_000;

const signalOperators: Readonly<Record<string, string>> = {
  NUMERIC_LESS_THAN: '<',
  NUMERIC_LESS_EQUAL: '<=',
  NUMERIC_EQUAL: '==',
  NUMERIC_NOT_EQUAL: '!=',
  NUMERIC_GREATER_THAN: '>',
  NUMERIC_GREATER_EQUAL: '>=',
  STRING_CONTAINS: 'contains',
  STRING_DOES_NOT_CONTAIN: 'notContains',
  STRING_EXACTLY_MATCHES: 'exactlyMatches',
  STRING_CONTAINS_REGEX: 'matches',
  SEMANTIC_VERSION_LESS_THAN: 'version <',
  SEMANTIC_VERSION_LESS_EQUAL: 'version <=',
  SEMANTIC_VERSION_EQUAL: 'version ==',
  SEMANTIC_VERSION_NOT_EQUAL: 'version !=',
  SEMANTIC_VERSION_GREATER_THAN: 'version >',
  SEMANTIC_VERSION_GREATER_EQUAL: 'version >=',
};

/** How deep conditions nest where Firebase evaluates them; deeper ones are false there. */
const levelsMax = 10;

export function readServerCondition(condition: JsonObject): Expression | ExpressionIssue {
  try {
    return expressionOf(condition, 0);
  } catch (error) {
    if (error instanceof Unreadable) return new ExpressionIssue(error.message);
    throw error;
  }
}

class Unreadable extends Error {}

/** Only the first member that is there counts, in this order, as in the SDK. */
function expressionOf(condition: JsonObject, level: number): Expression {
  if (level >= levelsMax) return { kind: 'constant', value: false };
  const { orCondition, andCondition, percent, customSignal } = condition;
  if (isObject(orCondition)) return { kind: 'any', of: partsOf(orCondition, level + 2) };
  if (isObject(andCondition)) return { kind: 'all', of: partsOf(andCondition, level + 2) };
  if (isObject(condition['true'])) return { kind: 'constant', value: true };
  if (isObject(condition['false'])) return { kind: 'constant', value: false };
  if (isObject(percent)) return { kind: 'atom', atom: percentAtom(percent) };
  if (isObject(customSignal)) return { kind: 'atom', atom: signalAtom(customSignal) };
  throw new Unreadable(`has no part that is known: ${Object.keys(condition).join(', ')}`);
}

function partsOf({ conditions = [] }: JsonObject, level: number): readonly Expression[] {
  if (!Array.isArray(conditions)) throw new Unreadable('has conditions that are no list');
  return conditions.map((each) => expressionOf(isObject(each) ? each : {}, level));
}

function percentAtom(percent: JsonObject): Atom {
  const { percentOperator, microPercent, microPercentRange, seed } = percent;
  const percents = (micro: unknown): number =>
    (typeof micro === 'number' ? micro : 0) / microPerPercent;
  const atom = { element: 'percent', key: typeof seed === 'string' && seed !== '' ? seed : null };
  if (percentOperator === 'BETWEEN') {
    const range = isObject(microPercentRange) ? microPercentRange : {};
    const { microPercentLowerBound: lower, microPercentUpperBound: upper } = range;
    return { ...atom, operator: 'between', values: [percents(lower), percents(upper)] };
  }
  const operator = percentOperator === 'GREATER_THAN' ? '>' : '<=';
  if (operator === '<=' && percentOperator !== 'LESS_OR_EQUAL') {
    throw new Unreadable(`has the percent operator ${String(percentOperator)}`);
  }
  return { ...atom, operator, values: [percents(microPercent)] };
}

function signalAtom(signal: JsonObject): Atom {
  const { customSignalOperator, customSignalKey, targetCustomSignalValues: targets } = signal;
  const operator = signalOperators[String(customSignalOperator)];
  if (operator === undefined) {
    throw new Unreadable(`has the signal operator ${String(customSignalOperator)}`);
  }
  if (typeof customSignalKey !== 'string' || !Array.isArray(targets)) {
    throw new Unreadable('has a custom signal without key or target values');
  }
  return {
    element: 'app.customSignal',
    key: customSignalKey,
    operator,
    values: targets.map(String),
  };
}
