/**
 * Which A/B tests of a mapping interfere: both change the same of a player who is in both at the same time, so that neither measures
 * its own effect alone. As exact as `sharedPlayers`: that two do not interfere is proven. Pure.
 */
import type { Layers } from '../layers.js';
import type { MutationSource, Rule } from '../mapping/rule.js';
import type { Span } from '../mapping/window.js';
import { compileMutation } from '../mutation/mutation.js';
import { MutationIssue } from '../mutation/mutation-issue.js';
import { firstMeeting, openSpans } from './meeting.js';
import { effectsOf, type Touch, touchOf } from './rule-effects.js';
import type { ComparisonBudget } from './shared-players.js';

/** A rule, and its condition or the saved one as `JSON.parse` gave it; null: it is not known. */
export interface RuleWithCondition {
  readonly rule: Rule;
  readonly when: unknown;
}

/** Two tests, by the places of their rules. */
export interface Interference extends Touch {
  readonly a: number;
  readonly b: number;
  /** When some player can be in both for the first time, as instants. */
  readonly when: Span;
}

export interface Interferences {
  readonly pairs: readonly Interference[];
  /** There were more pairs, or longer conditions, than are compared. */
  readonly cut: boolean;
}

/** Pairs of tests whose paths are compared: all of 100 tests. */
const pairsMax = 4_950;

/**
 * @param rules of one mapping, in its order
 * @param untilMs no more than some 400 days after `fromMs`
 * @param budget what comparing conditions may cost
 */
export function findInterferences(
  rules: readonly RuleWithCondition[],
  layers: Layers,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  budget: ComparisonBudget,
): Interferences {
  const tests = rules.flatMap(({ rule, when }, place) => {
    if (rule.variants === null) return [];
    const open = openSpans(rule, fromMs, untilMs);
    return [{ place, open, effects: effectsOf(withoutEmptyMerges(rule), when, layers) }];
  });
  const pairs: Interference[] = [];
  let compared = 0;
  for (const [at, a] of tests.entries()) {
    for (const b of tests.slice(at + 1)) {
      if (compared++ === pairsMax || budget.left <= 0) return { pairs, cut: true };
      const when = firstMeeting(a.open, b.open, fromMs, untilMs);
      const touch = when === null ? null : touchOf(a.effects, b.effects, budget);
      if (when !== null && touch !== null) pairs.push({ a: a.place, b: b.place, when, ...touch });
    }
  }
  return { pairs, cut: budget.left <= 0 };
}

/**
 * The rule without merges of nothing (`{}`), such as that of a variant that was just added: they leave an object as it is.
 * A document that is no object would become one; two tests do not compete for that.
 */
function withoutEmptyMerges(rule: Rule): Rule {
  const shown = (source: MutationSource | null): MutationSource | null =>
    source !== null && isEmptyMerge(source) ? null : source;
  const variants = rule.variants?.map((one) => ({ ...one, mutation: shown(one.mutation) })) ?? null;
  return { ...rule, mutation: shown(rule.mutation), variants };
}

function isEmptyMerge({ kind, document }: MutationSource): boolean {
  if (kind !== 'merge') return false;
  const mutation = compileMutation(kind, document);
  if (mutation instanceof MutationIssue || mutation.kind !== 'merge') return false;
  return mutation.patch.members?.length === 0;
}
