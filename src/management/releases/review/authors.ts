/** Whose work a release is, directly or through users that they made: none of them can approve it. */
import type { Db } from '../../store/dialect.js';
import type { ReleaseChangeRecord } from '../../store/releases/release-changes.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import type { UserOrigin } from '../../store/users/origins.js';

/** Ids of users, present or gone. */
export interface Authors {
  /** They made the release or edited it in any version, or saved a revision that it brings. */
  readonly own: ReadonlySet<string>;
  /** These, and users that any of them made, or decided to be no program. */
  readonly all: ReadonlySet<string>;
}

export async function findAuthors(
  db: Db,
  release: ReleaseRecord,
  changes: readonly ReleaseChangeRecord[],
  origins: readonly UserOrigin[],
): Promise<Authors> {
  const names = new Set<string>();
  for (const change of changes) {
    for (const name of await authorsOfChange(db, release, change)) names.add(name);
  }
  const own = new Set([release.createdBy, ...changes.map(({ addedBy }) => addedBy)]);
  for (const { userId } of await listEditors(db, release)) own.add(userId);
  for (const { userId, name } of origins) if (names.has(name)) own.add(userId);
  // '' is the server itself, which is no author.
  own.delete('');
  return { own, all: withMade(own, origins) };
}

/**
 * Changes that were put in again name only the last user that did so; the timeline has all of them. An edit of title or
 * description has no text there: no approval is about them, so its user is no author.
 */
function listEditors(
  db: Db,
  { environment, release }: ReleaseRecord,
): Promise<{ readonly userId: string }[]> {
  return db
    .selectFrom('releaseTimeline')
    .select('userId')
    .distinct()
    .where((where) => where.and({ environment, release, event: 'release.update' }))
    .where('text', '!=', '')
    .execute();
}

/** Adds the users that these made, and so on. Pure. */
export function withMade(
  makers: ReadonlySet<string>,
  origins: readonly UserOrigin[],
): ReadonlySet<string> {
  const found = new Set(makers);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { userId, madeBy } of origins) {
      if (madeBy.some((maker) => found.has(maker))) found.add(userId);
    }
  }
  return found;
}

/**
 * Names of the authors of everything between what was live and what goes live: a revision holds what the drafts below it
 * brought.
 */
async function authorsOfChange(
  db: Db,
  { environment }: ReleaseRecord,
  { kind, name, revision, base }: ReleaseChangeRecord,
): Promise<readonly string[]> {
  if (revision === null) return [];
  const after = Math.min(base ?? 0, revision - 1);
  const rows =
    kind === 'content'
      ? await db
          .selectFrom('revisions')
          .select('author')
          .distinct()
          .where((where) => where.and({ environment, idLower: name }))
          .where('number', '>', after)
          .where('number', '<=', revision)
          .execute()
      : await db
          .selectFrom('segmentRevisions')
          .select('author')
          .distinct()
          .where((where) => where.and({ environment, name }))
          .where('number', '>', after)
          .where('number', '<=', revision)
          .execute();
  return rows.map(({ author }) => author);
}
