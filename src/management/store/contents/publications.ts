/** Which revision of a content was live when (D65). */

import { sql } from 'kysely';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { ofRevision } from './joins.js';

/** Records what is live of contents from this write on (null: nothing); of several records in a write, the last counts. */
export async function recordPublications(
  write: UnitOfWork,
  environment: string,
  contents: readonly { readonly idLower: string; readonly live: number | null }[],
): Promise<void> {
  if (contents.length === 0) return;
  await write.db
    .insertInto('publications')
    .values(
      contents.map(({ idLower, live }) => ({ environment, idLower, at: write.at, number: live })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'idLower', 'at'])
        .doUpdateSet((excluded) => ({ number: excluded.ref('excluded.number') })),
    )
    .execute();
}

/**
 * Records what a server of an older version published, which keeps no such record: by the content's last change.
 * @returns what it recorded
 */
export async function recordUnrecorded(
  write: UnitOfWork,
): Promise<readonly { environment: string; idLower: string; live: number | null }[]> {
  const { rows } = await sql<{ environment: string; idLower: string; live: number | null }>`
    insert into publications
    select environment, id_lower, updated_at, live from contents
    where not exists (
      select 1 from publications
      where publications.environment = contents.environment and publications.id_lower = contents.id_lower
        and number is not distinct from live
        and at = (
          select max(at) from publications as newest
          where newest.environment = contents.environment and newest.id_lower = contents.id_lower))
    on conflict (environment, id_lower, at) do update set number = excluded.number
    returning environment, id_lower, number as live`.execute(write.db);
  return rows;
}

/** Forgets what was live before the first revision that is still kept was. What came later stays whole. */
export async function forgetPublications(
  write: UnitOfWork,
  { environment, idLower }: { readonly environment: string; readonly idLower: string },
): Promise<void> {
  const { at } = await write.db
    .selectFrom('publications')
    .innerJoin('revisions', ofRevision('revisions', 'publications'))
    .where('publications.environment', '=', environment)
    .where('publications.idLower', '=', idLower)
    .select((select) => select.fn.min('publications.at').as('at'))
    .executeTakeFirstOrThrow();
  if (at === null) return;
  await write.db
    .deleteFrom('publications')
    .where((row) => row.and({ environment, idLower }))
    .where('at', '<', at)
    .execute();
}

/** What is known of a moment. */
export type LiveThen =
  | { readonly known: true; readonly revision: number | null; readonly sinceMs: number }
  /** The record begins later, or is silent about a change that an older version made. */
  | { readonly known: false; readonly fromMs: number | null };

/** Which revision was live at a time. */
export async function findLiveAt(
  db: Db,
  content: {
    readonly environment: string;
    readonly idLower: string;
    readonly live: number | null;
    readonly createdAtMs: number;
  },
  atMs: number,
): Promise<LiveThen> {
  const { environment, idLower, live, createdAtMs } = content;
  const rows = db
    .selectFrom('publications')
    .select(['at', 'number'])
    .where((row) => row.and({ environment, idLower }))
    .limit(1);
  const then = await rows.where('at', '<=', atMs).orderBy('at', 'desc').executeTakeFirst();
  if (then === undefined) {
    if (atMs < createdAtMs) return { known: true, revision: null, sinceMs: 0 };
    const first = await rows.orderBy('at').executeTakeFirst();
    return { known: false, fromMs: first?.at ?? null };
  }
  const newest = await rows.orderBy('at', 'desc').executeTakeFirst();
  // A server of an older version, which keeps no record, has published since.
  if (newest?.at === then.at && then.number !== live) return { known: false, fromMs: null };
  return { known: true, revision: then.number, sinceMs: then.at };
}

/** Whether a revision was live at some time, as far as the record reaches back. */
export async function wasLive(
  db: Db,
  environment: string,
  idLower: string,
  number: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('publications')
    .select('at')
    .where((where) => where.and({ environment, idLower, number }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Times in (from, to) from which on something else was live of a content, ascending. */
export async function listPublicationTimes(
  db: Db,
  { environment, idLower }: { readonly environment: string; readonly idLower: string },
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('publications')
    .select('at')
    .where((row) => row.and({ environment, idLower }))
    .where('at', '>', fromMs)
    .where('at', '<', toMs)
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}
