/** A release goes live: all of its contents and segments in one commit, with one sequence. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import { commitState, stateOf } from '../contents/content-state.js';
import { applyEnvironmentEdit } from '../environments/apply-edit.js';
import { rejectRamping } from '../gate/gate.js';
import { type ConfirmRequest, type Found, rejectUnconfirmed } from '../guards/confirmation.js';
import { changesAuditedMax } from '../limits/transfer.js';
import { type AuditedContent, noteContents } from '../store/contents/audited-contents.js';
import { deleteContent, findContent, setLive } from '../store/contents/contents.js';
import { findRevision, listRevisionSegments } from '../store/contents/revisions.js';
import { refreshHashes, refreshUsesOf } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { noteLiveOfChange } from '../store/releases/release-changes.js';
import { deleteReach, findReached } from '../store/releases/release-reach.js';
import { type ReleaseRecord, rampStates } from '../store/releases/releases.js';
import { publishSegment } from '../store/segments/save-segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { type ChangeFacts, readChangeFacts } from './change-facts.js';
import { type CheckedRelease, checkAgain, rejectState, stillHolds } from './check-release.js';
import { announceEmergency, rejectNoOwner, rejectSettings } from './emergency.js';
import { type HeldRelease, readRelease, rejectActor } from './held-release.js';
import { rejectLayerEdits } from './layer-edits.js';
import { stopRamp } from './ramp.js';
import { computeReach, markReach, namesOfReach, type Reach } from './reach.js';
import {
  rejectConflicts,
  rejectOverlap,
  rejectOwnSettings,
  rejectUnapproved,
} from './readiness.js';
import { foundInRelease, keepFound, rejectFoundInRelease } from './release-confirmation.js';
import { type Transited, transit } from './transition.js';

/** What one change made live. */
interface MadeLive {
  readonly facts: ChangeFacts;
  /** Null: nothing. */
  readonly liveAfter: number | null;
  /** Number of the newest revision of a content. */
  readonly newest: number | null;
}

export interface LiveRequest extends ConfirmRequest {
  /** A sentence for the timeline; ''. */
  readonly text: string;
  /** The reason of an owner who goes live without approvals; null: enough people have approved. */
  readonly emergency: string | null;
}

/** Makes all changes live. */
export async function goLive(
  write: UnitOfWork,
  held: HeldRelease,
  checked: CheckedRelease,
  request: LiveRequest,
): Promise<Transited | Problem | typeof checkAgain> {
  const { release } = held;
  const { environment } = release;
  const { text, emergency } = request;
  const transition = emergency === null ? 'live' : 'emergency';
  const rejected =
    rejectState(held, transition) ??
    (emergency === null ? rejectActor(held, write) : rejectNoOwner(write));
  if (rejected !== null) return rejected;
  const facts = await readChangeFacts(write.db, release);
  const reach = await computeReach(write.db, environment, facts);
  const unready =
    (emergency === null ? await rejectUnapproved(write.db, release) : rejectSettings(facts)) ??
    rejectOwnSettings(held, facts) ??
    (facts.some(({ edit }) => edit?.delete === true)
      ? await rejectRamping(write.db, environment, release.release)
      : null) ??
    rejectConflicts(release, facts) ??
    (await rejectLayerEdits(write.db, release, facts)) ??
    (emergency === null ? await rejectOverlap(write.db, release, reach) : null);
  if (unready !== null) return unready;
  if (!(await stillHolds(write.db, release, checked))) return checkAgain;
  const found = await foundAtLive(write.db, release, facts, checked, request);
  if (found instanceof Problem) return found;
  const unconfirmed =
    emergency === null
      ? await rejectFoundInRelease(write.db, held, found, request)
      : rejectUnconfirmed(found, request.confirm);
  if (unconfirmed !== null) return unconfirmed;

  const done = await transit(write, release, {
    ...{ transition, to: 'live', action: 'release.live', event: 'release.live' },
    ...{ needsReview: held.needsReview, publishes: true, text: emergency ?? text },
    columns: {
      ...{ emergency, liveAt: write.at, endedAt: null, stepAt: null, heldMs: 0, reason: '' },
      ...{ scheduledAt: null, toleranceMs: 0 },
    },
    contents: [...reach.contents.values()],
    details: detailsOf(facts),
  });
  if (done instanceof Problem) return done;
  await keepFound(write, held, found, request);
  if (emergency !== null) await actInEmergency(write, held, done, reach, emergency);
  await deleteReach(write, release);
  await makeLive(write, release, facts, done.auditId);
  markReach(write, environment, reach);
  await applySettings(write, held, facts);
  return done;
}

