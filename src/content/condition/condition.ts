/**
 * Conditions: MongoDB-style queries over a caller, in the dialect of the GrowthBook SDKs, compiled once to closures.
 *
 * Where the dialect would throw (`{"toString": 1}` as an attribute) nothing matches; inherited properties are not
 * attributes; what compares with an absent app version is false. Rejected when compiled: a name that is no operator
 * or stands where it cannot be one, a condition that the dialect itself throws on, a regular expression that needs
 * more than linear time, and whatever passes a limit of `condition-limits.ts`.
 */

import type { EvaluationContext } from '../evaluation-context.js';
import { compileMembers } from './condition-grammar.js';
import { conditionLevelsMax, conditionValuesMax } from './condition-limits.js';
import { type ConditionIssue, Site } from './condition-site.js';

export type { ConditionIssue } from './condition-site.js';

/** Whether a caller is in the segment. Never throws. */
export type Condition = (caller: EvaluationContext) => boolean;

/**
 * Compiles a condition given as `JSON.parse` gave it, or says all that is wrong with it. What is valid but can hardly
 * be meant (a list operator without a list, say) is appended to `warnings`.
 */
export function compileCondition(
  when: unknown,
  warnings: ConditionIssue[] = [],
): Condition | ConditionIssue[] {
  const tooLarge = sizeIssue(when);
  if (tooLarge !== null) return [{ path: 'when', message: tooLarge }];
  const site = Site.root('when');
  const test = compileMembers(when, site);
  if (site.issues.length > 0) return [...site.issues];
  warnings.push(...site.warnings);
  return (caller) => test(caller.p, caller);
}

/** Measured without recursion, and before anything recurses. */
function sizeIssue(when: unknown): string | null {
  let values = 0;
  let level: unknown[] = [when];
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > conditionLevelsMax) return `nests deeper than ${conditionLevelsMax} levels`;
    values += level.length;
    if (values > conditionValuesMax) return `has more than ${conditionValuesMax} values`;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const inner of Object.values(value)) below.push(inner);
    }
    level = below;
  }
  return null;
}
