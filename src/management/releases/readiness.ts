/** What keeps a release from reaching players at this moment: missing approvals, conflicts, another ramp. */
import { Problem } from '../../contract/problems.js';
import { namesShownMax } from '../limits.js';
import type { Db } from '../store/dialect.js';
import { findReached } from '../store/releases/release-reach.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import type { ChangeFacts } from './change-facts.js';
import { describeItem } from './describe-item.js';
import { namesOfReach, type Reach } from './reach.js';
import { approvalsMissing } from './review/approvals.js';

/** Null: enough people have approved the release as it is. */
export async function rejectUnapproved(db: Db, release: ReleaseRecord): Promise<Problem | null> {
  const missing = await approvalsMissing(db, release);
  if (missing === 0) return null;
  const approvals = missing === 1 ? '1 approval is' : `${missing} approvals are`;
  const detail = `Release ${release.release} cannot go on: ${approvals} missing. Submit it, and ask for them.`;
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
  const detail = `Release ${first.release} ramps and reaches the same: ${shorten(names)}. Wait until it is live, or stop it.`;
  return new Problem('release_active', detail, [], { release: first.release });
}

/** The first items by name, and how many more there are. */
export function listItems(facts: readonly Pick<ChangeFacts, 'kind' | 'id'>[]): string {
  return shorten(facts.map(describeItem));
}

function shorten(names: readonly string[]): string {
  const more = names.length - namesShownMax;
  const shown = names.slice(0, namesShownMax).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function issueOf(facts: ChangeFacts) {
  const { base, live } = facts;
  const message = `was made for ${revisionText(base)}; live now: ${revisionText(live)}`;
  return { path: describeItem(facts), message };
}

function revisionText(revision: number | null): string {
  return revision === null ? 'nothing live' : `revision ${revision}`;
}
