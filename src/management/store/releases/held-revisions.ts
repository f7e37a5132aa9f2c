/** What releases may still need: retention leaves it alone. Conditions for queries of the tables that they name. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { openStates, rampStates } from './releases.js';

const notEnded: RawBuilder<unknown> = sql.join([...openStates, ...rampStates]);

/** What the release made live of the content still is. */
const stillLive: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from contents as present
  where present.environment = change.environment and present.id_lower = change.name
    and present.live is not distinct from change.live_after)`;

const stillLiveSegment: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from segments as present
  where present.environment = change.environment and present.name = change.name
    and present.revision = change.live_after)`;

/** Of `contents`: no release that has not ended changes it. */
export const contentIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = contents.environment and change.kind = 'content'
    and change.name = contents.id_lower and owner.state in (${notEnded}))`;

/**
 * Of `revisions`: neither does a release bring it that has not ended, nor would reverting one that is live. What was changed
 * since takes force to revert, and is not kept for it.
 */
export const revisionIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = revisions.environment and change.kind = 'content'
    and change.name = revisions.id_lower and ${holdsNumber('revisions', stillLive)})`;

/** The same of `segment_revisions as old`. */
export const segmentRevisionIsFree: RawBuilder<SqlBool> = sql<SqlBool>`not exists (
  select 1 from release_changes as change
  join releases as owner on owner.environment = change.environment and owner.release = change.release
  where change.environment = old.environment and change.kind = 'segment'
    and change.name = old.name and ${holdsNumber('old', stillLiveSegment)})`;

/** @param table the revision's, as the query calls it */
function holdsNumber(table: 'revisions' | 'old', still: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  const number = sql.ref(`${table}.number`);
  return sql<SqlBool>`(
    (owner.state in (${notEnded}) and change.revision = ${number})
    or (owner.state = 'live' and change.live_before = ${number} and ${still}))`;
}
