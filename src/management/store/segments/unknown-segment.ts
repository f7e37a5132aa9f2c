/** Problems of segments, and of revisions of segments, that are not there. */
import { Problem } from '../../../contract/problems.js';
import type { Db } from '../dialect.js';
import { newestSegmentRevision } from './segment-revisions.js';

export function segmentUnknown(environment: string, name: string): Problem {
  const detail = `The environment "${environment}" has no segment "${name}".`;
  return new Problem('segment_not_found', detail);
}

/** Says whether it is the revision that is not there, or the segment. */
export async function segmentRevisionUnknown(
  db: Db,
  environment: string,
  name: string,
  number: number,
): Promise<Problem> {
  if ((await newestSegmentRevision(db, environment, name)) === 0) {
    return segmentUnknown(environment, name);
  }
  const detail = `The segment "${name}" has no revision ${number}, or it is no longer kept.`;
  return new Problem('revision_not_found', detail);
}
