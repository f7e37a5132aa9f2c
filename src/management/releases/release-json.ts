/** Releases as the admin API shows them. */
import { strict as assert } from 'node:assert';
import type { TimelineEvent } from '../../contract/operations/releases/releases.js';
import type { Release, ReleaseChange, ReleaseSummary } from '../../contract/schemas/release.js';
import type { Db } from '../store/dialect.js';
import { countReleaseChanges } from '../store/releases/release-changes.js';
import { findReleaseFindings } from '../store/releases/release-findings.js';
import { findReached } from '../store/releases/release-reach.js';
import { findLastTime, type TimelineRecord } from '../store/releases/release-timeline.js';
import { type ReleaseRecord, rampStates } from '../store/releases/releases.js';
import { toIso } from '../to-iso.js';
import { withUsers } from './brake/minimum-users.js';
import { readStepReceipts } from './brake/step-receipts.js';
import { type ChangeFacts, readChangeFacts } from './change-facts.js';
import { nextAction } from './leader/next-action.js';
import { namesOfReach, type Reach, readReach } from './reach.js';
import { describeApprovals, readReviewFacts } from './review/approvals.js';
import { approvalsRequired } from './review/approvals-required.js';
import { permilleOf } from './transition.js';

/** In the order that they are given. All of one environment. */
export async function summariesJson(
  db: Db,
  environment: string,
  releases: readonly ReleaseRecord[],
): Promise<ReleaseSummary[]> {
  const numbers = releases.map(({ release }) => release);
  const counts = await countReleaseChanges(db, environment, numbers);
  return releases.map((release) => ({
    ...sharedJson(release),
    changes: counts.get(release.release) ?? 0,
  }));
}

/** @param nowMs of the store's clock or near it, by which users of a ramp have had their time */
export async function releaseJson(db: Db, release: ReleaseRecord, nowMs: number): Promise<Release> {
  const facts = await readChangeFacts(db, release);
  const reach = await readReach(db, release, facts);
  const review = await readReviewFacts(db, release, { changes: facts });
  const { scheduledAt, toleranceMs, steps, brake, emergency, sequence } = release;
  return {
    ...sharedJson(release),
    description: release.description,
    changes: facts.map(changeJson),
    reach: { contents: [...reach.contents.values()], segments: reach.segments },
    steps: brake?.receipts ? withUsers(steps) : steps,
    brake,
    schedule:
      scheduledAt === null
        ? null
        : { at: toIso(scheduledAt), toleranceMinutes: toleranceMs / 60_000 },
    review: {
      required: await approvalsRequired(db, release),
      digest: review.digest,
      submittedBy: release.submittedByName,
      submittedAt: toIso(release.submittedAt),
      approvals: await describeApprovals(db, review),
    },
    ...(await findingsJson(db, release)),
    ramp: await rampJson(db, release, nowMs),
    overlaps: await overlapsOf(db, release, reach),
    ...{ emergency, sequence },
    liveAt: toIso(release.liveAt),
    endedAt: toIso(release.endedAt),
  };
}

export function timelineJson(record: TimelineRecord): TimelineEvent {
  const { at, event, userName: by, state, sequence, permille, text } = record;
  return {
    ...{ at: toIso(at), event, by, state, sequence, text },
    percent: permille === null ? null : permille / 10,
  };
}

function sharedJson(release: ReleaseRecord): Omit<ReleaseSummary, 'changes'> {
  const { environment, title, state, version, reason } = release;
  const permille = permilleOf(release);
  return {
    ...{ release: release.release, environment, title, state, version },
    createdBy: release.createdByName,
    createdAt: toIso(release.createdAt),
    updatedAt: toIso(release.updatedAt),
    scheduledAt: toIso(release.scheduledAt),
    percent: permille === null ? null : permille / 10,
    reason,
  };
}

function changeJson(facts: ChangeFacts): ReleaseChange {
  const { kind, id, base, live, conflict, author, note, edit } = facts;
  const added = { addedBy: facts.addedByName, addedAt: toIso(facts.addedAt) };
  const origin = { author, note, base, live, conflict, ...added };
  switch (kind) {
    case 'content':
      return { kind, id, revision: facts.revision, ...origin };
    case 'segment':
      return { kind, name: id, revision: facts.revision ?? 0, ...origin };
    case 'environment':
      assert(edit !== null, 'a change of the environment says what it changes');
      return { kind, edit, conflict: false, ...added };
  }
}

async function findingsJson(
  db: Db,
  release: ReleaseRecord,
): Promise<Pick<Release, 'findings' | 'findingsCut' | 'confirmed'>> {
  const found = await findReleaseFindings(db, release);
  if (found === null) return { findings: [], findingsCut: false, confirmed: null };
  const { findings, total, confirmed } = found;
  return { findings, findingsCut: total > findings.length, confirmed };
}

async function rampJson(db: Db, release: ReleaseRecord, nowMs: number): Promise<Release['ramp']> {
  const permille = permilleOf(release);
  if (permille === null) return null;
  const { run, step } = release;
  const sinceMs = await findLastTime(db, release, ['release.start', 'release.step']);
  const next = nextAction(release);
  return {
    ...{ run, step, percent: permille / 10 },
    since: toIso(sinceMs ?? release.updatedAt),
    next:
      next === null || next.action === 'start'
        ? null
        : { action: next.action, at: toIso(next.atMs) },
    ...(await readStepReceipts(db, release, nowMs)),
  };
}

/** Other releases that ramp now, while this one does not, and reach the same. */
async function overlapsOf(db: Db, release: ReleaseRecord, reach: Reach): Promise<number[]> {
  if (rampStates.includes(release.state)) return [];
  const reached = await findReached(db, release.environment, namesOfReach(reach));
  const others = reached.map((one) => one.release).filter((other) => other !== release.release);
  return [...new Set(others)].sort((a, b) => a - b);
}
