/** A segment as people see it: as it is live, or the draft that it is. */
import type { Db } from '../store/dialect.js';
import { findSegmentDraft } from '../store/segments/save-segments.js';
import {
  newestSegmentRevision,
  type SegmentRevision,
} from '../store/segments/segment-revisions.js';
import { findSegment, type Segment } from '../store/segments/segments.js';

export interface ShownSegment extends Segment {
  /** The revision that rules use; null: none. */
  readonly live: number | null;
  readonly newest: number;
}

/** Null: there is neither a live segment nor a draft of that name. */
export async function showSegment(
  db: Db,
  environment: string,
  name: string,
): Promise<ShownSegment | null> {
  const live = await findSegment(db, environment, name);
  if (live !== null) {
    const newest = await newestSegmentRevision(db, environment, name);
    return { ...live, live: live.revision, newest };
  }
  const draft = await findSegmentDraft(db, { environment, name }, null);
  return draft === null ? null : shownDraft({ environment, name }, draft, null);
}

/** @param live null: only drafts are there */
export function shownDraft(
  { environment, name }: Pick<Segment, 'environment' | 'name'>,
  { number: revision, condition, createdAtMs }: SegmentRevision,
  live: Segment | null,
): ShownSegment {
  const about = {
    description: live?.description ?? '',
    createdAtMs: live?.createdAtMs ?? createdAtMs,
    updatedAtMs: live?.updatedAtMs ?? createdAtMs,
  };
  const numbers = { revision, live: live?.revision ?? null, newest: revision };
  return { environment, name, condition, ...about, ...numbers };
}
