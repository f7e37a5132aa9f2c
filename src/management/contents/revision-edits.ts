/** Edits without a text of their own: publish a saved revision, roll back, remove a version line, delete, restore. */
import type { GuardFinding } from '../../content/guards/guard.js';
import { Problem } from '../../contract/problems.js';
import { askOfState } from '../freeze/ask-of-state.js';
import { rejectRunning } from '../freeze/reject-running.js';
import { rejectLocked, rejectPublish } from '../gate/gate.js';
import {
  type ConfirmRequest,
  findConfirmation,
  nameOfState,
  rejectFound,
} from '../guards/confirmation.js';
import { findingWarnings } from '../guards/finding-warnings.js';
import { parseGuards } from '../store/contents/content-guards.js';
import {
  type ContentRecord,
  deleteContent,
  findContent,
  restoreContent,
  setLive,
} from '../store/contents/contents.js';
import { wasLive } from '../store/contents/publications.js';
import { findRevision, type Revision } from '../store/contents/revisions.js';
import { findHash, refreshHashes } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { draftEnvironment, editEnvironment } from '../store/edit-environment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import {
  type Committed,
  type ContentState,
  commitState,
  sameState,
  stateOf,
} from './content-state.js';
import { liveMappingOf } from './draft-edit.js';
import { conflictOf } from './revision-conflict.js';
import type { SavedContent } from './save-content.js';
import { contentUnknown, revisionUnknown } from './unknown-content.js';
import {
  type CheckableState,
  nothingChecked,
  type StateChecks,
  Strictness,
} from './validate/check-state.js';

export type PublishedContent = Omit<SavedContent, 'created'>;

/** What an edit does, as far as reading the store shows. */
export interface PlannedEdit {
  readonly content: ContentRecord;
  /** The revision that it publishes or builds on. */
  readonly base: Revision;
  /** What it saves or delivers; null: nothing, so nothing is checked. */
  readonly state: ContentState | null;
  /** Only a state that players receive must match the content's schema. */
  readonly strictness: Strictness;
  /** Players receive something else afterwards. */
  readonly goesLive: boolean;
}

/** An edit is planned twice: before its transaction, for the heavy part of the checks, and within it. */
export interface RevisionEdit {
  /** Whatever it finds, it saves a draft at most: protection does not forbid it. */
  readonly isDraft: boolean;
  readonly plan: (db: Db) => Promise<PlannedEdit | Problem>;
  /** @param segments saved segments that the state uses */
  readonly apply: (
    write: UnitOfWork,
    planned: PlannedEdit,
    segments: readonly string[],
  ) => Promise<Committed>;
}

/** The state that an edit is going to check, for `StateChecks.ahead`. A content's schema applies to all its revisions. */
export async function stateToCheck(db: Db, edit: RevisionEdit): Promise<CheckableState | null> {
  const planned = await edit.plan(db);
  return planned instanceof Problem ? null : checkableOf(db, planned);
}

/** @param request null: what it publishes was live, and has nothing to be confirmed */
export async function applyEdit(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  edit: RevisionEdit,
  request: ConfirmRequest | null,
): Promise<PublishedContent | Problem> {
  const hold = edit.isDraft ? draftEnvironment : editEnvironment;
  const held = await hold(write, environment);
  if (held instanceof Problem) return held;
  const planned = await edit.plan(write.db);
  if (planned instanceof Problem) return planned;
  const state = await checkableOf(write.db, planned);
  const checked =
    state === null
      ? nothingChecked
      : await checks.checkInWrite(write, environment, state, planned.strictness);
  if (checked instanceof Problem) return checked;
  const { segments, uses } = checked;
  const findings =
    state === null
      ? []
      : await checks.findings.findingsInWrite(write.db, environment, planned.content.id, state);
  const warnings = [...checked.warnings, ...findingWarnings(findings)];
  const gated = planned.goesLive
    ? await rejectPublish(write.db, environment, {
        contents: [planned.content.idLower],
        uses: segments,
      })
    : null;
  if (gated !== null) return gated;
  const unconfirmed = await rejectUnconfirmedEdit(write.db, planned, findings, request);
  if (unconfirmed !== null) return unconfirmed;
  const committed = await edit.apply(write, planned, segments);
  return { id: planned.content.id, ...committed, warnings, uses };
}

