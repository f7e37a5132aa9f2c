/** Says what an edit does to those in each rule: who sees another variant of a test, leaves it, or joins it. */
import type { Preview, RuleChange } from '../../../contract/operations/preview.js';

/** A sentence for each rule of both sides that somebody moves in, those that move the most first. */
export function ruleChangeWords(changes: readonly RuleChange[]): string[] {
  return changes
    .filter(({ now, edit }) => now !== null && edit !== null)
    .toSorted((a, b) => movedShare(b) - movedShare(a))
    .flatMap(({ segment, test, contexts, otherVariant, left, joined }) => {
      const parts = [
        ...(otherVariant.contexts > 0
          ? [`${percent(otherVariant.share)} would see another variant`]
          : []),
        ...(left.contexts > 0 ? [`${percent(left.share)} would leave it`] : []),
      ];
      const joins = joined === 0 ? '' : `${joined.toLocaleString('en')} would join it`;
      if (parts.length === 0 && joins === '') return [];
      const moved =
        parts.length === 0 ? '' : `of the ${usersOf(contexts)} in it, ${parts.join(' and ')}`;
      const words = [moved, joins].filter((part) => part !== '').join('; ');
      return [`${test ? 'Test' : 'Rule'} ${segment}: ${words}.`];
    });
}

/** Names of the rules that no made-up user gets, which the figures say nothing about. */
export function untriedRules({ edit }: Pick<Preview, 'edit'>): string[] {
  return edit.rules
    .filter(({ contexts, missed }) => contexts + missed === 0)
    .map(({ segment }) => segment);
}

function movedShare({ otherVariant, left }: RuleChange): number {
  return otherVariant.share + left.share;
}

function usersOf(count: number): string {
  return count === 1 ? '1 user' : `${count.toLocaleString('en')} users`;
}

/** Whole per cents: the figure is of some hundred users. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 0 && share > 0 ? 'under 1 %' : `${whole} %`;
}
