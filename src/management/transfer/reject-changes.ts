/** Asks the gate of publishing about what a sync or an import does: it is rejected as a whole. */
import type { Problem } from '../../contract/problems.js';
import { rejectLocked, rejectPublish } from '../gate/gate.js';
import { rejectWeakerGuards } from '../guards/weaker-guards.js';
import type { Db } from '../store/dialect.js';
import type { ContentChange } from './goes-live.js';

/**
 * Why it may not be done; null: it may. What only saves drafts passes a review policy, and settings of contents
 * that a ramp has locked pass nothing.
 * @param segments names of those that change
 * @param instead how it becomes a release, see `rejectPublish`
 */
export async function rejectChanges(
  db: Db,
  environment: string,
  changes: readonly ContentChange[],
  segments: readonly string[],
  instead: string,
): Promise<Problem | null> {
  const weaker = await rejectWeaker(db, environment, changes);
  if (weaker !== null) return weaker;
  const contents = changes.map(({ before, save }) => save?.idLower ?? before?.idLower ?? '');
  const uses = new Set(changes.flatMap(usesOf));
  const publishes = segments.length > 0 || changes.some(isPublished);
  const touched = { contents, segments, uses };
  return publishes
    ? rejectPublish(db, environment, touched, instead)
    : rejectLocked(db, environment, touched);
}

async function rejectWeaker(
  db: Db,
  environment: string,
  changes: readonly ContentChange[],
): Promise<Problem | null> {
  for (const { before, save } of changes) {
    if (before === undefined || save === null) continue;
    const guards = { before: before.guards, after: save.about.guards };
    const { id, live } = before;
    const edit = { id, isLive: live !== null, ...guards };
    const rejected = await rejectWeakerGuards(db, environment, edit);
    if (rejected !== null) return rejected;
  }
  return null;
}

function isPublished({ before, save }: ContentChange): boolean {
  if (save === null) return before !== undefined && before.live !== null;
  return save.delivered;
}

/** Saved segments of the state that goes live: a new revision, or what is the newest draft now. */
function usesOf({ before, save }: ContentChange): readonly string[] {
  if (save === null || !save.delivered || save.live === null) return [];
  const added = save.revisions.find(({ number }) => number === save.live);
  return added?.segments ?? before?.draft?.segments ?? [];
}
