/** Words for what an edit does to those in each rule: who sees another variant of a test, leaves it, or joins it. */
import type { RuleChange } from '../../contract/operations/preview.js';

/** A sentence for each rule of both sides that somebody moves in; none for a rule that is new or removed. */
export function formatRuleChanges(changes: readonly RuleChange[]): string[] {
  return changes.flatMap((change) => {
    const { now, edit, segment, test, contexts, otherVariant, left, joined } = change;
    if (now === null || edit === null) return [];
    const parts = [
      ...(otherVariant.contexts > 0
        ? [`${percent(otherVariant.share)} would see another variant`]
        : []),
      ...(left.contexts > 0 ? [`${percent(left.share)} would leave it`] : []),
    ];
    const joins = joined === 0 ? '' : `${joined} would join it`;
    if (parts.length === 0 && joins === '') return [];
    const moved =
      parts.length === 0 ? '' : `of the ${usersOf(contexts)} in it, ${parts.join(' and ')}`;
    const words = [moved, joins].filter((part) => part !== '').join('; ');
    return [`${test ? 'Test' : 'Rule'} ${segment}: ${words}.`];
  });
}

function usersOf(count: number): string {
  return count === 1 ? '1 user' : `${count} users`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
