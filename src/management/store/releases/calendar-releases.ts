/** Rows of releases that a calendar shows, with the mappings and saved segments of what they bring. */
import { ofRevision } from '../contents/joins.js';
import type { Db } from '../dialect.js';
import { listReleasesIn, type ReleaseId, type ReleaseRecord, rampStates } from './releases.js';

/** A content that a release changes. */
export interface BroughtContent {
  /** As it was created. */
  readonly id: string;
  /** null: the release deletes it. */
  readonly revision: number | null;
  /** Digest of its mapping; null: it has none. */
  readonly mapping: string | null;
  /** Names of the saved segments that it uses. */
  readonly segments: readonly string[];
}

/** Those that are due or under way, and those that went live in a time, by number. Times are milliseconds since the epoch. */
export async function listCalendarReleases(
  db: Db,
  environment: string,
  fromMs: number,
  untilMs: number,
): Promise<ReleaseRecord[]> {
  const open = await listReleasesIn(db, environment, ['scheduled', ...rampStates]);
  const live = await listReleasesIn(db, environment, ['live'], { fromMs, untilMs });
  return [...open, ...live].sort((a, b) => a.release - b.release);
}

/** By lower-case id. */
export async function listBroughtContents(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<ReadonlyMap<string, BroughtContent>> {
  const rows = await db
    .selectFrom('releaseChanges')
    .leftJoin('revisions', (join) =>
      join
        .onRef('revisions.environment', '=', 'releaseChanges.environment')
        .onRef('revisions.idLower', '=', 'releaseChanges.name')
        .onRef('revisions.number', '=', 'releaseChanges.revision'),
    )
    .leftJoin('revisionSegments', ofRevision('revisionSegments', 'revisions'))
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'content')
    .select(['releaseChanges.name', 'releaseChanges.id', 'releaseChanges.revision'])
    .select(['revisions.mapping', 'revisionSegments.segment'])
    .orderBy('revisionSegments.segment')
    .execute();
  const brought = new Map<string, BroughtContent & { readonly segments: string[] }>();
  for (const { name, segment, ...content } of rows) {
    const known = brought.get(name) ?? { ...content, segments: [] };
    if (segment !== null) known.segments.push(segment);
    brought.set(name, known);
  }
  return brought;
}
