/** Finds what is wrong with a condition that is about to be saved or tested. */
import { type ConditionFault, compileCondition } from '../../content/condition/condition.js';

export interface CheckedCondition {
  /** None: it compiles. */
  readonly faults: readonly ConditionFault[];
  /** What is valid but can hardly be meant. */
  readonly warnings: readonly ConditionFault[];
}

/** @param condition JSON text. It is compiled only to find faults; delivery compiles it again. */
export function checkCondition(condition: string): CheckedCondition {
  const warnings: ConditionFault[] = [];
  const compiled = compileCondition(JSON.parse(condition), warnings);
  return { faults: typeof compiled === 'function' ? [] : compiled, warnings };
}
