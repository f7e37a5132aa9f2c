/** What a release makes live, as running experiments see it. */
import { findRevision } from '../store/contents/revisions.js';
import type { Db } from '../store/dialect.js';
import type { GoesLive } from '../store/experiments/live-rules.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import type { ChangeFacts } from './change-facts.js';

/** Mappings of contents, none of those that it deletes, and conditions of segments. */
export async function goesLiveOf(
  db: Db,
  environment: string,
  facts: readonly ChangeFacts[],
): Promise<GoesLive> {
  const mappings = new Map<string, string | null>();
  const conditions = new Map<string, string>();
  for (const { kind, name, revision, live } of facts) {
    if (kind === 'environment' || revision === live) continue;
    if (kind === 'content') {
      const found = revision === null ? null : await findRevision(db, environment, name, revision);
      mappings.set(name, found?.mapping ?? null);
    } else if (revision !== null) {
      const found = await findSegmentRevision(db, environment, name, revision);
      if (found !== null) conditions.set(name, found.condition);
    }
  }
  return { mappings, conditions };
}