/** A ramp was asked when it started, and an emergency goes back to what was live without being asked. */
async function foundAtLive(
  db: Db,
  release: ReleaseRecord,
  facts: readonly ChangeFacts[],
  { found }: CheckedRelease,
  request: LiveRequest,
): Promise<Found | Problem | null> {
  if (rampStates.includes(release.state)) return null;
  const asked = request.emergency === null ? found : found.filter(({ wasLive }) => !wasLive);
  return foundInRelease(db, release, facts, asked, request);
}

/** Last: the environment may be gone then, with the release. */
async function applySettings(
  write: UnitOfWork,
  { environment }: HeldRelease,
  facts: readonly ChangeFacts[],
): Promise<void> {
  for (const { edit } of facts) {
    if (edit !== null) await applyEnvironmentEdit(write, environment, edit);
  }
}

/** What ramps and reaches the same ends first, in the same commit; everybody learns of it. */
async function actInEmergency(
  write: UnitOfWork,
  { environment, release: { release: own } }: HeldRelease,
  { release }: Transited,
  reach: Reach,
  reason: string,
): Promise<void> {
  const reached = await findReached(write.db, environment.id, namesOfReach(reach));
  for (const other of new Set(reached.map((one) => one.release))) {
    if (other === own) continue;
    const held = await readRelease(write.db, { environment: environment.id, release: other });
    assert(!(held instanceof Problem), 'what is reached has its release');
    await stopRamp(write, held, `Release ${own} went live in an emergency: ${reason}`);
  }
  await announceEmergency(write, release, reason);
}

async function makeLive(
  write: UnitOfWork,
  release: ReleaseRecord,
  facts: readonly ChangeFacts[],
  auditId: string,
): Promise<void> {
  const { environment } = release;
  const pace = new EventLoopYielder();
  const segments = facts.filter(({ kind }) => kind === 'segment');
  for (const change of segments) {
    const { name, revision, live } = change;
    assert(revision !== null, 'a release deletes no segment');
    await publishSegment(write, environment, name, revision);
    await noteLiveOfChange(write, release, change, { liveBefore: live, liveAfter: revision });
  }
  const made: MadeLive[] = [];
  for (const change of facts) {
    if (change.kind !== 'content') continue;
    const one = await makeContentLive(write, release, change);
    const liveAfter = one.liveAfter;
    await noteLiveOfChange(write, release, change, { liveBefore: change.live, liveAfter });
    made.push(one);
    await pace.step();
  }
  // Hashes cover segments, so they follow once all of them are saved.
  for (const { facts: change, liveAfter } of made) {
    if (liveAfter !== null) await refreshHashes(write, environment, change.name, liveAfter);
    await pace.step();
  }
  for (const { name } of segments) await refreshUsesOf(write, environment, name);
  await noteContents(write, auditId, made.map(auditedContentOf));
}

async function makeContentLive(
  write: UnitOfWork,
  { environment, release }: ReleaseRecord,
  facts: ChangeFacts,
): Promise<MadeLive> {
  const { name, revision, live } = facts;
  const content = await findContent(write.db, environment, name);
  const newest = content?.newest ?? null;
  if (content === null || newest === null || revision === null) {
    if (content?.deletedAtMs === null) await deleteContent(write, environment, name);
    return { facts, liveAfter: null, newest };
  }
  if (revision === live) return { facts, liveAfter: live, newest };
  if (revision > (live ?? 0)) {
    await setLive(write, environment, name, revision);
    return { facts, liveAfter: revision, newest };
  }
  // Numbers of what is live only grow, as with a rollback.
  const note = `Release ${release}: revision ${revision} again.`;
  const saved = await saveAgain(write, { environment, idLower: name, live }, revision, note);
  return { facts, liveAfter: saved, newest: saved };
}

/**
 * Makes the state of an old revision the newest one and delivers it.
 * @returns its number
 */
export async function saveAgain(
  write: UnitOfWork,
  target: Parameters<typeof commitState>[1],
  number: number,
  note: string,
): Promise<number> {
  const { environment, idLower } = target;
  const content = await findContent(write.db, environment, idLower);
  const old = await findRevision(write.db, environment, idLower, number);
  assert(content !== null && old !== null, 'the revision was looked for');
  const segments = await listRevisionSegments(write.db, environment, idLower, number);
  const state = { ...stateOf(old), segments, note };
  const { revision } = await commitState(write, target, content.newest, null, state, true);
  return revision;
}

function auditedContentOf({ facts, liveAfter, newest }: MadeLive): AuditedContent {
  const { id, live: before } = facts;
  const change = liveAfter === null ? 'removed' : before === null ? 'added' : 'changed';
  return { id, change, before, after: liveAfter, newest, from: null };
}

function detailsOf(facts: readonly ChangeFacts[]): Readonly<Record<string, unknown>> {
  const named = (wanted: ChangeFacts['kind']): unknown => {
    const ids = facts.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    return { count: ids.length, ids: ids.slice(0, changesAuditedMax) };
  };
  return { contents: named('content'), segments: named('segment') };
}
