/** What releases may still need: retention leaves it alone. Conditions for queries of the tables that they name. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { openStates, rampStates } from './releases.js';

const notEnded: RawBuilder<unknown> = sql.join([...openStates, ...rampStates]);

/** Of `contents`: no release that has not ended changes it. */
export const contentIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = contents.environment and change.kind = 'content'
    and change.name = contents.id_lower and owner.state in (${notEnded}))`;

/** Of `revisions`: neither does a release bring it that has not ended, nor would reverting one that is live. */
export const revisionIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = revisions.environment and change.kind = 'content'
    and change.name = revisions.id_lower and ${holdsNumber('revisions')})`;

/** The same of `segment_revisions as old`. */
export const segmentRevisionIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = old.environment and change.kind = 'segment'
    and change.name = old.name and ${holdsNumber('old')})`;

/** @param table the revision's, as the query calls it */
function holdsNumber(table: 'revisions' | 'old'): RawBuilder<SqlBool> {
  const number = sql.ref(`${table}.number`);
  return sql<SqlBool>`(
    (owner.state in (${notEnded}) and change.revision = ${number})
    or (owner.state = 'live' and change.live_before = ${number}))`;
}
