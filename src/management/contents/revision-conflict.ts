/** Guards against lost updates: rejects an edit that was not made from the newest revision. */

import { Problem } from '../../contract/problems.js';
import { betweenShownMax } from '../limits/work.js';
import type { ContentRecord } from '../store/contents/contents.js';
import { listRevisions, type Revision } from '../store/contents/revisions.js';
import type { Db } from '../store/dialect.js';

/** Lists what was saved in between, with the authors, so that the second of two editors can look before saving again. */
export async function conflictOf(
  db: Db,
  ifRevision: number | undefined,
  present: ContentRecord | null,
  base: Revision | null,
): Promise<Problem | null> {
  if (ifRevision === undefined || ifRevision === (base?.number ?? 0)) return null;
  if (present === null || base === null) {
    return new Problem('revision_conflict', 'The content is not there (any more).');
  }
  const { environment, idLower, live } = present;
  const newest = await listRevisions(db, environment, idLower, base.number + 1, betweenShownMax);
  const between = newest
    .filter(({ number }) => number > ifRevision)
    .map(({ number, author, createdAtMs, note }) => ({
      revision: number,
      author,
      createdAt: new Date(createdAtMs).toISOString(),
      note,
      live: number === live,
    }));
  const at = new Date(base.createdAtMs).toISOString();
  return new Problem(
    'revision_conflict',
    `The newest revision is ${base.number}, saved by ${base.author} at ${at}; the edit was made from ${ifRevision}.`,
    [],
    { between },
  );
}
