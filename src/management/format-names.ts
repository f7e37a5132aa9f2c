/** Names and counts in the sentences of problems and warnings. Pure. */
import { namesShownMax } from './limits/evaluation.js';

/** `shop, offers and 3 more`: the first `namesShownMax` of them; '' of none. */
export function formatNames(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length - namesShownMax;
  const shown = all.slice(0, namesShownMax).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** `an approval`, `2 approvals`. */
export function formatApprovals(count: number): string {
  return count === 1 ? 'an approval' : `${count} approvals`;
}
