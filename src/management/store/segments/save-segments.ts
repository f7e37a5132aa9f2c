/** Writes of saved segments: saved and delivered, saved as a draft, published, deleted. */
import { strict as assert } from 'node:assert';
import { digestOf } from '../../../content/hash.js';
import { refreshUsesOf } from '../contents/state-hashes.js';
import type { Db } from '../dialect.js';
import { requireReleaseWriters } from '../release-writers.js';
import type { UnitOfWork } from '../unit-of-work.js';
import {
  beginSegmentRecord,
  findLastPublication,
  recordSegment,
  type SegmentKey,
} from './segment-publications.js';
import {
  findSegmentRevision,
  insertSegmentRevision,
  newestSegmentRevision,
  reviseUnrevised,
  type SegmentRevision,
  type SegmentRevisionOrigin,
} from './segment-revisions.js';
import { findSegment, type Segment } from './segments.js';

/**
 * Saves the condition under its name and delivers it, as another revision if it is another one; what is as it was is left
 * alone. A draft that has this condition becomes live under its own number. True when nothing was live under that name. Two
 * saves never have the same `updatedAtMs`: it identifies a state.
 * @param action what the audit calls it
 */
export async function putSegment(
  write: UnitOfWork,
  segment: Pick<Segment, 'environment' | 'name' | 'condition' | 'description'>,
  origin: SegmentRevisionOrigin,
  action: 'segment.put' | 'segment.rollback' = 'segment.put',
): Promise<boolean> {
  const { environment, name, condition, description } = segment;
  await reviseOlder(write, segment);
  const before = await findSegment(write.db, environment, name);
  if (before?.condition === condition && before.description === description) return false;
  const isNew = before?.condition !== condition;
  let revision = before?.revision ?? 0;
  if (isNew) {
    const draft = await findSegmentDraft(write.db, segment, before);
    revision =
      draft?.condition === condition
        ? draft.number
        : await addRevision(write, segment, { condition, ...origin });
  }
  const state = { condition, description, revision };
  await saveLive(write, segment, before, state);
  if (isNew) await refreshUsesOf(write, environment, name);
  await write.audit(action, environment, name, {
    before: before === null ? null : auditedState(before),
    after: auditedState(state),
    ...(origin.note === '' ? {} : { note: origin.note }),
  });
  return before === null;
}

/**
 * Saves the condition as a revision that is not live, unless it is the newest revision already. What is delivered stays.
 * @param description of a live segment: it is no part of a revision and counts at once; left out, it stays
 * @returns the number of the revision
 * @throws UpgradeInProgress
 */
export async function saveSegmentDraft(
  write: UnitOfWork,
  segment: Pick<Segment, 'environment' | 'name' | 'condition'>,
  description: string | undefined,
  origin: SegmentRevisionOrigin,
): Promise<number> {
  const { environment, name, condition } = segment;
  await requireReleaseWriters(write);
  await reviseOlder(write, segment);
  const before = await findSegment(write.db, environment, name);
  const draft = await findSegmentDraft(write.db, segment, before);
  const newest = await newestSegmentRevision(write.db, environment, name);
  const isSame = (draft ?? before)?.condition === condition;
  const about = description ?? before?.description ?? '';
  if (isSame && about === (before?.description ?? '')) return newest;
  await beginSegmentRecord(write, segment, { number: before?.revision ?? null, newest });
  const revision = isSame ? newest : await addRevision(write, segment, { condition, ...origin });
  if (before !== null) {
    const updatedAt = Math.max(write.at, before.updatedAtMs + 1);
    await write.db
      .updateTable('segments')
      .set({ description: about, updatedAt })
      .where((row) => row.and({ environment, name }))
      .execute();
  }
  await write.audit('segment.draft', environment, name, {
    before: before === null ? null : auditedState(before),
    after: auditedState({ condition, description: about, revision }),
    ...(origin.note === '' ? {} : { note: origin.note }),
  });
  return revision;
}

