/** Finds what is wrong with a condition that is about to be saved or tested, and what is probably a mistake. */
import { type ConditionIssue, compileCondition } from '../../content/condition/condition.js';
import { type AttributeUse, attributeUses } from '../contents/warnings/attribute-uses.js';
import { blankWarnings } from '../contents/warnings/blank-warnings.js';

export interface CheckedCondition {
  /** None: it compiles. */
  readonly issues: readonly ConditionIssue[];
  /** What is valid but probably a mistake. */
  readonly warnings: readonly ConditionIssue[];
  /** The attributes that it reads. */
  readonly attributes: readonly AttributeUse[];
}

/** @param condition JSON text. It is compiled only to find issues; delivery compiles it again. */
export function checkCondition(condition: string): CheckedCondition {
  const warnings: ConditionIssue[] = [];
  const when: unknown = JSON.parse(condition);
  const compiled = compileCondition(when, warnings);
  if (typeof compiled !== 'function') return { issues: compiled, warnings, attributes: [] };
  warnings.push(...blankWarnings(when, 'when'));
  return { issues: [], warnings, attributes: attributeUses(when, 'when') };
}
