/** Counts the flags that live contents list, by the lists alone: no text is read. */
import { sql } from 'kysely';
import { contentKey } from '../../../content/content-id.js';
import type { Db } from '../dialect.js';
import { ofRevision } from './joins.js';

/**
 * Of the whole environment, except for one content.
 * @param except id of a content, in whatever case
 */
export async function countFlagsBeside(
  db: Db,
  environment: string,
  except: string,
): Promise<number> {
  // Elements of the JSON array, in SQL that both databases have: a pointer begins with a slash or is empty, and its own
  // quotes are escaped, so `","` stands between two elements and nowhere else.
  const between = '","';
  const flags = sql.ref('revisions.flags');
  const apart = sql<number>`(length(${flags}) - length(replace(${flags}, ${between}, ''))) / 3`;
  const row = await db
    .selectFrom('contents')
    .innerJoin('revisions', ofRevision('revisions', 'contents', 'live'))
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '<>', contentKey(except))
    .where('revisions.flags', '<>', '[]')
    .select(sql<number | string | null>`sum(${apart} + 1)`.as('total'))
    .executeTakeFirst();
  // PostgreSQL gives a sum as text; there is none of no rows.
  return Number(row?.total ?? 0);
}
