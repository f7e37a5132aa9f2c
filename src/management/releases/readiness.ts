/** What keeps a release from reaching players at this moment: missing approvals, conflicts, another ramp. */
import { Problem } from '../../contract/problems.js';
import { formatApprovals, formatNames } from '../format-names.js';
import { rejectRampOfExperiments } from '../freeze/ask-experiments.js';
import { namesShownMax } from '../limits/evaluation.js';
import type { Db } from '../store/dialect.js';
import { findReached } from '../store/releases/release-reach.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import type { ChangeFacts } from './change-facts.js';
import { describeItem } from './describe-item.js';
import { goesLiveOf } from './goes-live.js';
import type { HeldRelease } from './held-release.js';
import { namesOfReach, type Reach } from './reach.js';
import { approvalsMissing } from './review/approvals.js';

/** Null: enough people have approved the release as it is. */
export async function rejectUnapproved(db: Db, release: ReleaseRecord): Promise<Problem | null> {
  const missing = await approvalsMissing(db, release);
  if (missing === 0) return null;
  const detail = `Release ${release.release} cannot go on: it lacks ${formatApprovals(missing)}. Submit it, and ask reviewers.`;
  return new Problem('approvals_missing', detail, [], { missing });
}

/** Null: what is live is what each change was made for. */
export function rejectConflicts(
  { release }: ReleaseRecord,
  facts: readonly ChangeFacts[],
): Problem | null {
  const moved = facts.filter(({ conflict }) => conflict);
  if (moved.length === 0) return null;
  const detail = `What is live has changed since release ${release} was made: ${listItems(moved)}. Rebase these changes or drop them.`;
  return new Problem('release_conflict', detail, moved.slice(0, namesShownMax).map(issueOf));
}

/** Null: no other ramp reaches any of it. */
export async function rejectOverlap(
  db: Db,
  { environment, release }: ReleaseRecord,
  reach: Reach,
): Promise<Problem | null> {
  const reached = await findReached(db, environment, namesOfReach(reach));
  const others = reached.filter((one) => one.release !== release);
  const [first] = others;
  if (first === undefined) return null;
  const names = others
    .filter((one) => one.release === first.release)
    .map(({ kind, name }) => describeItem({ kind, id: reach.contents.get(name) ?? name }));
  const detail = `Release ${first.release} ramps and reaches the same: ${formatNames(names)}. Wait until it is live, or stop it.`;
  return new Problem('release_active', detail, [], { release: first.release });
}

/**
 * Null: the release leaves the settings of its environment as they are, or approvals decide. Where none are asked for, owners
 * change the settings themselves, and editors cannot by way of a release.
 */
export function rejectOwnSettings(
  { environment: { id }, hasPolicy }: HeldRelease,
  facts: readonly ChangeFacts[],
): Problem | null {
  if (hasPolicy || !facts.some(({ kind }) => kind === 'environment')) return null;
  const detail = `"${id}" asks for no approvals: an owner changes its settings at once. Drop that change from the release.`;
  return new Problem('release_invalid', detail);
}

/** The first items by name, and how many more there are. */
export function listItems(facts: readonly Pick<ChangeFacts, 'kind' | 'id'>[]): string {
  return formatNames(facts.map(describeItem));
}

function issueOf(facts: ChangeFacts) {
  const { base, live } = facts;
  const message = `was made for ${revisionText(base)}; live now: ${revisionText(live)}`;
  return { path: describeItem(facts), message };
}

function revisionText(revision: number | null): string {
  return revision === null ? 'nothing live' : `revision ${revision}`;
}

/** A ramp of it would mix players of two states of a running experiment; null: it has no steps, or changes none. */
export async function rejectExperimentRamp(
  db: Db,
  { environment, steps }: ReleaseRecord,
  facts: readonly ChangeFacts[],
): Promise<Problem | null> {
  if (steps.length === 0) return null;
  return rejectRampOfExperiments(db, environment, await goesLiveOf(db, environment, facts));
}
