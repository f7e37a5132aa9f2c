/** Saves an edit of a content: a new item, a new text for a line, another mapping, other facts about it. */
import { contentKey } from '../../content/content-id.js';
import type { GuardFinding } from '../../content/guards/guard.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import type { Confirmation } from '../../contract/schemas/guard.js';
import { askOfState } from '../freeze/ask-of-state.js';
import { rejectLocked, rejectPublish } from '../gate/gate.js';
import {
  type ConfirmRequest,
  confirmationJson,
  type Found,
  findConfirmation,
  nameOfState,
  rejectFound,
} from '../guards/confirmation.js';
import { findingWarnings } from '../guards/finding-warnings.js';
import { rejectWeakerGuards } from '../guards/weaker-guards.js';
import {
  type ContentAbout,
  type ContentRecord,
  insertContent,
  updateContent,
} from '../store/contents/contents.js';
import { hashOfState } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import {
  draftEnvironment,
  editEnvironment,
  environmentUnknown,
  rejectProtected,
} from '../store/edit-environment.js';
import { type Environment, findEnvironment } from '../store/environments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { type Committed, changedAbout, commitState, sameState } from './content-state.js';
import {
  type ContentEdit,
  changedParts,
  draftEdit,
  type EditDraft,
  removedLines,
} from './draft-edit.js';
import { type CheckOne, checkEdit } from './validate/check-edit.js';
import type {
  CheckableState,
  CheckedState,
  StateChecks,
  StateUses,
} from './validate/check-state.js';

export interface SavedContent extends Committed {
  readonly created: boolean;
  /** In the spelling it was created with. */
  readonly id: string;
  readonly warnings: readonly ValidationIssue[];
  /** What its conditions read, for warnings that need more than the state itself. */
  readonly uses: StateUses;
}

/** What a save would make of a content. */
export interface PreviewedSave extends SavedContent {
  /** App versions of the lines that it would remove. */
  readonly removedLines: readonly string[];
  /** Findings that it would have confirmed; null: there are none, or it saves a draft. */
  readonly confirmation: Confirmation | null;
}

/** What a save would respond; nothing is written. */
export async function previewSave(
  db: Db,
  checks: StateChecks,
  environment: string,
  id: string,
  edit: ContentEdit,
  request: ConfirmRequest,
): Promise<PreviewedSave | Problem> {
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const check: CheckOne = (given, strictness) => checks.check(db, environment, given, strictness);
  const find: FindFindings = (state) => checks.findings.findingsOf(db, environment, id, state);
  const checked = await draftAndCheck(db, { check, find }, environment, id, edit);
  if (checked instanceof Problem) return checked;
  const { draft, segments, warnings, uses } = checked;
  const gated = await rejectAtGate(db, environment, draft, segments, edit);
  if (gated !== null) return gated;
  const found = await findInEdit(db, environment, id, checked, edit, request);
  if (found instanceof Problem) return found;
  const { known, present, base, state } = draft;
  const same = base !== null && sameState(base, state);
  const revision = (known?.newest ?? 0) + (same ? 0 : 1);
  const live = edit.publish ? revision : (present?.live ?? null);
  return {
    created: present === null,
    id: present?.id ?? id,
    revision,
    live,
    hash: await hashOfState(db, environment, { ...state, segments }),
    warnings,
    uses,
    removedLines: removedLines(draft),
    confirmation: confirmationJson(found),
  };
}

