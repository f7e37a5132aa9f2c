/**
 * A condition taken apart into its tests, so that what decided can be shown. Each test is compiled by the kernel on its
 * own; only the joins between them (`$and $or $nor $not`) are walked here.
 */
import { strict as assert } from 'node:assert';
import { compilePath } from '../../content/condition/attribute-path.js';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import { callerReaders, isOperators } from '../../content/condition/condition-grammar.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';

/** One operand of a condition: an attribute, and what it must be. */
export interface ConditionTest {
  /** Such as `when.$and[1].level.$gte`. */
  readonly path: string;
  readonly attribute: string;
  /** null: the value is given plainly, as in `{"country": "DE"}`. */
  readonly operator: string | null;
  readonly wanted: unknown;
  readonly holds: Condition;
  /** The attribute as the caller has it; null when it is not there. */
  readonly read: (caller: EvaluationContext) => unknown;
}

export type ConditionTree =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ConditionTree[] }
  | { readonly kind: 'not'; readonly part: ConditionTree }
  | { readonly kind: 'test'; readonly test: ConditionTest };

/** @param when a condition that compiles, as `JSON.parse` gave it */
export function takeApart(when: unknown): ConditionTree {
  return membersTree(when, 'when');
}

function membersTree(condition: unknown, path: string): ConditionTree {
  assert(typeof condition === 'object' && condition !== null, 'a condition is an object');
  const parts = Object.entries(condition).map(([name, operand]) =>
    memberTree(name, operand, `${path}.${name}`),
  );
  return all(parts);
}

function memberTree(name: string, operand: unknown, path: string): ConditionTree {
  switch (name) {
    case '$and':
      return all(listTrees(operand, path));
    case '$or':
      return { kind: 'any', parts: listTrees(operand, path) };
    case '$nor':
      return { kind: 'not', part: { kind: 'any', parts: listTrees(operand, path) } };
    case '$not':
      return { kind: 'not', part: membersTree(operand, path) };
    default:
      return attributeTree(name, operand, path);
  }
}

function listTrees(list: unknown, path: string): ConditionTree[] {
  assert(Array.isArray(list), 'what joins conditions holds a list of them');
  return list.map((condition, index) => membersTree(condition, `${path}[${index}]`));
}

function attributeTree(name: string, operand: unknown, path: string): ConditionTree {
  if (!isOperators(operand)) return testTree(name, null, operand, path);
  const parts = Object.entries(operand).map(([operator, wanted]): ConditionTree => {
    const at = `${path}.${operator}`;
    // `$not` of a plain value is one test: the value alone might be none (an attribute may be called `$groups`).
    if (operator === '$not' && isOperators(wanted)) {
      return { kind: 'not', part: attributeTree(name, wanted, at) };
    }
    return testTree(name, operator, wanted, at);
  });
  return all(parts);
}

function testTree(
  attribute: string,
  operator: string | null,
  wanted: unknown,
  path: string,
): ConditionTree {
  const operand = operator === null ? wanted : { [operator]: wanted };
  const holds = compileCondition({ [attribute]: operand });
  assert(typeof holds === 'function', 'a part of a condition that compiles does so too');
  const readPath = compilePath(attribute);
  const read = callerReaders.get(attribute) ?? ((caller) => readPath(caller.p));
  return { kind: 'test', test: { path, attribute, operator, wanted, holds, read } };
}

function all(parts: readonly ConditionTree[]): ConditionTree {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: 'all', parts };
}
