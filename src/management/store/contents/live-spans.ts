/** From when to when revisions of a content were live, by the record of publications (D65). */
import { sql } from 'kysely';
import type { Db } from '../dialect.js';

/** Instants in milliseconds since the epoch. */
export interface LiveSpanMs {
  readonly fromMs: number;
  /** Null: it is live now. */
  readonly untilMs: number | null;
}

/** Of one listing: more than any page of revisions has, unless each was live many times. */
const spansMax = 5_000;

/**
 * A publication of what is live already does not end a span, and a deletion does.
 * @param live the revision that is live now; null: none
 * @param range of revision numbers, both included
 * @returns spans by revision, oldest first; those that the record does not have are left out
 */
export async function listLiveSpans(
  db: Db,
  content: { readonly environment: string; readonly idLower: string; readonly live: number | null },
  { least, most }: { readonly least: number; readonly most: number },
): Promise<ReadonlyMap<number, readonly LiveSpanMs[]>> {
  const { environment, idLower, live } = content;
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('publications')
        .select(['at', 'number'])
        .select(sql<number | null>`lead(at) over (order by at)`.as('next'))
        .where((row) => row.and({ environment, idLower }))
        .as('spans'),
    )
    .select(['at', 'number', 'next'])
    .where('number', '>=', least)
    .where('number', '<=', most)
    .orderBy('at', 'desc')
    .limit(spansMax)
    .execute();
  const spans = new Map<number, LiveSpanMs[]>();
  for (const { at, number, next } of rows.reverse()) {
    if (number === null) continue;
    // A server of an older version, which keeps no record, has published since.
    if (next === null && number !== live) continue;
    const known = spans.get(number) ?? [];
    const last = known.at(-1);
    if (last?.untilMs === at) known.splice(-1, 1, { ...last, untilMs: next });
    else known.push({ fromMs: at, untilMs: next });
    spans.set(number, known);
  }
  return spans;
}
