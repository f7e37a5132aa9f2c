/** Changes of a release: put in at an exact revision, dropped, or rebased on what is live now. */
import { contentKey } from '../../content/content-id.js';
import { releaseChangesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { ChangeInput, ChangeName, EnvironmentEdit } from '../../contract/schemas/release.js';
import { contentUnknown, revisionUnknown } from '../contents/unknown-content.js';
import { bodyIssue } from '../http/problem.js';
import { findContent } from '../store/contents/contents.js';
import type { Db } from '../store/dialect.js';
import {
  dropReleaseChange,
  listReleaseChanges,
  type NewReleaseChange,
  putReleaseChanges,
  type ReleaseChangeKey,
} from '../store/releases/release-changes.js';
import type { ReleaseId } from '../store/releases/releases.js';
import { reviewersRequired } from '../store/review-policies.js';
import { findSegmentRevision, newestSegmentRevision } from '../store/segments/segment-revisions.js';
import { findSegment } from '../store/segments/segments.js';
import { segmentRevisionUnknown, segmentUnknown } from '../store/segments/unknown-segment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** What an edit does to the changes of a release, in this order. */
export interface ChangesEdit {
  readonly drop: readonly ChangeName[];
  readonly put: readonly ChangeInput[];
  /** Their base becomes what is live now. */
  readonly rebase: readonly ChangeName[];
}

/** An edit of changes with everything that it names looked up: it can be carried out. */
export interface PlannedChanges {
  readonly drop: readonly ReleaseChangeKey[];
  readonly put: readonly NewReleaseChange[];
}

/**
 * Looks up what an edit names.
 * @param release null: a new one, without changes
 */
export async function planChanges(
  db: Db,
  environment: string,
  release: ReleaseId | null,
  { drop, put, rebase }: ChangesEdit,
): Promise<PlannedChanges | Problem> {
  const present = release === null ? [] : await listReleaseChanges(db, release);
  const planned = new Map(present.map((change) => [textOf(change), change as NewReleaseChange]));
  const dropped = drop.map(keyOf);
  for (const [at, key] of dropped.entries()) {
    if (!planned.delete(textOf(key))) return bodyIssue(`drop[${at}]`, notThere);
  }
  const changed = new Map<string, NewReleaseChange>();
  for (const input of put) {
    const change = await planChange(db, environment, input);
    if (change instanceof Problem) return change;
    changed.set(textOf(change), change);
  }
  for (const [at, name] of rebase.entries()) {
    const text = textOf(keyOf(name));
    const change = changed.get(text) ?? planned.get(text);
    if (change === undefined) return bodyIssue(`rebase[${at}]`, notThere);
    changed.set(text, { ...change, base: await liveOf(db, environment, change) });
  }
  const tooMany = rejectChangeCount(new Set([...planned.keys(), ...changed.keys()]).size);
  if (tooMany !== null) return tooMany;
  return { drop: dropped, put: [...changed.values()].map(columnsOf) };
}

/** Null: a release can have so many changes. */
export function rejectChangeCount(changes: number): Problem | null {
  if (changes <= releaseChangesMax) return null;
  return new Problem('limit_reached', `A release has at most ${releaseChangesMax} changes.`);
}

export async function applyChanges(
  write: UnitOfWork,
  release: ReleaseId,
  { drop, put }: PlannedChanges,
): Promise<void> {
  for (const key of drop) await dropReleaseChange(write, release, key);
  await putReleaseChanges(write, release, put);
}

const notThere = 'is not a change of the release';

async function planChange(
  db: Db,
  environment: string,
  input: ChangeInput,
): Promise<NewReleaseChange | Problem> {
  switch (input.kind) {
    case 'content':
      return planContent(db, environment, input);
    case 'segment':
      return planSegment(db, environment, input);
    case 'environment':
      return planSettings(db, environment, input.edit);
  }
}

async function planContent(
  db: Db,
  environment: string,
  { id, revision }: Extract<ChangeInput, { kind: 'content' }>,
): Promise<NewReleaseChange | Problem> {
  const content = await findContent(db, environment, id);
  // A deleted content comes back at the revision that the request names.
  const isThere =
    content !== null && (content.deletedAtMs === null || typeof revision === 'number');
  if (!isThere) return contentUnknown(environment, id);
  const number = revision === undefined ? content.newest : revision;
  const { idLower, live } = content;
  if (number !== null && !(await hasRevision(db, environment, idLower, number))) {
    return revisionUnknown(content.id, number);
  }
  const named = { kind: 'content' as const, name: idLower, id: content.id };
  return { ...named, revision: number, base: live, edit: null };
}

/** Only where an owner could not change it at once. */
async function planSettings(
  db: Db,
  environment: string,
  edit: EnvironmentEdit,
): Promise<NewReleaseChange | Problem> {
  if (Object.values(edit).every((value) => value === undefined)) {
    return bodyIssue(
      'put',
      'says of the environment what is to change: review, protected, confirm, guards, layers, holdout or delete',
    );
  }
  if ((await reviewersRequired(db, environment)) === 0) {
    const message =
      'cannot change an environment that asks for no approvals: an owner does so at once';
    return bodyIssue('put', message);
  }
  const named = { kind: 'environment' as const, name: '', id: environment };
  return { ...named, revision: null, base: null, edit };
}

async function hasRevision(
  db: Db,
  environment: string,
  idLower: string,
  number: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('revisions')
    .select('number')
    .where((where) => where.and({ environment, idLower, number }))
    .executeTakeFirst();
  return row !== undefined;
}

async function planSegment(
  db: Db,
  environment: string,
  { name, revision }: Extract<ChangeInput, { kind: 'segment' }>,
): Promise<NewReleaseChange | Problem> {
  const number = revision ?? (await newestSegmentRevision(db, environment, name));
  if (number === 0) return segmentUnknown(environment, name);
  if ((await findSegmentRevision(db, environment, name, number)) === null) {
    return segmentRevisionUnknown(db, environment, name, number);
  }
  const base = (await findSegment(db, environment, name))?.revision ?? null;
  return { kind: 'segment', name, id: name, revision: number, base, edit: null };
}

async function liveOf(
  db: Db,
  environment: string,
  { kind, name }: ReleaseChangeKey,
): Promise<number | null> {
  switch (kind) {
    case 'content':
      return (await findContent(db, environment, name))?.live ?? null;
    case 'segment':
      return (await findSegment(db, environment, name))?.revision ?? null;
    case 'environment':
      return null;
  }
}

function keyOf(name: ChangeName): ReleaseChangeKey {
  switch (name.kind) {
    case 'content':
      return { kind: 'content', name: contentKey(name.id) };
    case 'segment':
      return { kind: 'segment', name: name.name };
    case 'environment':
      return { kind: 'environment', name: '' };
  }
}

function textOf({ kind, name }: ReleaseChangeKey): string {
  return `${kind} ${name}`;
}

function columnsOf({ kind, name, id, revision, base, edit }: NewReleaseChange): NewReleaseChange {
  return { kind, name, id, revision, base, edit };
}
