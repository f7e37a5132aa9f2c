/** What a blame reads: which text each revision had, when one was first live, and which releases brought it. */
import type { ValueChange } from '../../../contract/operations/history/blame.js';
import type { ContentRecord } from '../../store/contents/contents.js';
import type { Db } from '../../store/dialect.js';
import { changesWithReleases } from '../../store/releases/release-changes.js';

type ContentKey = Pick<ContentRecord, 'environment' | 'idLower'>;

/** A revision, and the text of one of its version lines. */
export interface BlamedRevision {
  readonly number: number;
  readonly author: string;
  readonly note: string;
  readonly createdAt: number;
  readonly syncedFrom: string | null;
  readonly syncedRevision: number | null;
  /** Null: it has no such version line. */
  readonly textDigest: string | null;
  readonly textBytes: number | null;
}

/** Newest first, below `before`. */
export async function listBlamed(
  db: Db,
  { environment, idLower }: ContentKey,
  version: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<BlamedRevision[]> {
  return db
    .selectFrom('revisions')
    .leftJoin('revisionLines', (join) =>
      join
        .onRef('revisionLines.environment', '=', 'revisions.environment')
        .onRef('revisionLines.idLower', '=', 'revisions.idLower')
        .onRef('revisionLines.number', '=', 'revisions.number')
        .on('revisionLines.version', '=', version),
    )
    .where('revisions.environment', '=', environment)
    .where('revisions.idLower', '=', idLower)
    .where('revisions.number', '<', before)
    .select(['revisions.number', 'author', 'note', 'createdAt', 'syncedFrom', 'syncedRevision'])
    .select(['revisionLines.textDigest', 'revisionLines.textBytes'])
    .orderBy('revisions.number', 'desc')
    .limit(limit)
    .execute();
}

/** By number of the revision, when it was live first, milliseconds since the epoch. */
export async function firstLive(
  db: Db,
  { environment, idLower }: ContentKey,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom('publications')
    .select((select) => ['number', select.fn.min('at').as('at')])
    .where((row) => row.and({ environment, idLower }))
    .where('number', 'in', numbers)
    .groupBy('number')
    .execute();
  return new Map(rows.map(({ number, at }) => [number as number, Number(at)]));
}

/** Releases of one revision that are shown. */
const releasesShownMax = 3;

/** By number of the revision, the newest releases that name it or made it live. */
export async function releasesOf(
  db: Db,
  { environment, idLower }: ContentKey,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, ValueChange['releases']>> {
  if (numbers.length === 0) return new Map();
  const rows = await changesWithReleases(db, environment)
    .where('releaseChanges.kind', '=', 'content')
    .where('releaseChanges.name', '=', idLower)
    .where((where) =>
      where.or([where('revision', 'in', numbers), where('liveAfter', 'in', numbers)]),
    )
    .select(['releases.release', 'releases.title', 'releases.state'])
    .select(['releaseChanges.revision', 'releaseChanges.liveAfter'])
    .orderBy('releases.release', 'desc')
    .execute();
  const wanted = new Set(numbers);
  const found = new Map<number, ValueChange['releases']>();
  for (const { release, title, state, revision, liveAfter } of rows) {
    for (const number of new Set([revision, liveAfter])) {
      if (number === null || !wanted.has(number)) continue;
      const known = found.get(number) ?? [];
      if (known.length < releasesShownMax) found.set(number, [...known, { release, title, state }]);
    }
  }
  return found;
}
