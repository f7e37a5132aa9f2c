/** Which revisions and deleted contents releases still need, so that retention keeps them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { contentNamedBy } from '../contents/joins.js';
import type { Db } from '../dialect.js';
import { openStates, rampStates } from './releases.js';

/**
 * Revisions of one content that a release would deliver, with those since its base, whose authors cannot approve it; and those
 * that the revert of a live one would give back. What was changed since the release went live takes force to revert, and is
 * not kept for it.
 */
export async function listNeededRevisions(
  db: Db,
  { environment, idLower }: { readonly environment: string; readonly idLower: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('releaseChanges')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.environment', '=', 'releaseChanges.environment')
        .onRef('releases.release', '=', 'releaseChanges.release'),
    )
    .innerJoin('contents', contentNamedBy('releaseChanges'))
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.kind', '=', 'content')
    .where('releaseChanges.name', '=', idLower)
    .where((where) =>
      where.or([
        where('releases.state', 'in', [...openStates, ...rampStates]),
        where.and([
          where('releases.state', '=', 'live'),
          sql<boolean>`contents.live is not distinct from release_changes.live_after`,
        ]),
      ]),
    )
    .select(['releases.state', 'releaseChanges.base', 'releaseChanges.revision'])
    .select('releaseChanges.liveBefore')
    .execute();
  return rows.flatMap(({ state, base, revision, liveBefore }) => {
    if (state === 'live') return liveBefore === null ? [] : [liveBefore];
    return revision === null ? [] : numbersFrom(Math.min((base ?? 0) + 1, revision), revision);
  });
}

function numbersFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Whether a release needs the segment revision of a query, as above: a condition over its columns. */
export function isNeededSegmentRevision(table: string): RawBuilder<boolean> {
  const old = sql.table(table);
  const open = sql.join([...openStates, ...rampStates]);
  return sql<boolean>`exists (
    select 1 from release_changes
    join releases on releases.environment = release_changes.environment
      and releases.release = release_changes.release
    left join segments on segments.environment = release_changes.environment
      and segments.name = release_changes.name
    where release_changes.environment = ${old}.environment and release_changes.kind = 'segment'
      and release_changes.name = ${old}.name
      and ((releases.state in (${open}) and (release_changes.revision = ${old}.number
          or (${old}.number > coalesce(release_changes.base, 0) and ${old}.number < release_changes.revision)))
        or (releases.state = 'live' and release_changes.live_before = ${old}.number
          and segments.revision is not distinct from release_changes.live_after)))`;
}

/** No release that has not ended changes the content of a query of `contents`: a deleted one may be gone for good. */
export const contentIsNotNeeded: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes
  join releases on releases.environment = release_changes.environment
    and releases.release = release_changes.release
  where release_changes.environment = contents.environment and release_changes.kind = 'content'
    and release_changes.name = contents.id_lower
    and releases.state in (${sql.join([...openStates, ...rampStates])}))`;
