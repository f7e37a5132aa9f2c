/** What reached players lately, from the audit. */

import type { AuditAction } from '../../../contract/events.js';
import { publishMarksMax } from '../../../contract/limits.js';
import type { PublishedChange } from '../../../contract/operations/health/changes.js';
import type { Db } from '../../store/dialect.js';
import { timePrefix } from '../../store/ids.js';
import { toIso } from '../../to-iso.js';

/** After each of them, players may be given something else, or a new share of them is. */
const publishingActions: readonly AuditAction[] = [
  'content.delete',
  'content.publish',
  'content.put',
  'content.remove-line',
  'content.restore',
  'content.rollback',
  'environment.import',
  'environment.sync',
  'experiment.phase',
  'experiment.start',
  'experiment.stop',
  'release.live',
  'release.pause',
  'release.resume',
  'release.revert',
  'release.start',
  'release.step',
  'release.stop',
  'segment.delete',
  'segment.put',
  'segment.rollback',
];

export interface PublishedChanges {
  /** Oldest first. */
  readonly changes: PublishedChange[];
  readonly leftOut: boolean;
}

/**
 * @param environments those that the user may see; null: all
 * @param fromMs milliseconds since the epoch
 */
export async function listPublishedChanges(
  db: Db,
  environments: readonly string[] | null,
  fromMs: number,
): Promise<PublishedChanges> {
  let query = db
    .selectFrom('audit')
    .select(['id', 'at', 'environment', 'action', 'name', 'userName', 'details'])
    .where('id', '>=', timePrefix(fromMs))
    .where('action', 'in', publishingActions)
    .orderBy('id', 'desc')
    .limit(publishMarksMax + 1);
  if (environments !== null) {
    if (environments.length === 0) return { changes: [], leftOut: false };
    query = query.where('environment', 'in', environments);
  }
  const rows = await query.execute();
  const changes = rows.slice(0, publishMarksMax).flatMap(({ details, userName, at, ...row }) => {
    const facts = JSON.parse(details) as Details;
    if (row.action === 'content.put' && !isPublished(facts)) return [];
    const title = typeof facts.title === 'string' ? facts.title : row.name;
    return [{ ...row, at: toIso(at), title, by: userName }];
  });
  return { changes: changes.reverse(), leftOut: rows.length > publishMarksMax };
}

interface Details {
  /** Of a release. */
  readonly title?: unknown;
  /** Of a save. */
  readonly revision?: unknown;
  readonly after?: { readonly live?: unknown; readonly revision?: unknown } | null;
}

/** A save that was published; any other is a draft. */
function isPublished({ after }: Details): boolean {
  return after != null && after.live === after.revision;
}
