/** Saves and deletes the named conditions of an environment. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import { namesShownMax } from '../limits.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment, environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { findSegmentRevision, newestSegmentRevision } from '../store/segments/segment-revisions.js';
import {
  deleteSegment,
  findSegment,
  listSegmentUses,
  putSegment,
  type Segment,
  type SegmentUse,
} from '../store/segments/segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** Its condition was checked (check-condition.ts). */
export interface SegmentEdit {
  /** JSON text. */
  readonly condition: string;
  /** Left out: stays as it is. */
  readonly description?: string | undefined;
  /** Why; kept with the revision. */
  readonly note: string;
  /** When the segment it was made from was last saved, milliseconds since the epoch; null: it must be new. */
  readonly ifUpdatedAtMs?: number | null | undefined;
}

export interface SavedSegment {
  readonly created: boolean;
  readonly segment: Segment;
  /** Newest and live revisions that refer to it. */
  readonly uses: readonly SegmentUse[];
}

/** What saving would do. */
export interface SegmentPlan {
  /** null: it would be new. */
  readonly before: Segment | null;
  readonly uses: readonly SegmentUse[];
}

export async function saveSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  edit: SegmentEdit,
): Promise<SavedSegment | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const plan = await planOf(write.db, environment, name, edit);
  if (plan instanceof Problem) return plan;
  const description = edit.description ?? plan.before?.description ?? '';
  const { condition, note } = edit;
  const origin = { note, synced: null };
  const created = await putSegment(write, { environment, name, condition, description }, origin);
  const segment = await findSegment(write.db, environment, name);
  assert(segment !== null, 'what was just saved is there');
  return { created, segment, uses: plan.uses };
}

/** Saves the condition of an old revision again, under a new number. Brings a deleted segment back. */
export async function rollBackSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  number: number,
): Promise<SavedSegment | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const old = await findSegmentRevision(write.db, environment, name, number);
  if (old === null) return segmentRevisionUnknown(write.db, environment, name, number);
  const before = await findSegment(write.db, environment, name);
  const created = await putSegment(
    write,
    { environment, name, condition: old.condition, description: before?.description ?? '' },
    { note: `Rolled back to revision ${number}.`, synced: null },
    'segment.rollback',
  );
  const segment = await findSegment(write.db, environment, name);
  assert(segment !== null, 'what was just saved is there');
  return { created, segment, uses: await listSegmentUses(write.db, environment, { name }) };
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
  return new Problem(
    'revision_not_found',
    `The segment "${name}" has no revision ${number}, or it is no longer kept.`,
  );
}

/** Ids of the contents that are delivered with the segment: an edit of it changes what they answer. */
export function reachedBy(uses: readonly SegmentUse[]): string[] {
  return uses.filter(({ live }) => live).map(({ content }) => content);
}

/** Refuses what saving would refuse, but for who asks: nothing is changed. */
export async function planSegment(
  db: Db,
  environment: string,
  name: string,
  edit: SegmentEdit,
): Promise<SegmentPlan | Problem> {
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  return planOf(db, environment, name, edit);
}

async function planOf(
  db: Db,
  environment: string,
  name: string,
  { ifUpdatedAtMs }: SegmentEdit,
): Promise<SegmentPlan | Problem> {
  const before = await findSegment(db, environment, name);
  if (ifUpdatedAtMs !== undefined && ifUpdatedAtMs !== (before?.updatedAtMs ?? null)) {
    return conflict(db, environment, name, before);
  }
  return { before, uses: await listSegmentUses(db, environment, { name }) };
}

/** Tells who saved it in between, so that the second of two editors can look before saving again. */
async function conflict(
  db: Db,
  environment: string,
  name: string,
  found: Segment | null,
): Promise<Problem> {
  if (found === null) {
    return new Problem('segment_conflict', `The segment "${name}" is not there (any more).`);
  }
  const last = await findSegmentRevision(db, environment, name, found.revision);
  const author = last === null || last.author === '' ? 'somebody' : last.author;
  const at = new Date(found.updatedAtMs).toISOString();
  return new Problem('segment_conflict', `The segment "${name}" was saved by ${author} at ${at}.`);
}

/** Rejected while a newest or live revision refers to the segment. The environment is held. */
export async function removeSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<{ readonly name: string } | Problem> {
  if ((await findSegment(write.db, environment, name)) === null) {
    return segmentUnknown(environment, name);
  }
  const uses = await listSegmentUses(write.db, environment, { name });
  if (uses.length > 0) {
    const contents = [...new Set(uses.map((use) => use.content))];
    const shown = contents.slice(0, namesShownMax).join(', ');
    const more = contents.length - namesShownMax;
    const others = more > 0 ? ` and ${more} more` : '';
    return new Problem('segment_in_use', `The segment "${name}" is used by: ${shown}${others}.`);
  }
  await deleteSegment(write, environment, name);
  return { name };
}

export function segmentUnknown(environment: string, name: string): Problem {
  return new Problem(
    'segment_not_found',
    `The environment "${environment}" has no segment "${name}".`,
  );
}
