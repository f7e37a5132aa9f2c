/** Says of each rule of a mapping whether it applies to a caller, and what decided. */
import type { Caller } from '../../content/caller.js';
import type { Condition } from '../../content/condition/condition.js';
import { groupOf } from '../../content/group.js';
import type { Rule } from '../../content/mapping/mapping.js';

export interface RuleVerdict {
  readonly segment: string;
  readonly applied: boolean;
  readonly variant: string | null;
  /** The caller's group in the rule's test; null for a rule without variants. */
  readonly group: number | null;
  /** One sentence. */
  readonly reason: string;
}

/**
 * @param saved the environment's saved conditions
 * @param atMs milliseconds since the epoch
 * @param faults by index of the rule: why its mutation could not apply
 */
export function explainRules(
  rules: readonly Rule[],
  saved: ReadonlyMap<string, Condition>,
  caller: Caller,
  atMs: number,
  faults: ReadonlyMap<number, string>,
): RuleVerdict[] {
  return rules.map((rule, index) => {
    const verdict = explainRule(rule, saved, caller, atMs);
    const fault = faults.get(index);
    if (fault === undefined) return verdict;
    return { ...verdict, applied: false, reason: `Its mutation could not apply: ${fault}.` };
  });
}

function explainRule(
  rule: Rule,
  saved: ReadonlyMap<string, Condition>,
  caller: Caller,
  atMs: number,
): RuleVerdict {
  const group = rule.variants === null ? null : groupOf(rule.salt, caller);
  const not = (reason: string): RuleVerdict => ({
    segment: rule.segment,
    applied: false,
    variant: null,
    group,
    reason,
  });
  if (atMs < rule.fromMs) return not(`It begins at ${timeText(rule.fromMs)}.`);
  if (atMs >= rule.untilMs) return not(`It ended at ${timeText(rule.untilMs)}.`);
  const condition = rule.condition ?? saved.get(rule.segment);
  if (condition === undefined) return not('Its saved segment does not exist.');
  const isSaved = rule.condition === null;
  if (!condition(caller)) {
    return not(isSaved ? 'The saved segment does not match.' : 'Its condition does not match.');
  }
  const matches = isSaved ? 'The saved segment matches' : 'Its condition matches';
  const { segment } = rule;
  if (rule.variants === null) {
    return { segment, applied: true, variant: null, group, reason: `${matches}.` };
  }
  const variant = rule.variants.find(
    ({ from, to }) => group !== null && from <= group && group <= to,
  );
  if (variant === undefined) return not(`${matches}, but no variant has the group ${group}.`);
  const reason = `${matches}, and the group ${group} is of ${variant.from} to ${variant.to}.`;
  return { segment, applied: true, variant: variant.name, group, reason };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
