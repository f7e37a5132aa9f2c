/** Rows of contents as a palette names them. */
import { contentsPerRead } from '../limits/database.js';
import { ofRevision } from '../store/contents/joins.js';
import type { Db } from '../store/dialect.js';

export interface NamedContentRow {
  readonly idLower: string;
  /** As it was created. */
  readonly id: string;
  readonly tags: string[];
  readonly newest: number;
  readonly live: number | null;
  /** Digest of the newest revision's mapping; null: it has none. */
  readonly mapping: string | null;
}

/** A page by lower-case id, of those that are not deleted. @param after lower-case id; '' for the first */
export async function listNamedContents(
  db: Db,
  environment: string,
  after: string,
): Promise<NamedContentRow[]> {
  const rows = await db
    .selectFrom('contents')
    .innerJoin('revisions', ofRevision('revisions', 'contents', 'newest'))
    .select(['contents.idLower', 'contents.id', 'contents.tags'])
    .select(['contents.newest', 'contents.live', 'revisions.mapping'])
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>', after)
    .where('contents.deletedAt', 'is', null)
    .orderBy('contents.idLower')
    .limit(contentsPerRead)
    .execute();
  return rows.map(({ tags, ...row }) => ({ ...row, tags: JSON.parse(tags) as string[] }));
}
