/** Says of each rule of a mapping whether it applies to a caller, and what decided. */
import { strict as assert } from 'node:assert';
import { bucketOf } from '../../content/bucket.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Rule } from '../../content/mapping/mapping.js';
import { infoOf, NOT_APPLIED } from '../../content/selection.js';
import type { RuleOutcome, RuleResult } from '../../contract/operations/evaluate.js';
import { toIso } from '../to-iso.js';
import type { Candidate } from './candidate.js';
import { takeApart } from './condition-tree.js';
import { type ExplainedCondition, explainCondition } from './explain-condition.js';

/**
 * @param atMs milliseconds since the epoch
 * @param choices what the plan selected, per rule
 * @param missed by index of the rule: why its mutation could not apply
 */
export function explainRules(
  { rules, conditions }: Candidate,
  caller: EvaluationContext,
  atMs: number,
  choices: readonly number[],
  missed: ReadonlyMap<number, string>,
): RuleResult[] {
  return rules.map((rule, index) => {
    const group = rule.variants === null ? null : bucketOf(rule.salt, caller);
    const ended = endOf(rule, conditions[index] ?? null, caller, atMs, group);
    const selected = ended.outcome === 'applied';
    assert.equal(selected, choices[index] !== NOT_APPLIED, 'what is explained is what is selected');
    const fault = missed.get(index);
    const variant = selected ? (rule.variants?.[choices[index] ?? 0] ?? null) : null;
    const isMissed = selected && fault !== undefined;
    const reason = isMissed
      ? `${ended.reason} But its change could not apply, so it is left out: ${fault}.`
      : ended.reason;
    return {
      rule: index,
      segment: rule.segment,
      outcome: isMissed ? 'mutation_missed' : ended.outcome,
      applied: selected && !isMissed,
      variant: variant?.name ?? null,
      group,
      salt: rule.salt,
      info: infoOf(rule, variant),
      saved: rule.condition === null,
      decidedBy: ended.decidedBy,
      reason,
    };
  });
}

type End = Pick<RuleResult, 'outcome' | 'decidedBy' | 'reason'>;

function endOf(
  rule: Rule,
  condition: unknown,
  caller: EvaluationContext,
  atMs: number,
  group: number | null,
): End {
  const unread = (outcome: RuleOutcome, reason: string): End => {
    return { outcome, decidedBy: [], reason };
  };
  if (atMs < rule.fromMs) return unread('not_open_yet', `It begins at ${toIso(rule.fromMs)}.`);
  if (atMs >= rule.untilMs) return unread('closed', `It ended at ${toIso(rule.untilMs)}.`);
  if (condition === null) return unread('segment_missing', 'Its saved segment does not exist.');
  const explained = explainCondition(takeApart(condition), caller);
  const { decidedBy } = explained;
  const text = describeCondition(explained, rule.condition === null);
  if (!explained.holds) return { outcome: 'condition_failed', decidedBy, reason: text };
  if (rule.variants === null || group === null) {
    return { outcome: 'applied', decidedBy, reason: text };
  }
  const drawn = drawnWith(rule.salt, caller);
  const variant = rule.variants.find(({ from, to }) => from <= group && group <= to);
  if (variant === undefined) {
    const reason = `${text} But no variant takes the group ${group}${drawn}.`;
    return { outcome: 'group_not_in_test', decidedBy, reason };
  }
  const { name, from, to } = variant;
  const reason = `${text} The group ${group}${drawn} is of the variant "${name}", ${from} to ${to}.`;
  return { outcome: 'applied', decidedBy, reason };
}

/** Where a group comes from, where that is not `meta.mod`. */
function drawnWith(salt: string | null, caller: EvaluationContext): string {
  if (caller.u === '') return ' (that of all callers without a user id)';
  return salt === null ? '' : ` (drawn with the salt ${JSON.stringify(salt)})`;
}

/** What decided, in sentences: `Its condition does not match: country is "DE", but must be "US".` */
export function describeCondition(
  { holds, decidedBy }: ExplainedCondition,
  saved: boolean,
): string {
  const subject = saved ? 'The saved segment' : 'Its condition';
  if (decidedBy.length === 0) return `${subject} ${holds ? 'is for everybody' : 'is for nobody'}.`;
  const texts = decidedBy.map(({ text }) => text).join(' ');
  return `${subject} ${holds ? 'matches' : 'does not match'}: ${texts}`;
}
