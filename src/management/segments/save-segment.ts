/** Saves, drafts and deletes the named conditions of an environment. */
import { strict as assert } from 'node:assert';
import { digestOf } from '../../content/hash.js';
import { Problem } from '../../contract/problems.js';
import { formatNames } from '../format-names.js';
import { askExperiments } from '../freeze/ask-experiments.js';
import { rejectPublish } from '../gate/gate.js';
import {
  type ConfirmRequest,
  type Found,
  findConfirmation,
  rejectFound,
} from '../guards/confirmation.js';
import { bodyIssue } from '../http/problem.js';
import type { Db } from '../store/dialect.js';
import { draftEnvironment, editEnvironment } from '../store/edit-environment.js';
import { deleteSegment, putSegment, saveSegmentDraft } from '../store/segments/save-segments.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import { findSegment, listSegmentUses, type SegmentUse } from '../store/segments/segments.js';
import { segmentRevisionUnknown, segmentUnknown } from '../store/segments/unknown-segment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { toIso } from '../to-iso.js';
import { type ShownSegment, shownDraft, showSegment } from './shown-segment.js';

/** Its condition was checked (check-condition.ts). */
export interface SegmentEdit {
  /** JSON text. */
  readonly condition: string;
  /** Left out: stays as it is. */
  readonly description?: string | undefined;
  /** Why; kept with the revision. */
  readonly note: string;
  /** False: it is saved as a draft. */
  readonly publish: boolean;
  /** When the segment it was made from was last saved, milliseconds since the epoch; null: it must be new. */
  readonly ifUpdatedAtMs?: number | null | undefined;
  readonly request: ConfirmRequest;
}

export interface SavedSegment {
  readonly created: boolean;
  readonly segment: ShownSegment;
  /** Newest and live revisions that refer to it. */
  readonly uses: readonly SegmentUse[];
  /** Ids of the contents that are delivered with it: the edit changes what players receive. */
  readonly reaches: readonly string[];
}

/** What saving would do. */
export interface SegmentPlan {
  /** null: it would be new. */
  readonly before: ShownSegment | null;
  readonly uses: readonly SegmentUse[];
  /** What it does to running experiments; null: nothing. */
  readonly found: Found | null;
}

export async function saveSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  edit: SegmentEdit,
): Promise<SavedSegment | Problem> {
  const hold = edit.publish ? editEnvironment : draftEnvironment;
  const editable = await hold(write, environment);
  if (editable instanceof Problem) return editable;
  const plan = await planSegment(write.db, environment, name, edit);
  if (plan instanceof Problem) return plan;
  const unconfirmed = rejectFound(plan.found, edit.request);
  if (unconfirmed !== null) return unconfirmed;
  if (!edit.publish) return draft(write, { environment, name }, edit, plan);
  const description = edit.description ?? plan.before?.description ?? '';
  const { condition, note } = edit;
  const saved = { environment, name, condition, description };
  return put(write, saved, note, 'segment.put', plan.uses);
}

async function draft(
  write: UnitOfWork,
  key: Pick<ShownSegment, 'environment' | 'name'>,
  { condition, description, note }: SegmentEdit,
  { before, uses }: SegmentPlan,
): Promise<SavedSegment> {
  const origin = { note, synced: null };
  const number = await saveSegmentDraft(write, { ...key, condition }, description, origin);
  const revision = await findSegmentRevision(write.db, key.environment, key.name, number);
  assert(revision !== null, 'the draft was just saved');
  const live = await findSegment(write.db, key.environment, key.name);
  const segment = shownDraft(key, revision, live);
  return { created: before === null, segment, uses, reaches: [] };
}

