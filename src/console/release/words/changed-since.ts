/** What was published over a release after it went live. Pure. */
import type { Release } from '../../../contract/schemas/release.js';
import { nameOfChange, titleOfChange } from '../../releases/words/change-words.js';

/** A line for each change whose item has another live revision than the release gave it. */
export function changedSince({ state, changes }: Pick<Release, 'state' | 'changes'>): string[] {
  if (state !== 'live') return [];
  return changes.flatMap((change) => {
    if (change.kind === 'environment' || !change.conflict) return [];
    const now = change.live === null ? 'not live any more' : `r${change.live} is live now`;
    return [`${titleOfChange(nameOfChange(change))}: ${now}`];
  });
}