async function rejectUnconfirmedEdit(
  db: Db,
  { content: { environment, id, idLower }, base, state, goesLive }: PlannedEdit,
  findings: readonly GuardFinding[],
  request: ConfirmRequest | null,
): Promise<Problem | null> {
  if (request === null || state === null || !goesLive) return null;
  const asked = await askOfState(db, environment, idLower, state);
  if (asked instanceof Problem) return asked;
  // What was live already needs no confirmation of its values: guards warn of it, and never keep players from it.
  const isOld =
    findings.length === 0 ||
    (sameState(state, base) && (await wasLive(db, environment, idLower, base.number)));
  const contents = [...(isOld ? [] : [{ content: id, findings }]), ...asked];
  const found = await findConfirmation(db, environment, contents, nameOfState(state), request);
  return rejectFound(found, request);
}

async function checkableOf(
  db: Db,
  { content, base, state }: PlannedEdit,
): Promise<CheckableState | null> {
  if (state === null) return null;
  const liveMapping = await liveMappingOf(db, content, base);
  const { schema } = content;
  return { ...state, schema, guards: parseGuards(content.guards), liveMapping };
}

/**
 * Delivers a saved revision as it is.
 * @param number null: the newest
 */
export function publishEdit(environment: string, id: string, number: number | null): RevisionEdit {
  return {
    isDraft: false,
    plan: async (db) => {
      const content = await findContent(db, environment, id);
      if (content?.deletedAtMs !== null) return contentUnknown(environment, id);
      const planned = await planRevision(db, content, number ?? content.newest);
      if (planned instanceof Problem) return planned;
      const goesLive = planned.base.number !== content.live;
      if (planned.base.number >= (content.live ?? 0)) return { ...planned, goesLive };
      const detail = `Revision ${number} is older than the live one (${content.live}): roll back to it, which gives it a new number.`;
      return new Problem('revision_older', detail);
    },
    apply: async (
      write,
      { content: { idLower, id: shownId, live }, base: { number: revision } },
    ) => {
      const isNew = live !== revision;
      if (isNew) {
        // A revision between the live and the newest one: its segments may have changed since it was saved.
        await refreshHashes(write, environment, idLower, revision);
        await setLive(write, environment, idLower, revision);
      }
      const hash = await findHash(write.db, environment, idLower, revision);
      if (isNew) {
        const [before, after] = [{ live }, { live: revision, hash }];
        await write.audit('content.publish', environment, shownId, { revision, before, after });
      }
      return { revision, live: revision, hash };
    },
  };
}

/**
 * Delivers the state of an old revision again, under a new number. Brings a deleted content back.
 * @param note why; '' if nothing is said
 */
export function rollBackEdit(
  environment: string,
  id: string,
  number: number,
  note = '',
): RevisionEdit {
  return {
    isDraft: false,
    plan: async (db) => {
      const content = await findContent(db, environment, id);
      return content === null ? contentUnknown(environment, id) : planRevision(db, content, number);
    },
    apply: (write, planned, segments) =>
      saveRevision(
        write,
        planned,
        segments,
        'content.rollback',
        `Rolled back to revision ${number}. ${note}`.trimEnd(),
      ),
  };
}