export async function saveContent(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  id: string,
  edit: ContentEdit,
  request: ConfirmRequest,
): Promise<SavedContent | Problem> {
  const hold = edit.publish ? editEnvironment : draftEnvironment;
  const held = await hold(write, environment);
  if (held instanceof Problem) return held;
  const check: CheckOne = (given, strictness) =>
    checks.checkInWrite(write, environment, given, strictness);
  const find: FindFindings = (state) =>
    checks.findings.findingsInWrite(write.db, environment, id, state);
  const checked = await draftAndCheck(write.db, { check, find }, environment, id, edit);
  if (checked instanceof Problem) return checked;
  const { draft, segments, warnings, uses } = checked;
  const { known, present, base, about, state } = draft;
  const rejected =
    rejectAbout(held, write, draft) ??
    (await rejectAtGate(write.db, environment, draft, segments, edit)) ??
    rejectFound(await findInEdit(write.db, environment, id, checked, edit, request), request);
  if (rejected !== null) return rejected;
  const shownId = present?.id ?? id;
  if (known === null) await insertContent(write, environment, id, about);
  else if (present === null || changedAbout(present, about).length > 0) {
    await updateContent(write, environment, shownId, about);
  }
  const idLower = contentKey(id);
  const live = present?.live ?? null;
  const committed = await commitState(
    write,
    { environment, idLower, live },
    known?.newest ?? 0,
    base,
    { ...state, segments, note: edit.note },
    edit.publish,
  );
  await write.audit('content.put', environment, shownId, {
    revision: committed.revision,
    before:
      base === null ? null : { revision: base.number, live, hash: base.lines.at(-1)?.hash ?? '' },
    after: committed,
    changed: changedParts(draft),
    note: edit.note,
  });
  return { created: present === null, id: shownId, ...committed, warnings, uses };
}

/** What is said about a live content counts at once, also with a draft: a protected environment leaves it to owners. */
function rejectAbout(
  environment: Environment,
  { actor }: UnitOfWork,
  { present, about }: EditDraft,
): Problem | null {
  const isLive = present !== null && present.live !== null;
  const counts = isLive && changedAbout(present, about).length > 0;
  return counts ? rejectProtected(environment, actor) : null;
}

/** Null: nothing is found, or players receive what they do now. A problem: it may not go live beside running experiments. */
async function findInEdit(
  db: Db,
  environment: string,
  content: string,
  { draft, findings }: CheckedDraft,
  edit: ContentEdit,
  request: ConfirmRequest,
): Promise<Found | Problem | null> {
  if (!goesLive(draft, edit)) return null;
  const { present, state } = draft;
  const asked = await askOfState(db, environment, contentKey(content), state);
  if (asked instanceof Problem) return asked;
  const contents = [{ content: present?.id ?? content, findings }, ...asked];
  return findConfirmation(db, environment, contents, nameOfState(state), request);
}

/** Players receive something else afterwards. */
function goesLive({ present, base, state }: EditDraft, { publish }: ContentEdit): boolean {
  const isLive = base !== null && present?.live === base.number && sameState(base, state);
  return publish && !isLive;
}

/** A draft passes, unless its schema or its guards would count for what a ramp has locked. */
async function rejectAtGate(
  db: Db,
  environment: string,
  draft: EditDraft,
  segments: readonly string[],
  edit: ContentEdit,
): Promise<Problem | null> {
  const { known, present, about } = draft;
  const weaker = present === null ? null : await rejectWeaker(db, environment, present, about);
  if (weaker !== null) return weaker;
  const contents = known === null ? [] : [known.idLower];
  if (goesLive(draft, edit)) {
    return rejectPublish(db, environment, { contents, uses: segments });
  }
  const counts =
    present !== null && (present.schema !== about.schema || present.guards !== about.guards);
  return counts ? rejectLocked(db, environment, { contents }) : null;
}

function rejectWeaker(
  db: Db,
  environment: string,
  { id, live, guards: before }: ContentRecord,
  { guards: after }: ContentAbout,
): Promise<Problem | null> {
  return rejectWeakerGuards(db, environment, { id, isLive: live !== null, before, after });
}

interface CheckedDraft extends CheckedState {
  readonly draft: EditDraft;
  readonly findings: readonly GuardFinding[];
}

/** What a state would do to players: on a snapshot, or within a write. */
type FindFindings = (state: CheckableState) => Promise<readonly GuardFinding[]>;

async function draftAndCheck(
  db: Db,
  { check, find }: { readonly check: CheckOne; readonly find: FindFindings },
  environment: string,
  id: string,
  edit: ContentEdit,
): Promise<CheckedDraft | Problem> {
  const draft = await draftEdit(db, environment, id, edit);
  if (draft instanceof Problem) return draft;
  const checked = await checkEdit(db, check, draft, edit.publish);
  if (checked instanceof Problem) return checked;
  const ofTexts = [...(edit.lines?.texts.values() ?? [])].flatMap((text) => text?.warnings ?? []);
  const findings = await find(draft.state);
  const warnings = [...ofTexts, ...checked.warnings, ...findingWarnings(findings)];
  return { ...checked, draft, findings, warnings };
}