/**
 * Delivers a saved revision under its own number, whichever was live. The caller refreshes the hashes of the contents that use
 * it, under the same number (`refreshUsesOf`), and audits why.
 * @throws AssertionError there is no such revision
 */
export async function publishSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
  revision: number,
): Promise<void> {
  const key = { environment, name };
  await reviseOlder(write, key);
  const saved = await findSegmentRevision(write.db, environment, name, revision);
  assert(saved !== null, 'the revision is saved');
  const before = await findSegment(write.db, environment, name);
  if (before?.revision === revision) return;
  const description = before?.description ?? '';
  await saveLive(write, key, before, { condition: saved.condition, description, revision });
}

/** The newest revision where it is a draft: neither live nor deleted. */
export async function findSegmentDraft(
  db: Db,
  { environment, name }: SegmentKey,
  live: Pick<Segment, 'revision'> | null,
): Promise<SegmentRevision | null> {
  const newest = await newestSegmentRevision(db, environment, name);
  const last = live === null ? await findLastPublication(db, { environment, name }) : null;
  // Without a record there was no draft: what is not live was deleted.
  const published = live?.revision ?? last?.newest ?? newest;
  return newest > published ? findSegmentRevision(db, environment, name, newest) : null;
}

/** What a server of an older version saved gets its revision first. */
async function reviseOlder(write: UnitOfWork, { environment, name }: SegmentKey): Promise<void> {
  const unrevised = await reviseUnrevised(write, { environment, name });
  if (unrevised.length > 0) await refreshUsesOf(write, environment, name);
}

/** @returns its number */
async function addRevision(
  write: UnitOfWork,
  { environment, name }: SegmentKey,
  revision: SegmentRevisionOrigin & Pick<SegmentRevision, 'condition'>,
): Promise<number> {
  const number = (await newestSegmentRevision(write.db, environment, name)) + 1;
  await insertSegmentRevision(write, { environment, name, number }, revision);
  return number;
}

/** Writes the row of a live segment; another condition is marked for delivery. */
async function saveLive(
  write: UnitOfWork,
  { environment, name }: SegmentKey,
  before: Segment | null,
  state: Pick<Segment, 'condition' | 'description' | 'revision'>,
): Promise<void> {
  const updatedAt = before === null ? write.at : Math.max(write.at, before.updatedAtMs + 1);
  if (before === null) {
    await write.db
      .insertInto('segments')
      .values({ environment, name, ...state, updatedAt, createdAt: updatedAt })
      .execute();
  } else {
    await write.db
      .updateTable('segments')
      .set({ ...state, updatedAt })
      .where((row) => row.and({ environment, name }))
      .execute();
  }
  if (before?.revision === state.revision) return;
  const newest = await newestSegmentRevision(write.db, environment, name);
  await recordSegment(write, { environment, name }, { number: state.revision, newest });
  if (before?.condition === state.condition) return;
  write.markChanged('segment', environment, name);
}

/** A condition may be a list of thousands of tester ids: the audit knows it by its digest. */
function auditedState(state: Pick<Segment, 'condition' | 'description' | 'revision'>): unknown {
  const { condition, description, revision } = state;
  const bytes = Buffer.byteLength(condition);
  return { revision, condition: digestOf(condition), bytes, description };
}

export async function deleteSegment(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<void> {
  await reviseUnrevised(write, { environment, name });
  const before = await findSegment(write.db, environment, name);
  await write.db
    .deleteFrom('segments')
    .where((row) => row.and({ environment, name }))
    .execute();
  const newest = await newestSegmentRevision(write.db, environment, name);
  await recordSegment(write, { environment, name }, { number: null, newest });
  write.markChanged('segment', environment, name);
  await write.audit('segment.delete', environment, name, {
    before: before === null ? null : auditedState(before),
    after: null,
  });
}
