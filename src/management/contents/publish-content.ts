/** Makes another revision of a content the live one: publish a saved one, roll back to an old one, drop a line. */

import type { AuditAction } from '../../contract/events.js';
import { Problem } from '../../contract/problems.js';
import { type ContentRecord, findContent, setLive } from '../store/contents/contents.js';
import { findRevision, type Revision } from '../store/contents/revisions.js';
import { findHash, refreshHashes } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment } from '../store/edit-environment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { type ContentState, commitState, stateOf } from './content-state.js';
import { liveMappingOf } from './draft-edit.js';
import { conflictOf } from './revision-conflict.js';
import type { SavedContent } from './save-content.js';
import {
  type CheckableState,
  type CheckedState,
  type StateChecks,
  Strictness,
} from './validate/check-state.js';

export type PublishedContent = Omit<SavedContent, 'created'>;

/**
 * Delivers a saved revision as it is.
 * @param number null: the newest
 */
export async function publishContent(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  id: string,
  number: number | null,
): Promise<PublishedContent | Problem> {
  const content = await editContent(write, environment, id);
  if (content instanceof Problem) return content;
  const revision = await revisionOf(write, content, number ?? content.newest);
  if (revision instanceof Problem) return revision;
  if (content.live !== null && revision.number < content.live) {
    return new Problem(
      'revision_older',
      `Revision ${revision.number} is older than the live one (${content.live}): roll back to it, which gives it a new number.`,
    );
  }
  const checked = await checkRevision(write, checks, content, stateOf(revision));
  if (checked instanceof Problem) return checked;
  const committed = { revision: revision.number, live: revision.number };
  const isNew = content.live !== revision.number;
  if (isNew) {
    // Between the live and the newest one: its segments may have changed since it was saved.
    await refreshHashes(write, environment, content.idLower, revision.number);
    await setLive(write, environment, content.idLower, revision.number);
  }
  const hash = await findHash(write.db, environment, content.idLower, revision.number);
  if (isNew) {
    await write.audit('content.publish', environment, content.id, {
      revision: revision.number,
      before: { live: content.live },
      after: { live: revision.number, hash },
    });
  }
  const { warnings, uses } = checked;
  return { id: content.id, ...committed, hash, warnings, uses };
}

/**
 * The state of a saved revision, to be checked before it is delivered; null: there is none.
 * @param number null: the newest
 */
export async function findSavedState(
  db: Db,
  environment: string,
  id: string,
  number: number | null,
): Promise<CheckableState | null> {
  const content = await findContent(db, environment, id);
  if (content === null) return null;
  const { idLower, newest, schema } = content;
  const revision = await findRevision(db, environment, idLower, number ?? newest);
  if (revision === null) return null;
  const liveMapping = await liveMappingOf(db, content, revision);
  return { ...stateOf(revision), schema, liveMapping };
}

/** The newest state without a line; null: it would not be one. */
export async function findStateWithout(
  db: Db,
  environment: string,
  id: string,
  version: string,
): Promise<CheckableState | null> {
  const state = await findSavedState(db, environment, id, null);
  const lines = state?.lines.filter((line) => line.version !== version) ?? [];
  return state === null || lines.length === 0 ? null : { ...state, lines };
}

/** Delivers the state of an old revision again, under a new number. Brings a deleted content back. */
export async function rollBackContent(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  id: string,
  number: number,
): Promise<PublishedContent | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const content = await findContent(write.db, environment, id);
  if (content === null) return contentUnknown(environment, id);
  const revision = await revisionOf(write, content, number);
  if (revision instanceof Problem) return revision;
  const note = `Rolled back to revision ${number}.`;
  return commitEdit(write, checks, content, stateOf(revision), note, true, 'content.rollback');
}

/** Removes a line of an app version; the callers it served get the next lower one. */
export async function removeLine(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  id: string,
  version: string,
  { publish, ifRevision }: { readonly publish: boolean; readonly ifRevision: number | undefined },
): Promise<PublishedContent | Problem> {
  const content = await editContent(write, environment, id);
  if (content instanceof Problem) return content;
  const base = await revisionOf(write, content, content.newest);
  if (base instanceof Problem) return base;
  const conflict = await conflictOf(write.db, ifRevision, content, base);
  if (conflict !== null) return conflict;
  const lines = base.lines.filter((line) => line.version !== version);
  if (lines.length === base.lines.length) {
    return new Problem('line_not_found', `"${content.id}" has no line ${version}.`);
  }
  if (lines.length === 0) {
    return new Problem('last_line', 'It is the only line: delete the content instead.');
  }
  const state = { ...stateOf(base), lines };
  const note = `Removed the line ${version}.`;
  return commitEdit(write, checks, content, state, note, publish, 'content.remove-line');
}

export function contentUnknown(environment: string, id: string): Problem {
  return new Problem(
    'content_not_found',
    `The environment "${environment}" has no content "${id}".`,
  );
}

export function revisionUnknown(id: string, number: number): Problem {
  return new Problem('revision_not_found', `"${id}" has no revision ${number}.`);
}

/** A content that is there, in an environment that may be edited. */
export async function editContent(
  write: UnitOfWork,
  environment: string,
  id: string,
): Promise<ContentRecord | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const content = await findContent(write.db, environment, id);
  return content?.deletedAtMs === null ? content : contentUnknown(environment, id);
}

export async function revisionOf(
  write: UnitOfWork,
  content: ContentRecord,
  number: number,
): Promise<Revision | Problem> {
  const revision = await findRevision(write.db, content.environment, content.idLower, number);
  return revision ?? revisionUnknown(content.id, number);
}

/** A content's schema counts for all its revisions, the old ones too. */
export async function checkRevision(
  write: UnitOfWork,
  checks: StateChecks,
  content: ContentRecord,
  state: ContentState,
  strictness: Strictness = Strictness.Live,
): Promise<CheckedState | Problem> {
  const liveMapping = await liveMappingOf(write.db, content, null);
  const checkable = { ...state, schema: content.schema, liveMapping };
  return checks.checkInWrite(write, content.environment, checkable, strictness);
}

async function commitEdit(
  write: UnitOfWork,
  checks: StateChecks,
  content: ContentRecord,
  state: ContentState,
  note: string,
  publish: boolean,
  action: AuditAction,
): Promise<PublishedContent | Problem> {
  const { environment, id, newest, live } = content;
  const strictness = publish ? Strictness.Live : Strictness.Draft;
  const checked = await checkRevision(write, checks, content, state, strictness);
  if (checked instanceof Problem) return checked;
  const full = { ...state, segments: checked.segments, note };
  const committed = await commitState(write, content, newest, null, full, publish);
  const hash = await findHash(write.db, environment, content.idLower, committed.revision);
  await write.audit(action, environment, id, {
    revision: committed.revision,
    before: { revision: newest, live },
    after: { ...committed, hash },
    note,
  });
  const { warnings, uses } = checked;
  return { id, ...committed, hash, warnings, uses };
}
