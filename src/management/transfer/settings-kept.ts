/** Warns of what a release does not take from a sync: what is beside the revisions would change at once. */
import type { ValidationIssue } from '../../contract/problems.js';
import { namesShownMax } from '../limits.js';
import type { SyncPlan } from './plan-sync.js';

/** Empty where no release is made. */
export function settingsKept({ isReleased, aboutKept, segments }: SyncPlan): ValidationIssue[] {
  if (!isReleased) return [];
  const described = segments
    .filter(({ source, target }) => source.description !== (target?.description ?? ''))
    .map(({ source }) => source.name);
  return [
    ...kept('about', 'descriptions, tags, schemas and guards of content items', aboutKept),
    ...kept('segments', 'descriptions of saved segments', described),
  ];
}

function kept(path: string, what: string, names: readonly string[]): ValidationIssue[] {
  if (names.length === 0) return [];
  const more = names.length - namesShownMax;
  const shown = names.slice(0, namesShownMax).join(', ');
  const which = `${shown}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ path, message: `a release does not take ${what}: those of ${which} stay as they are` }];
}
