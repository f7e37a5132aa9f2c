/** Describes what an edit does to the users of each rule: who sees another variant of a test, leaves it or joins it. */
import type { Preview, RuleChange } from '../../../contract/operations/preview.js';
import { counted } from '../../parts/counted.js';

/** A sentence for each rule of both sides whose users change, the largest share first. */
export function describeRuleChanges(changes: readonly RuleChange[]): string[] {
  return changes
    .filter(({ now, edit }) => now !== null && edit !== null)
    .toSorted((a, b) => movedShare(b) - movedShare(a))
    .flatMap(({ segment, test, contexts, otherVariant, left, joined }) => {
      const moves = [
        otherVariant.contexts > 0 && `${percent(otherVariant.share)} would see another variant`,
        left.contexts > 0 && `${percent(left.share)} would leave it`,
      ].filter((move) => move !== false);
      const parts = [
        moves.length > 0 && `of the ${counted(contexts, 'user')} in it, ${moves.join(' and ')}`,
        joined > 0 && `${joined.toLocaleString('en')} would join it`,
      ].filter((part) => part !== false);
      return parts.length === 0
        ? []
        : [`${test ? 'Test' : 'Rule'} ${segment}: ${parts.join('; ')}.`];
    });
}

/** Names of the rules that no made-up user gets: the figures say nothing about them. */
export function untriedRules({ edit }: Pick<Preview, 'edit'>): string[] {
  return edit.rules
    .filter(({ contexts, missed }) => contexts + missed === 0)
    .map(({ segment }) => segment);
}

function movedShare({ otherVariant, left }: RuleChange): number {
  return otherVariant.share + left.share;
}

/** Of thousands of users: whole per cents, and tenths where few are concerned. */
export function finePercent(share: number): string {
  const points = share * 100;
  if (points > 0 && points < 0.1) return 'under 0.1 %';
  return `${points < 10 ? Number(points.toFixed(1)) : Math.round(points)} %`;
}

/** Whole per cents: the figure is of some hundred users. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 0 && share > 0 ? 'under 1 %' : `${whole} %`;
}
