/** Rows of what ramps reach. They are there exactly while a release ramps or is paused; the primary key keeps two apart. */
import { contentNamedBy } from '../contents/joins.js';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ReleaseId } from './releases.js';

/** Something that players receive differently while a release ramps. */
export interface ReachedName {
  readonly kind: 'content' | 'segment';
  /** Lower-case content id or segment name. */
  readonly name: string;
}

/** Four columns a row, and two parameters a name, stay far below what either database takes. */
const rowsPerStatement = 1_000;

/** By kind and name. */
export async function listReach(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<ReachedName[]> {
  return db
    .selectFrom('releaseReach')
    .select(['kind', 'name'])
    .where((where) => where.and({ environment, release }))
    .orderBy('kind')
    .orderBy('name')
    .execute();
}

/**
 * Which of these names releases that ramp or are paused reach.
 * @returns each with the number of the release
 */
export async function findReached(
  db: Db,
  environment: string,
  names: readonly ReachedName[],
): Promise<(ReachedName & { readonly release: number })[]> {
  const found: (ReachedName & { readonly release: number })[] = [];
  for (const kind of ['content', 'segment'] as const) {
    const ofKind = names.filter((one) => one.kind === kind).map(({ name }) => name);
    for (let from = 0; from < ofKind.length; from += rowsPerStatement) {
      const rows = await db
        .selectFrom('releaseReach')
        .select(['kind', 'name', 'release'])
        .where((where) => where.and({ environment, kind }))
        .where('name', 'in', ofKind.slice(from, from + rowsPerStatement))
        .orderBy('name')
        .execute();
      found.push(...rows);
    }
  }
  return found;
}

/** Locks what a ramp reaches. None of it is reached by another one (`findReached`). */
export async function insertReach(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  names: readonly ReachedName[],
): Promise<void> {
  for (let from = 0; from < names.length; from += rowsPerStatement) {
    const rows = names
      .slice(from, from + rowsPerStatement)
      .map(({ kind, name }) => ({ environment, release, kind, name }));
    await write.db.insertInto('releaseReach').values(rows).execute();
  }
}

/** The ramp has ended. */
export async function deleteReach(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
): Promise<void> {
  await write.db
    .deleteFrom('releaseReach')
    .where((where) => where.and({ environment, release }))
    .execute();
}

/**
 * Number of a release that ramps or is paused in an environment; null: there is none.
 * @param except a release that does not count
 */
export async function findAnyRamp(db: Db, environment: string, except = 0): Promise<number | null> {
  const row = await db
    .selectFrom('releaseReach')
    .select('release')
    .where('environment', '=', environment)
    .where('release', '!=', except)
    .limit(1)
    .executeTakeFirst();
  return row?.release ?? null;
}

/**
 * Which reached contents use these segments, live or as the candidate of their release: an edit of such a segment changes
 * what they deliver.
 */
export async function findReachedUsers(
  db: Db,
  environment: string,
  segments: readonly string[],
): Promise<(ReachedName & { readonly release: number })[]> {
  const found: (ReachedName & { readonly release: number })[] = [];
  for (let from = 0; from < segments.length; from += rowsPerStatement) {
    const rows = await db
      .selectFrom('releaseReach')
      .innerJoin('revisionSegments', (join) =>
        join
          .onRef('revisionSegments.environment', '=', 'releaseReach.environment')
          .onRef('revisionSegments.idLower', '=', 'releaseReach.name'),
      )
      .innerJoin('contents', contentNamedBy('releaseReach'))
      .leftJoin('releaseChanges', (join) =>
        join
          .onRef('releaseChanges.environment', '=', 'releaseReach.environment')
          .onRef('releaseChanges.release', '=', 'releaseReach.release')
          .onRef('releaseChanges.kind', '=', 'releaseReach.kind')
          .onRef('releaseChanges.name', '=', 'releaseReach.name'),
      )
      .select(['releaseReach.kind', 'releaseReach.name', 'releaseReach.release'])
      .distinct()
      .where('releaseReach.environment', '=', environment)
      .where('releaseReach.kind', '=', 'content')
      .where('revisionSegments.segment', 'in', segments.slice(from, from + rowsPerStatement))
      .where(({ eb, or, ref }) =>
        or([
          eb('revisionSegments.number', '=', ref('contents.live')),
          eb('revisionSegments.number', '=', ref('releaseChanges.revision')),
        ]),
      )
      .orderBy('releaseReach.name')
      .execute();
    found.push(...rows);
  }
  return found;
}
