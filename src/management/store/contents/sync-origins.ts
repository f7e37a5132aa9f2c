/** Which environments were synced with each other, by the origins of what is live. */
import type { Db } from '../dialect.js';
import { ofRevision } from './joins.js';

/** Live contents that are looked at of each environment: a sync brings many at once, so the first ones show it. */
const contentsLookedAtMax = 200;

/**
 * By id of the environment that it came from, when a sync made the newest of what is live here, milliseconds since the epoch; of
 * the first contents only.
 */
export async function findSyncOrigins(
  db: Db,
  environment: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('contents')
        .selectAll()
        .where('environment', '=', environment)
        .where('live', 'is not', null)
        .orderBy('idLower')
        .limit(contentsLookedAtMax)
        .as('contents'),
    )
    .innerJoin('revisions', ofRevision('revisions', 'contents', 'live'))
    .where('revisions.syncedFrom', 'is not', null)
    .select((select) => ['revisions.syncedFrom', select.fn.max('revisions.createdAt').as('at')])
    .groupBy('revisions.syncedFrom')
    .execute();
  return new Map(rows.map(({ syncedFrom, at }) => [syncedFrom ?? '', Number(at)]));
}
