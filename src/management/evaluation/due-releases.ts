/**
 * A content as it will be: scheduled releases that go straight live by a time in the future, over what is live now.
 *
 * A release that would fail then as things are now is left out: an approval is missing, what it changes is no longer what it was
 * made for, or an earlier one changes the same. So is one that ramps: it depends on its brake how far it will be.
 */
import { contentKey } from '../../content/content-id.js';
import { readChangeFacts } from '../releases/change-facts.js';
import { computeReach } from '../releases/reach.js';
import { rejectConflicts, rejectOverlap, rejectUnapproved } from '../releases/readiness.js';
import type { Db } from '../store/dialect.js';
import { listReleasesIn, type ReleaseRecord } from '../store/releases/releases.js';
import type { LoadedSegment } from './load-candidate.js';
import { type ReleaseView, readViewOf } from './release-view.js';

/**
 * What is live of a content at a time in the future: revisions and segments of all releases that are live by then, and the number of
 * the last one that reaches the content. Null: none does.
 * @param atMs milliseconds since the epoch
 * @param except number of a release that is tried out itself; null: none is
 */
export async function findDueReleases(
  db: Db,
  environment: string,
  id: string,
  atMs: number,
  except: number | null,
): Promise<ReleaseView | null> {
  const revisions = new Map<string, number | null>();
  const segments = new Map<string, LoadedSegment>();
  let last: number | null = null;
  for (const release of await listDue(db, environment, atMs)) {
    if (release.release === except) continue;
    const facts = await readChangeFacts(db, release);
    const isTaken = facts.some(({ kind, name }) =>
      kind === 'content' ? revisions.has(name) : segments.has(name),
    );
    const reach = await computeReach(db, environment, facts);
    const fails =
      isTaken ||
      rejectConflicts(release, facts) !== null ||
      (await rejectUnapproved(db, release)) !== null ||
      (await rejectOverlap(db, release, reach)) !== null;
    if (fails) continue;
    const view = await readViewOf(db, release);
    for (const [name, revision] of view.revisions) revisions.set(name, revision);
    for (const [name, segment] of view.segments) segments.set(name, segment);
    if (reach.contents.has(contentKey(id))) last = release.release;
  }
  return last === null ? null : { release: last, revisions, segments };
}

/** In the order in which they go live. */
async function listDue(db: Db, environment: string, atMs: number): Promise<ReleaseRecord[]> {
  const scheduled = await listReleasesIn(db, environment, ['scheduled']);
  const timeOf = ({ scheduledAt }: ReleaseRecord): number =>
    scheduledAt ?? Number.POSITIVE_INFINITY;
  return scheduled
    .filter((release) => release.steps.length === 0 && timeOf(release) <= atMs)
    .sort((a, b) => timeOf(a) - timeOf(b) || a.release - b.release);
}
