/** A release as if it were live: the revisions of contents and segments that it brings. */
import { contentKey } from '../../content/content-id.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { isInRamp } from '../../content/ramp.js';
import type { Problem } from '../../contract/problems.js';
import { releaseUnknown } from '../releases/transition.js';
import type { Db } from '../store/dialect.js';
import { listReleaseChanges } from '../store/releases/release-changes.js';
import { listReach } from '../store/releases/release-reach.js';
import {
  findRelease,
  listReleasesIn,
  type ReleaseRecord,
  rampStates,
} from '../store/releases/releases.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import type { LoadedSegment } from './load-candidate.js';

export interface ReleaseView {
  /** Its number. */
  readonly release: number;
  /** By lower-case content id; null: it deletes the content. */
  readonly revisions: ReadonlyMap<string, number | null>;
  /** By name. */
  readonly segments: ReadonlyMap<string, LoadedSegment>;
}

export async function readReleaseView(
  db: Db,
  environment: string,
  release: number,
): Promise<ReleaseView | Problem> {
  const found = await findRelease(db, environment, release);
  return found === null ? releaseUnknown({ environment, release }) : readViewOf(db, found);
}

/** The ramp that reaches a content and that the caller is in, as delivery chooses; null: the caller receives what is live. */
export async function findRampOf(
  db: Db,
  environment: string,
  id: string,
  caller: EvaluationContext,
): Promise<ReleaseView | null> {
  for (const release of await listReleasesIn(db, environment, rampStates)) {
    const { salt, steps, step } = release;
    const permille = Math.round((steps[step]?.percent ?? 0) * 10);
    if (!isInRamp({ salt, permille }, caller)) continue;
    const reach = await listReach(db, release);
    const isReached = reach.some(({ kind, name }) => kind === 'content' && name === contentKey(id));
    if (isReached) return readViewOf(db, release);
  }
  return null;
}

/** What a release brings. */
export async function readViewOf(db: Db, release: ReleaseRecord): Promise<ReleaseView> {
  const revisions = new Map<string, number | null>();
  const segments = new Map<string, LoadedSegment>();
  for (const { kind, name, revision } of await listReleaseChanges(db, release)) {
    if (kind === 'content') revisions.set(name, revision);
    if (kind !== 'segment' || revision === null) continue;
    const saved = await findSegmentRevision(db, release.environment, name, revision);
    if (saved !== null) segments.set(name, { name, condition: saved.condition, revision });
  }
  return { release: release.release, revisions, segments };
}