/** Removes the version line of an app version; its players get the next lower one. */
export function removeLineEdit(
  environment: string,
  id: string,
  version: string,
  { publish, ifRevision }: { readonly publish: boolean; readonly ifRevision: number | undefined },
): RevisionEdit {
  return {
    isDraft: !publish,
    plan: async (db) => {
      const content = await findContent(db, environment, id);
      if (content?.deletedAtMs !== null) return contentUnknown(environment, id);
      const planned = await planRevision(db, content, content.newest);
      if (planned instanceof Problem) return planned;
      const { base } = planned;
      const conflict = await conflictOf(db, ifRevision, content, base);
      if (conflict !== null) return conflict;
      const lines = base.lines.filter((line) => line.version !== version);
      if (lines.length === base.lines.length) {
        return new Problem('line_not_found', `"${content.id}" has no line ${version}.`);
      }
      if (lines.length === 0) {
        return new Problem('last_line', 'It is the only line: delete the content instead.');
      }
      const strictness = publish ? Strictness.Live : Strictness.Draft;
      const state = { ...stateOf(base), lines };
      return { ...planned, state, strictness, goesLive: publish };
    },
    apply: (write, planned, segments) =>
      saveRevision(write, planned, segments, 'content.remove-line', `Removed the line ${version}.`),
  };
}

/**
 * Brings a deleted content back as it was: the revision that was live is live again, under its own number, and drafts
 * are drafts. It is checked again because the segments that it uses may have been deleted in the meantime.
 */
export function restoreEdit(environment: string, id: string): RevisionEdit {
  return {
    isDraft: false,
    plan: async (db) => {
      const content = await findContent(db, environment, id);
      if (content === null) return contentUnknown(environment, id);
      if (content.deletedAtMs === null) {
        return new Problem('not_deleted', `"${content.id}" is not deleted.`);
      }
      const planned = await planRevision(db, content, content.liveBefore ?? content.newest);
      if (planned instanceof Problem || content.liveBefore !== null) return planned;
      return { ...planned, state: null, goesLive: false };
    },
    apply: async (write, { content, base }) => {
      const { idLower, newest, liveBefore } = content;
      await restoreContent(write, content);
      // Its hashes were not refreshed while it was deleted, and segments may have changed.
      for (const number of new Set([newest, base.number])) {
        await refreshHashes(write, environment, idLower, number);
      }
      const hash = await findHash(write.db, environment, idLower, base.number);
      const after = { revision: newest, live: liveBefore, hash };
      await write.audit('content.restore', environment, content.id, { before: null, after });
      return after;
    },
  };
}

/** Takes a content out of delivery and listings. The environment is held. */
export async function removeContent(
  write: UnitOfWork,
  environment: string,
  id: string,
): Promise<{ readonly id: string } | Problem> {
  const content = await findContent(write.db, environment, id);
  if (content?.deletedAtMs !== null) return contentUnknown(environment, id);
  const touched = { contents: [content.idLower] };
  const gate = content.live === null ? rejectLocked : rejectPublish;
  const gated =
    (await gate(write.db, environment, touched)) ??
    (await rejectRunning(write.db, environment, content.idLower));
  if (gated !== null) return gated;
  const before = { revision: content.newest, live: content.live };
  await deleteContent(write, environment, content.idLower);
  await write.audit('content.delete', environment, content.id, { before, after: null });
  return { id: content.id };
}

async function planRevision(
  db: Db,
  content: ContentRecord,
  number: number,
): Promise<PlannedEdit | Problem> {
  const base = await findRevision(db, content.environment, content.idLower, number);
  if (base === null) return revisionUnknown(content.id, number);
  return { content, base, state: stateOf(base), strictness: Strictness.Live, goesLive: true };
}

async function saveRevision(
  write: UnitOfWork,
  { content, base, state, strictness }: PlannedEdit,
  segments: readonly string[],
  action: 'content.rollback' | 'content.remove-line',
  note: string,
): Promise<Committed> {
  const { environment, id, newest, live } = content;
  const full = { ...(state ?? stateOf(base)), segments, note };
  const publish = strictness === Strictness.Live;
  const after = await commitState(write, content, newest, null, full, publish);
  const { revision } = after;
  await write.audit(action, environment, id, {
    revision,
    before: { revision: newest, live },
    after,
    note,
  });
  return after;
}
