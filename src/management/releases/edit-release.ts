/** Makes a release and edits it. What reviewers have seen is no longer so then: approvals are withdrawn. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { openReleasesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { ReleaseBrake, ReleaseStep } from '../../contract/schemas/release.js';
import type { Db } from '../store/dialect.js';
import { deleteApprovals } from '../store/releases/release-approvals.js';
import { putReleaseFindings } from '../store/releases/release-findings.js';
import { insertTimeline } from '../store/releases/release-timeline.js';
import {
  countOpenReleases,
  insertRelease,
  type ReleaseColumns,
  type ReleaseRecord,
  updateReleaseIf,
} from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { applyChanges, type ChangesEdit, planChanges } from './changes.js';
import { rejectState } from './check-release.js';
import type { HeldRelease } from './held-release.js';
import { transit } from './transition.js';

export interface ReleaseDraft {
  readonly title: string;
  readonly description: string;
  readonly changes: ChangesEdit['put'];
  readonly steps: readonly ReleaseStep[];
  readonly brake: ReleaseBrake | null;
}

/** The environment is held. */
export async function createRelease(
  write: UnitOfWork,
  environment: string,
  { changes, ...draft }: ReleaseDraft,
): Promise<ReleaseRecord | Problem> {
  const edit = { put: changes, drop: [], rebase: [] };
  const planned = await planChanges(write.db, environment, null, edit);
  if (planned instanceof Problem) return planned;
  const tooMany = await rejectOpenReleases(write.db, environment);
  if (tooMany !== null) return tooMany;
  // Random, so that another release of the same changes begins with other users.
  const salt = randomBytes(12).toString('base64url');
  const release = await insertRelease(write, { ...draft, environment, salt });
  await applyChanges(write, release, planned);
  await note(write, release, 'release.create', '');
  return release;
}

/** Why the environment takes no other release; null: it takes one. */
export async function rejectOpenReleases(db: Db, environment: string): Promise<Problem | null> {
  if ((await countOpenReleases(db, environment)) < openReleasesMax) return null;
  const detail = `The environment "${environment}" has ${openReleasesMax} releases that have not ended: cancel some.`;
  return new Problem('limit_reached', detail);
}

export interface ReleaseEdit {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly steps?: readonly ReleaseStep[] | undefined;
  readonly brake?: ReleaseBrake | null | undefined;
}

/** Title and description may change in every state; no approval is about them. */
export async function updateRelease(
  write: UnitOfWork,
  held: HeldRelease,
  edit: ReleaseEdit,
): Promise<ReleaseRecord | Problem> {
  const { release } = held;
  const { steps = release.steps, brake = release.brake } = edit;
  const { title = release.title, description = release.description } = edit;
  const texts = { title, description };
  if (!same(steps, release.steps) || !same(brake, release.brake)) {
    return editRelease(write, held, { ...texts, steps, brake }, 'Steps or brake were changed.');
  }
  if (title === release.title && description === release.description) return release;
  const edited = await updateReleaseIf(write, release, texts);
  assert(edited !== null, 'the environment is held, so that no other write came between');
  await note(write, edited, 'release.update', '');
  return edited;
}

export async function changeRelease(
  write: UnitOfWork,
  held: HeldRelease,
  edit: ChangesEdit,
): Promise<ReleaseRecord | Problem> {
  const rejected = rejectState(held, 'edit');
  if (rejected !== null) return rejected;
  const { release } = held;
  const planned = await planChanges(write.db, release.environment, release, edit);
  if (planned instanceof Problem) return planned;
  const { put, drop } = planned;
  if (put.length + drop.length === 0) return release;
  const changed = [...put, ...drop].length;
  const text = changed === 1 ? 'One change was edited.' : `${changed} changes were edited.`;
  const edited = await editRelease(write, held, {}, text);
  if (!(edited instanceof Problem)) await applyChanges(write, release, planned);
  return edited;
}

/** It is a draft again, whatever it was. */
async function editRelease(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  columns: ReleaseColumns,
  text: string,
): Promise<ReleaseRecord | Problem> {
  const done = await transit(write, release, {
    ...{ transition: 'edit', to: 'draft', action: 'release.update', event: null },
    ...{ needsReview, publishes: false, text },
    columns: { ...columns, ...notSubmitted, reason: '', endedAt: null },
  });
  if (done instanceof Problem) return done;
  await deleteApprovals(write, release);
  await putReleaseFindings(write, release, null);
  return done.release;
}

/** What a draft has in the columns of review and schedule. */
export const notSubmitted = {
  ...{ submittedBy: null, submittedByName: null, submittedAt: null, digest: '' },
  ...{ scheduledAt: null, toleranceMs: 0 },
} as const satisfies ReleaseColumns;

async function note(
  write: UnitOfWork,
  release: ReleaseRecord,
  event: 'release.create' | 'release.update',
  text: string,
): Promise<void> {
  const { environment, state, title } = release;
  await insertTimeline(write, release, { event, state, sequence: null, permille: null, text });
  await write.audit(event, environment, String(release.release), { title });
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
