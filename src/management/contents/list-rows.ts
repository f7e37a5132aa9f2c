/** Reads listings of contents: what is live of each, who saved it last, and who deleted those that are deleted. */
import type { ContentRecord } from '../store/contents/contents.js';
import { shownHash } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { timePrefix } from '../store/ids.js';

/** A content in a listing, with what its shown revision (live, else newest) delivers. */
export interface ListedContent
  extends Omit<ContentRecord, 'environment' | 'schema' | 'liveBefore' | 'createdAtMs'> {
  /** Hash of the highest line. */
  readonly hash: string;
  /** Has a mapping. */
  readonly dynamic: boolean;
  readonly lines: number;
  /** Delivered bytes of the highest line. */
  readonly jsonBytes: number;
  /** Who saved the newest revision. */
  readonly author: string;
  /** A sync made the newest revision: from which environment, and the number it has there. */
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

/**
 * By lower-case id. Schemas, which may be large, are not read.
 * @param deleted false: those that are there; true: those that are deleted
 * @param after lower-case id after which the page begins; '' for the first
 */
export async function listContents(
  db: Db,
  environment: string,
  deleted: boolean,
  after: string,
  limit: number,
): Promise<ListedContent[]> {
  const rows = await db
    .selectFrom('contents')
    .innerJoin('revisions as shown', (join) =>
      join
        .onRef('shown.environment', '=', 'contents.environment')
        .onRef('shown.idLower', '=', 'contents.idLower')
        .on((on) =>
          on(
            'shown.number',
            '=',
            on.fn.coalesce('contents.live', 'contents.liveBefore', 'contents.newest'),
          ),
        ),
    )
    .innerJoin('revisions as newest', (join) =>
      join
        .onRef('newest.environment', '=', 'contents.environment')
        .onRef('newest.idLower', '=', 'contents.idLower')
        .onRef('newest.number', '=', 'contents.newest'),
    )
    .innerJoin('revisionLines', (join) =>
      join
        .onRef('revisionLines.environment', '=', 'shown.environment')
        .onRef('revisionLines.idLower', '=', 'shown.idLower')
        .onRef('revisionLines.number', '=', 'shown.number'),
    )
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.deletedAt', deleted ? 'is not' : 'is', null)
    .where((where) =>
      where(
        'revisionLines.position',
        '=',
        where
          .selectFrom('revisionLines as highest')
          .whereRef('highest.environment', '=', 'shown.environment')
          .whereRef('highest.idLower', '=', 'shown.idLower')
          .whereRef('highest.number', '=', 'shown.number')
          .select((select) => select.fn.max('highest.position').as('position')),
      ),
    )
    .select(['contents.idLower', 'contents.id', 'contents.description', 'contents.tags'])
    .select(['contents.newest', 'contents.live', 'contents.updatedAt', 'contents.deletedAt'])
    .select(['revisionLines.jsonBytes', 'revisionLines.position', shownHash])
    .select(['shown.mapping', 'newest.author', 'newest.syncedFrom', 'newest.syncedRevision'])
    .orderBy('contents.idLower')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    idLower: row.idLower,
    id: row.id,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    newest: row.newest,
    live: row.live,
    updatedAtMs: row.updatedAt,
    deletedAtMs: row.deletedAt,
    hash: row.hash,
    dynamic: row.mapping !== null,
    lines: row.position + 1,
    jsonBytes: row.jsonBytes,
    author: row.author,
    synced:
      row.syncedFrom === null ? null : { from: row.syncedFrom, revision: row.syncedRevision ?? 0 },
  }));
}

/**
 * Who deleted contents, as far as the audit reaches back. Its ids begin with the time, and a deletion has the very time
 * that the content was deleted at: each is found without a search.
 */
export async function findDeleters(
  db: Db,
  environment: string,
  contents: readonly Pick<ListedContent, 'id' | 'deletedAtMs'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const byTime = new Map<number, Awaited<ReturnType<typeof deletionsAt>>>();
  for (const { id, deletedAtMs } of contents) {
    if (deletedAtMs === null) continue;
    // An import deletes many at once.
    const rows = byTime.get(deletedAtMs) ?? (await deletionsAt(db, environment, deletedAtMs));
    byTime.set(deletedAtMs, rows);
    const row =
      rows.find(({ action, name }) => action === 'content.delete' && name === id) ??
      rows.find(({ action }) => action === 'environment.import');
    if (row !== undefined) found.set(id, row.userName);
  }
  return found;
}

async function deletionsAt(
  db: Db,
  environment: string,
  atMs: number,
): Promise<{ readonly action: string; readonly name: string; readonly userName: string }[]> {
  return db
    .selectFrom('audit')
    .select(['action', 'name', 'userName'])
    .where('id', '>=', timePrefix(atMs))
    .where('id', '<', timePrefix(atMs + 1))
    .where('environment', '=', environment)
    .where('action', 'in', ['content.delete', 'environment.import'])
    .execute();
}
