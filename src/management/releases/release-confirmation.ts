/**
 * What a release does to values, and whether it was confirmed: computed when it is submitted, scheduled or started,
 * and when it goes live. What was confirmed is part of what reviewers approve.
 */
import { Problem } from '../../contract/problems.js';
import type { Finding } from '../../contract/schemas/guard.js';
import { stateOf } from '../contents/content-state.js';
import { askExperiments } from '../freeze/ask-experiments.js';
import {
  type ConfirmRequest,
  type ContentFindings,
  type Found,
  findConfirmation,
  rejectUnconfirmed,
} from '../guards/confirmation.js';
import type { Findings } from '../guards/findings.js';
import { parseGuards } from '../store/contents/content-guards.js';
import { findContent } from '../store/contents/contents.js';
import { wasLive } from '../store/contents/publications.js';
import { findRevision } from '../store/contents/revisions.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import {
  findReleaseFindings,
  putReleaseFindings,
  type ReleaseFindings,
} from '../store/releases/release-findings.js';
import { type ReleaseRecord, rampStates } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import type { ChangeFacts } from './change-facts.js';
import { goesLiveOf } from './goes-live.js';
import type { HeldRelease } from './held-release.js';

/** Findings of one change. */
export interface ChangeFindings extends ContentFindings {
  /** The revision was live before: an emergency goes back to it, and needs no confirmation. */
  readonly wasLive: boolean;
}

/** Of all contents that a release makes live. Takes workers their time: call it while no transaction is held. */
export async function findInRelease(
  db: Db,
  findings: Findings,
  { environment }: ReleaseRecord,
  facts: readonly ChangeFacts[],
): Promise<ChangeFindings[]> {
  const guardsThen = facts.find(({ kind }) => kind === 'environment')?.edit?.guards ?? {};
  const changed = new Map(
    Object.entries(guardsThen).map(([id, guards]) => [id.toLowerCase(), JSON.stringify(guards)]),
  );
  const found: ChangeFindings[] = [];
  const pace = new EventLoopYielder();
  for (const { kind, name, id, revision, live } of facts) {
    if (kind !== 'content' || revision === null || revision === live) continue;
    const content = await findContent(db, environment, name);
    const saved = await findRevision(db, environment, name, revision);
    if (content === null || saved === null) continue;
    const guards = parseGuards(changed.get(name) ?? content.guards);
    const state = { ...stateOf(saved), guards };
    found.push({
      content: id,
      findings: await findings.findingsOf(db, environment, id, state),
      wasLive: await wasLive(db, environment, name, revision),
    });
    await pace.step();
  }
  return found;
}

/** Null: nothing is found. A problem: it may not go live beside running experiments. */
export async function foundInRelease(
  db: Db,
  { environment }: ReleaseRecord,
  facts: readonly ChangeFacts[],
  found: readonly ChangeFindings[],
  request: ConfirmRequest,
): Promise<Found | Problem | null> {
  const asked = await askExperiments(db, environment, await goesLiveOf(db, environment, facts));
  if (asked instanceof Problem) return asked;
  const changes = facts.map(({ kind, name, revision, edit }) => [kind, name, revision, edit]);
  const state = JSON.stringify(changes.map((change) => JSON.stringify(change)).sort());
  return findConfirmation(db, environment, [...found, ...asked], state, request);
}

/**
 * Why the release may not go on with what is found; null: it may. Where it needs a review, what was confirmed when it was
 * submitted counts, and nothing that is sent later.
 */
export async function rejectFoundInRelease(
  db: Db,
  { release, needsReview }: HeldRelease,
  found: Found | null,
  { confirm }: ConfirmRequest,
): Promise<Problem | null> {
  if (found === null) return null;
  if (found.needsApproval && !needsReview) return submitFirst(release);
  const stored = await findReleaseFindings(db, release);
  if (isCovered(found, stored)) return null;
  if (!needsReview) return rejectUnconfirmed(found, confirm);
  const rejected = rejectUnconfirmed(found, null);
  if (rejected === null) return null;
  const detail = `What release ${release.release} does to values is not what was confirmed and approved any more: send it back, look at it, and submit it again.`;
  return new Problem('confirmation_required', detail, [], rejected.members);
}

/** Keeps what is found for everybody who looks at the release. What reviewers have seen stays. */
export async function keepFound(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  found: Found | null,
  request: ConfirmRequest,
): Promise<void> {
  if (!needsReview && !rampStates.includes(release.state)) {
    await keepSubmitted(write, release, found, request);
  }
}

/** The same when it is submitted: reviewers look at this. */
export async function keepSubmitted(
  write: UnitOfWork,
  release: ReleaseRecord,
  found: Found | null,
  { confirm }: ConfirmRequest,
): Promise<void> {
  await putReleaseFindings(write, release, await foundToKeep(write.db, release, found, confirm));
}

/** The digest of what is confirmed when the request succeeds; null: nothing. */
export async function confirmedBy(
  db: Db,
  release: ReleaseRecord,
  found: Found | null,
  { confirm }: ConfirmRequest,
): Promise<string | null> {
  return (await foundToKeep(db, release, found, confirm))?.confirmed ?? null;
}

async function foundToKeep(
  db: Db,
  release: ReleaseRecord,
  found: Found | null,
  confirm: string | null,
): Promise<ReleaseFindings | null> {
  if (found === null) return null;
  const { warnings: findings, total, needsApproval, digest } = found;
  const stored = await findReleaseFindings(db, release);
  const kept = stored !== null && isCovered(found, stored) ? stored.confirmed : null;
  const confirmed = digest === confirm ? digest : kept;
  return { findings, total, needsApproval, confirmed };
}

/** All of it was confirmed before. Time alone takes findings away: one compares with what was live a day ago. */
function isCovered(found: Found, stored: ReleaseFindings | null): boolean {
  if (stored === null || stored.confirmed === null) return false;
  if (stored.confirmed === found.digest) return true;
  const known = new Set(stored.findings.map(textOf));
  return !found.warningsCut && found.warnings.every((finding) => known.has(textOf(finding)));
}

function textOf(finding: Finding): string {
  return JSON.stringify(finding);
}

function submitFirst({ release }: ReleaseRecord): Problem {
  const detail = `Release ${release} cannot go on: a guard wants the approval of a second person. Submit it, and ask for one.`;
  return new Problem('approvals_missing', detail, [], { missing: 1 });
}
