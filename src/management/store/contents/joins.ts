/** Conditions of the joins between contents and the tables that hold their revisions. */
import type { JoinBuilder } from 'kysely';

type RevisionTable = 'revisions' | 'revisionLines' | 'revisionSegments';

// biome-ignore lint/suspicious/noExplicitAny: any query that has both tables; their columns are named below.
type Join = (join: JoinBuilder<any, any>) => JoinBuilder<any, any>;

/** The rows of a revision: of `of`, or of the content's live or newest one. */
export function ofRevision(
  table: RevisionTable,
  of: RevisionTable | 'publications' | 'contents',
  number: 'number' | 'live' | 'newest' = 'number',
): Join {
  return (join) =>
    join
      .onRef(`${table}.environment`, '=', `${of}.environment`)
      .onRef(`${table}.idLower`, '=', `${of}.idLower`)
      .onRef(`${table}.number`, '=', `${of}.${number}`);
}

/** The rows of a content's live revision and of its newest one. The number is either: exactly those rows are read. */
export function liveOrNewest(table: RevisionTable): Join {
  return (join) =>
    join
      .onRef(`${table}.environment`, '=', 'contents.environment')
      .onRef(`${table}.idLower`, '=', 'contents.idLower')
      .on((on) =>
        on(`${table}.number`, 'in', [on.ref('contents.live'), on.ref('contents.newest')]),
      );
}

/** The guards of a content: a row, or none. */
export const guardsOfContent: Join = (join) =>
  join
    .onRef('contentGuards.environment', '=', 'contents.environment')
    .onRef('contentGuards.idLower', '=', 'contents.idLower');
