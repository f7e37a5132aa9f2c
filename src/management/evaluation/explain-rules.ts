/** Says of each rule of a mapping whether it applies to a caller, and what decided. */
import { strict as assert } from 'node:assert';
import { bucketOf } from '../../content/bucket.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Rule } from '../../content/mapping/mapping.js';
import { infoOf, NOT_APPLIED } from '../../content/selection.js';
import type { RuleOutcome, RuleResult } from '../../contract/schemas/rule-result.js';
import type { Candidate } from './candidate.js';
import { takeApart } from './condition-tree.js';
import { type ExplainedCondition, explainCondition } from './explain-condition.js';
import { type ExplainedLayers, explainLayers } from './explain-layers.js';
import { explainWindow } from './explain-window.js';

/**
 * @param atMs milliseconds since the epoch
 * @param choices what the plan selected, per rule
 * @param missed by index of the rule: why its mutation could not apply
 */
export function explainRules(
  { rules, conditions, layers }: Candidate,
  caller: EvaluationContext,
  atMs: number,
  choices: readonly number[],
  missed: ReadonlyMap<number, string>,
): RuleResult[] {
  return rules.map((rule, index) => {
    const bucket = rule.variants === null ? null : bucketOf(rule.salt, caller);
    const place = explainLayers(rule, layers, caller);
    const ended = endOf(rule, conditions[index] ?? null, caller, atMs, { bucket, place });
    const selected = ended.outcome === 'applied';
    assert.equal(selected, choices[index] !== NOT_APPLIED, 'what is explained is what is selected');
    const issue = missed.get(index);
    const variant = selected ? (rule.variants?.[choices[index] ?? 0] ?? null) : null;
    const isMissed = selected && issue !== undefined;
    const reason = isMissed
      ? `${ended.reason} But its change could not apply, so it is left out: ${issue}.`
      : ended.reason;
    return {
      rule: index,
      segment: rule.segment,
      outcome: isMissed ? 'mutation_missed' : ended.outcome,
      applied: selected && !isMissed,
      variant: variant?.name ?? null,
      group: bucket,
      salt: rule.salt,
      layer: place.layer,
      holdout: rule.holdout,
      info: infoOf(rule, variant),
      saved: rule.condition === null,
      decidedBy: ended.decidedBy,
      reason,
    };
  });
}

interface Drawn {
  /** Of its variants; null: it has none. */
  readonly bucket: number | null;
  readonly place: ExplainedLayers;
}

type End = Pick<RuleResult, 'outcome' | 'decidedBy' | 'reason'>;

function endOf(
  rule: Rule,
  condition: unknown,
  caller: EvaluationContext,
  atMs: number,
  { bucket, place }: Drawn,
): End {
  const unread = (outcome: RuleOutcome, reason: string): End => {
    return { outcome, decidedBy: [], reason };
  };
  const window = explainWindow(rule, caller, atMs);
  if (window.closed !== null) return unread(window.closed, window.reason);
  if (place.rejected !== null) return unread(place.rejected, window.reason + place.reason);
  if (condition === null) return unread('segment_missing', 'Its saved segment does not exist.');
  const explained = explainCondition(takeApart(condition), caller);
  const { decidedBy } = explained;
  const text = window.reason + place.reason + describeCondition(explained, rule.condition === null);
  if (!explained.holds) return { outcome: 'condition_failed', decidedBy, reason: text };
  if (rule.variants === null || bucket === null) {
    return { outcome: 'applied', decidedBy, reason: text };
  }
  const drawn = drawnWith(rule.salt, caller);
  const variant = rule.variants.find(({ from, to }) => from <= bucket && bucket <= to);
  if (variant === undefined) {
    const reason = `${text} But no variant takes the bucket ${bucket}${drawn}.`;
    return { outcome: 'group_not_in_test', decidedBy, reason };
  }
  const { name, from, to } = variant;
  const reason = `${text} The bucket ${bucket}${drawn} is of the variant "${name}", ${from} to ${to}.`;
  return { outcome: 'applied', decidedBy, reason };
}

/** Where a bucket comes from, where that is not `meta.mod`. */
function drawnWith(salt: string | null, caller: EvaluationContext): string {
  if (caller.u === '') return ' (that of all callers without a user id)';
  return salt === null ? '' : ` (assigned with the salt ${JSON.stringify(salt)})`;
}

/** What decided, in sentences: `Its condition does not match: country is "DE", but must be "US".` */
export function describeCondition(
  { holds, decidedBy }: ExplainedCondition,
  saved: boolean,
): string {
  const subject = saved ? 'The saved segment' : 'Its condition';
  if (decidedBy.length === 0)
    return `${subject} ${holds ? 'matches every user' : 'matches no user'}.`;
  const texts = decidedBy.map(({ text }) => text).join(' ');
  return `${subject} ${holds ? 'matches' : 'does not match'}: ${texts}`;
}
