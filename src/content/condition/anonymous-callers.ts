/**
 * Tells whether callers without a user id can be in a segment. What is known of them is their `@u` ('') and their `@mod`
 * (0); whatever a condition asks of anything else may hold or fail. So a no is certain, and a yes is a possibility.
 */

import { EvaluationContext } from '../evaluation-context.js';
import { NO_VERSION } from '../version.js';
import { compileCondition } from './condition.js';

/** @param when a condition that compiles, as `JSON.parse` gave it */
export function canBeAnonymous(when: unknown): boolean {
  return outcomesOf(when).yes;
}

/** Which results a part of a condition can have for such callers. */
interface Outcomes {
  readonly yes: boolean;
  readonly no: boolean;
}

const unknown: Outcomes = { yes: true, no: true };

function outcomesOf(condition: unknown): Outcomes {
  return allOf(Object.entries(condition as object).map(([name, operand]) => partOf(name, operand)));
}

function partOf(name: string, operand: unknown): Outcomes {
  switch (name) {
    case '$and':
      return allOf((operand as unknown[]).map(outcomesOf));
    case '$or':
      return anyOf((operand as unknown[]).map(outcomesOf));
    case '$nor':
      return negate(anyOf((operand as unknown[]).map(outcomesOf)));
    case '$not':
      return negate(outcomesOf(operand));
    case '@u':
    case '@mod':
      return known({ [name]: operand });
    default:
      return unknown;
  }
}

function known(when: unknown): Outcomes {
  const compiled = compileCondition(when);
  const anonymous = new EvaluationContext('', {}, '', NO_VERSION, Number.MAX_SAFE_INTEGER);
  const yes = typeof compiled === 'function' && compiled(anonymous);
  return { yes, no: !yes };
}

function allOf(parts: readonly Outcomes[]): Outcomes {
  return { yes: parts.every(({ yes }) => yes), no: parts.some(({ no }) => no) };
}

/** An empty list holds, as it does in the dialect. */
function anyOf(parts: readonly Outcomes[]): Outcomes {
  if (parts.length === 0) return { yes: true, no: false };
  return { yes: parts.some(({ yes }) => yes), no: parts.every(({ no }) => no) };
}

function negate({ yes, no }: Outcomes): Outcomes {
  return { yes: no, no: yes };
}
