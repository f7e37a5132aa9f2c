/** What became live in an environment lately, by the record of publications: each write once, however many contents it had. */
import { getOrAdd } from '../../get-or-add.js';
import type { Db } from '../dialect.js';

export interface PublishedContent {
  /** As it was created. */
  readonly id: string;
  /** Null: nothing was live of it from then on. */
  readonly revision: number | null;
  /** Of the revision; '' without one. */
  readonly author: string;
  readonly note: string;
}

export interface RecentPublication {
  /** Milliseconds since the epoch: the time of the write. */
  readonly at: number;
  readonly total: number;
  /** The first of them by lower-case id, at least one. */
  readonly contents: readonly PublishedContent[];
}

/**
 * Newest first. Records that repeat what was live before, such as those of drafts, are none. A content whose last change is older cannot have been published since, so few rows are looked at.
 * @param limit of publications
 * @param named contents that are listed of each
 */
export async function listRecentPublications(
  db: Db,
  environment: string,
  sinceMs: number,
  { limit, named }: { readonly limit: number; readonly named: number },
): Promise<RecentPublication[]> {
  const writes = await db
    .selectFrom(selectRecent(db, environment, sinceMs).as('recent'))
    .select((select) => ['at', select.fn.countAll<number>().as('total')])
    .groupBy('at')
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  const oldest = writes.at(-1);
  if (oldest === undefined) return [];
  const ranked = selectRecent(db, environment, oldest.at).select((select) =>
    select.fn
      .agg<number>('row_number')
      .over((over) => over.partitionBy('publications.at').orderBy('contents.idLower'))
      .as('place'),
  );
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .leftJoin('revisions', (join) =>
      join
        .on('revisions.environment', '=', environment)
        .onRef('revisions.idLower', '=', 'ranked.idLower')
        .onRef('revisions.number', '=', 'ranked.number'),
    )
    .where('ranked.place', '<=', named)
    .select(['ranked.at', 'ranked.id', 'ranked.number', 'revisions.author', 'revisions.note'])
    .orderBy('ranked.at', 'desc')
    .orderBy('ranked.place')
    .execute();
  const byTime = new Map<number, PublishedContent[]>();
  for (const { at, id, number: revision, author, note } of rows) {
    const published = { id, revision, author: author ?? '', note: note ?? '' };
    getOrAdd(byTime, at, () => []).push(published);
  }
  return writes.map(({ at, total }) => ({
    at,
    total: Number(total),
    contents: byTime.get(at) ?? [],
  }));
}

function selectRecent(db: Db, environment: string, sinceMs: number) {
  return db
    .selectFrom('contents')
    .innerJoin('publications', (join) =>
      join
        .onRef('publications.environment', '=', 'contents.environment')
        .onRef('publications.idLower', '=', 'contents.idLower'),
    )
    .where('contents.environment', '=', environment)
    .where('contents.updatedAt', '>=', sinceMs)
    .where('publications.at', '>=', sinceMs)
    .where(({ eb, selectFrom }) => {
      const before = selectFrom('publications as before')
        .whereRef('before.environment', '=', 'publications.environment')
        .whereRef('before.idLower', '=', 'publications.idLower')
        .whereRef('before.at', '<', 'publications.at')
        .orderBy('before.at', 'desc')
        .limit(1)
        .select('before.number');
      return eb('publications.number', 'is distinct from', before);
    })
    .select(['contents.id', 'contents.idLower', 'publications.at', 'publications.number']);
}
