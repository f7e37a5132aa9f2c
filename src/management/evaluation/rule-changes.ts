/** What an edit does to those a rule applies to: how many leave it, join it, or see another variant of its A/B test. */
import type { Rule } from '../../content/mapping/rule.js';
import { NOT_APPLIED } from '../../content/selection.js';
import type { RuleChange } from '../../contract/operations/preview.js';
import { pairRules } from '../contents/diff/pair-rules.js';
import { type PreviewResponse, shareOf } from './preview-side.js';

/** Contexts that go from one response to another, or keep it. */
export interface ResponsePair {
  readonly now: PreviewResponse | null;
  readonly edit: PreviewResponse | null;
  readonly count: number;
  /** Those of them without a user id. */
  readonly withoutUserId: number;
}

interface PlacedRule {
  readonly segment: string;
  readonly place: number;
  readonly rule: Rule;
}

export function ruleChanges(
  now: readonly Rule[],
  edit: readonly Rule[],
  responses: readonly ResponsePair[],
): RuleChange[] {
  return pairRules(placed(now), placed(edit), 'segment').map((pair) => {
    const sides = [pair.now, pair.edit].filter((side) => side !== null);
    const test = sides.every(({ rule }) => rule.variants !== null);
    let [contexts, otherVariant, left, joined] = [0, 0, 0, 0];
    for (const { now: before, edit: after, count, withoutUserId } of responses) {
      const counted = test ? count - withoutUserId : count;
      const old = choiceOf(pair.now, before);
      const fresh = choiceOf(pair.edit, after);
      if (old === null) {
        if (fresh !== null) joined += counted;
        continue;
      }
      contexts += counted;
      if (fresh === null) left += counted;
      else if (test && old !== fresh) otherVariant += counted;
    }
    return {
      segment: (pair.edit ?? pair.now)?.segment ?? '',
      now: pair.now?.place ?? null,
      edit: pair.edit?.place ?? null,
      test,
      contexts,
      otherVariant: { contexts: otherVariant, share: shareOf(otherVariant, contexts) },
      left: { contexts: left, share: shareOf(left, contexts) },
      joined,
    };
  });
}

function placed(rules: readonly Rule[]): PlacedRule[] {
  return rules.map((rule, place) => ({ segment: rule.segment, place, rule }));
}

/** The name of the variant, or '' of a rule without any; null: it does not apply. */
function choiceOf(side: PlacedRule | null, response: PreviewResponse | null): string | null {
  if (side === null || response === null) return null;
  const choice = response.selection.choices[side.place] ?? NOT_APPLIED;
  if (choice === NOT_APPLIED) return null;
  return side.rule.variants?.[choice]?.name ?? '';
}
