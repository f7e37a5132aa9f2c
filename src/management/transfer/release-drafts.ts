/** Saves what a sync would publish as drafts, and makes a release of exactly these. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import type { ChangeInput } from '../../contract/schemas/release.js';
import { rejectChangeCount } from '../releases/changes.js';
import { createRelease, rejectOpenReleases } from '../releases/edit-release.js';
import { type ContentToSave, saveContents } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { requireReleaseWriters } from '../store/release-writers.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import { saveSegmentDraft } from '../store/segments/save-segments.js';
import type { SegmentRevisionOrigin } from '../store/segments/segment-revisions.js';
import type { Segment } from '../store/segments/segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface ReleaseDrafts {
  /** Contents to save, none of which goes live by that. */
  readonly contents: readonly ContentToSave[];
  readonly segments: readonly (Pick<Segment, 'name' | 'condition'> & {
    readonly origin: SegmentRevisionOrigin;
  })[];
  /** Revisions of contents that the release makes live: new ones, or drafts that are there. */
  readonly changes: readonly { readonly id: string; readonly revision: number }[];
}

/** Why no release can be made of them; null: one can. Nothing is written. */
export async function rejectReleaseDrafts(
  db: Db,
  environment: string,
  { changes, segments }: Pick<ReleaseDrafts, 'changes' | 'segments'>,
): Promise<Problem | null> {
  return (
    rejectChangeCount(changes.length + segments.length) ??
    (await rejectOpenReleases(db, environment))
  );
}

/**
 * In the transaction of the write, after `rejectReleaseDrafts`. The environment is held. Neither the review policy nor a ramp is in
 * the way: nothing that is delivered changes.
 * @throws UpgradeInProgress
 */
export async function releaseDrafts(
  write: UnitOfWork,
  environment: string,
  title: string,
  drafts: ReleaseDrafts,
): Promise<ReleaseRecord> {
  await requireReleaseWriters(write);
  const changes: ChangeInput[] = [];
  for (const { name, condition, origin } of drafts.segments) {
    const key = { environment, name, condition };
    const revision = await saveSegmentDraft(write, key, undefined, origin);
    changes.push({ kind: 'segment', name, revision });
  }
  await saveContents(write, environment, drafts.contents);
  for (const change of drafts.changes) changes.push({ kind: 'content', ...change });
  const release = await createRelease(write, environment, {
    ...{ title, description: '', changes, steps: [], brake: null },
  });
  assert(!(release instanceof Problem), 'it was looked at before anything was saved');
  return release;
}