/** Saves the condition of an old revision again, under a new number. Brings a deleted segment back. */
export async function rollBackSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  number: number,
  request: ConfirmRequest,
): Promise<SavedSegment | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const old = await findSegmentRevision(write.db, environment, name, number);
  if (old === null) return segmentRevisionUnknown(write.db, environment, name, number);
  const live = await findSegment(write.db, environment, name);
  const gated =
    live?.condition === old.condition
      ? null
      : ((await rejectPublish(write.db, environment, { segments: [name] })) ??
        rejectFound(
          await foundInSegment(write.db, environment, name, old.condition, request),
          request,
        ));
  if (gated !== null) return gated;
  const description = live?.description ?? '';
  const saved = { environment, name, condition: old.condition, description };
  const uses = await listSegmentUses(write.db, environment, { name });
  return put(write, saved, `Rolled back to revision ${number}.`, 'segment.rollback', uses);
}

async function put(
  write: UnitOfWork,
  saved: Parameters<typeof putSegment>[1],
  note: string,
  action: 'segment.put' | 'segment.rollback',
  uses: readonly SegmentUse[],
): Promise<SavedSegment> {
  const created = await putSegment(write, saved, { note, synced: null }, action);
  const segment = await showSegment(write.db, saved.environment, saved.name);
  assert(segment !== null, 'the segment was just saved');
  return { created, segment, uses, reaches: reachedBy(uses) };
}

/** Ids of the contents that are delivered with the segment: an edit of it changes what players receive. */
export function reachedBy(uses: readonly SegmentUse[]): string[] {
  return uses.filter(({ live }) => live).map(({ content }) => content);
}

/** Rejects what saving would reject, whichever the user's role: nothing is changed. */
export async function planSegment(
  db: Db,
  environment: string,
  name: string,
  { condition, description = '', publish, ifUpdatedAtMs, request }: SegmentEdit,
): Promise<SegmentPlan | Problem> {
  const before = await showSegment(db, environment, name);
  if (!publish && description !== '' && (before?.live ?? null) === null) {
    return bodyIssue(
      'description',
      'is no part of a draft: it can be given once the segment is live',
    );
  }
  if (ifUpdatedAtMs !== undefined && ifUpdatedAtMs !== (before?.updatedAtMs ?? null)) {
    return conflict(db, environment, name, before);
  }
  const live = (before?.live ?? null) === null ? null : before;
  const goesLive = publish && live?.condition !== condition;
  const gated = goesLive ? await rejectPublish(db, environment, { segments: [name] }) : null;
  if (gated !== null) return gated;
  const found = goesLive ? await foundInSegment(db, environment, name, condition, request) : null;
  if (found instanceof Problem) return found;
  return { before, uses: await listSegmentUses(db, environment, { name }), found };
}

/** Null: no running experiment chooses its players by the segment. */
async function foundInSegment(
  db: Db,
  environment: string,
  name: string,
  condition: string,
  request: ConfirmRequest,
): Promise<Found | Problem | null> {
  const conditions = new Map([[name, condition]]);
  const asked = await askExperiments(db, environment, { conditions });
  if (asked instanceof Problem) return asked;
  const state = JSON.stringify(['segment', name, digestOf(condition)]);
  return findConfirmation(db, environment, asked, state, request);
}

/** Names the author of the save in between, so that the second of two editors can look before saving again. */
async function conflict(
  db: Db,
  environment: string,
  name: string,
  found: ShownSegment | null,
): Promise<Problem> {
  if (found === null) {
    return new Problem('segment_conflict', `The segment "${name}" is not there (any more).`);
  }
  const last = await findSegmentRevision(db, environment, name, found.newest);
  const author = last === null || last.author === '' ? '' : ` by ${last.author}`;
  const at = toIso(found.updatedAtMs);
  return new Problem('segment_conflict', `The segment "${name}" was saved${author} at ${at}.`);
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
    const detail = `The segment "${name}" is used by: ${formatNames(contents)}.`;
    return new Problem('segment_in_use', detail);
  }
  const gated = await rejectPublish(write.db, environment, { segments: [name] });
  if (gated !== null) return gated;
  await deleteSegment(write, environment, name);
  return { name };
}
