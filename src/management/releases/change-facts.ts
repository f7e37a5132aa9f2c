/** What is live now of each item that a release changes, and whether that moved away from what the change was made for. */
import { contentNamedBy } from '../store/contents/joins.js';
import type { Db } from '../store/dialect.js';
import { listReleaseChanges, type ReleaseChangeRecord } from '../store/releases/release-changes.js';
import type { ReleaseRecord } from '../store/releases/releases.js';

export interface ChangeFacts extends ReleaseChangeRecord {
  /** Number of the live revision; null: nothing is live, or it is a change of the environment. */
  readonly live: number | null;
  /** The live revision is another one than the change was made for, or has been made live by it. */
  readonly conflict: boolean;
  /** The revision that it names is there: retention has not removed it. True for deletions. */
  readonly kept: boolean;
  /** Who saved the revision, and why; '' for a deletion. */
  readonly author: string;
  readonly note: string;
}

interface ItemFacts {
  readonly live: number | null;
  /** When the content was deleted, milliseconds since the epoch; null: it is not. */
  readonly deletedAtMs: number | null;
  readonly author: string | null;
  readonly note: string | null;
}

const nothingKnown: ItemFacts = { live: null, deletedAtMs: null, author: null, note: null };

/** By kind and name. */
export async function readChangeFacts(db: Db, release: ReleaseRecord): Promise<ChangeFacts[]> {
  const changes = await listReleaseChanges(db, release);
  const contents = await factsOfContents(db, release);
  const segments = await factsOfSegments(db, release);
  return changes.map((change) => {
    const { kind, name, revision } = change;
    if (kind === 'environment') {
      return { ...change, live: null, conflict: false, kept: true, author: '', note: '' };
    }
    const facts = (kind === 'content' ? contents : segments).get(name) ?? nothingKnown;
    return {
      ...change,
      live: facts.live,
      conflict: isConflict(release, change, facts),
      kept: revision === null || facts.author !== null,
      ...{ author: facts.author ?? '', note: facts.note ?? '' },
    };
  });
}

function isConflict(
  { state }: ReleaseRecord,
  { base, liveAfter, addedAt }: ReleaseChangeRecord,
  { live, deletedAtMs }: ItemFacts,
): boolean {
  if (state === 'reverted' || state === 'cancelled') return false;
  if (state === 'live') return live !== liveAfter;
  // A draft that was deleted since has nothing live, as before.
  return live !== base || (deletedAtMs !== null && deletedAtMs > addedAt);
}

async function factsOfContents(
  db: Db,
  { environment, release }: ReleaseRecord,
): Promise<ReadonlyMap<string, ItemFacts>> {
  const rows = await db
    .selectFrom('releaseChanges')
    .leftJoin('contents', contentNamedBy('releaseChanges'))
    .leftJoin('revisions', (join) =>
      join
        .onRef('revisions.environment', '=', 'releaseChanges.environment')
        .onRef('revisions.idLower', '=', 'releaseChanges.name')
        .onRef('revisions.number', '=', 'releaseChanges.revision'),
    )
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'content')
    .select(['releaseChanges.name', 'contents.live', 'contents.deletedAt as deletedAtMs'])
    .select(['revisions.author', 'revisions.note'])
    .execute();
  return new Map(rows.map(({ name, ...facts }) => [name, facts]));
}

async function factsOfSegments(
  db: Db,
  { environment, release }: ReleaseRecord,
): Promise<ReadonlyMap<string, ItemFacts>> {
  const rows = await db
    .selectFrom('releaseChanges')
    .leftJoin('segments', (join) =>
      join
        .onRef('segments.environment', '=', 'releaseChanges.environment')
        .onRef('segments.name', '=', 'releaseChanges.name'),
    )
    .leftJoin('segmentRevisions', (join) =>
      join
        .onRef('segmentRevisions.environment', '=', 'releaseChanges.environment')
        .onRef('segmentRevisions.name', '=', 'releaseChanges.name')
        .onRef('segmentRevisions.number', '=', 'releaseChanges.revision'),
    )
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'segment')
    .select(['releaseChanges.name', 'segments.revision as live'])
    .select(['segmentRevisions.author', 'segmentRevisions.note'])
    .execute();
  return new Map(rows.map(({ name, ...facts }) => [name, { ...facts, deletedAtMs: null }]));
}
