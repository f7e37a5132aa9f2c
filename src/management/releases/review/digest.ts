/** What an approval is for: a digest of changes, reach, steps, brake and confirmed findings. Title and description are no part of it. */
import { digestOf } from '../../../content/hash.js';
import type { Db } from '../../store/dialect.js';
import type { ReleaseChangeRecord } from '../../store/releases/release-changes.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import { type Reach, readReach } from '../reach.js';

/**
 * Of a release as it is now: it differs once any of it is another, the contents that use a changed segment included.
 * @param confirmed digest of the findings that were confirmed; null: none were
 */
export async function digestOfRelease(
  db: Db,
  release: ReleaseRecord,
  changes: readonly ReleaseChangeRecord[],
  confirmed: string | null,
): Promise<string> {
  return digestOfParts(release, changes, await readReach(db, release, changes), confirmed);
}

/** Independent of the order of rows, and of how a database sorts. SHA-256, lower-case hex. */
export function digestOfParts(
  { environment, release, steps, brake }: ReleaseRecord,
  changes: readonly ReleaseChangeRecord[],
  reach: Reach,
  confirmed: string | null,
): string {
  const changed = changes.map(({ kind, name, revision, base, edit }) =>
    canonical([kind, name, revision, base, edit]),
  );
  const reached = [[...reach.contents.keys()].sort(), [...reach.segments].sort()];
  const parts = [environment, release, changed.sort(), reached, steps, brake];
  // Left out where there is none: what earlier versions approved stays approved.
  return digestOf(canonical(confirmed === null ? parts : [...parts, confirmed]));
}

/** JSON with the members of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
