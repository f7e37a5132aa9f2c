/** Finds what is wrong with a condition that is about to be saved or tested, and what can hardly be meant. */
import { type ConditionFault, compileCondition } from '../../content/condition/condition.js';
import { type AttributeUse, attributeUses } from '../contents/warnings/attribute-uses.js';
import { blankWarnings } from '../contents/warnings/blank-warnings.js';

export interface CheckedCondition {
  /** None: it compiles. */
  readonly faults: readonly ConditionFault[];
  /** What is valid but can hardly be meant. */
  readonly warnings: readonly ConditionFault[];
  /** The attributes that it reads. */
  readonly attributes: readonly AttributeUse[];
}

/** @param condition JSON text. It is compiled only to find faults; delivery compiles it again. */
export function checkCondition(condition: string): CheckedCondition {
  const warnings: ConditionFault[] = [];
  const when: unknown = JSON.parse(condition);
  const compiled = compileCondition(when, warnings);
  if (typeof compiled !== 'function') return { faults: compiled, warnings, attributes: [] };
  warnings.push(...blankWarnings(when, 'when'));
  return { faults: [], warnings, attributes: attributeUses(when, 'when') };
}
