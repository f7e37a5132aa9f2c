/** Gives each item that a live release changed back what it had before: one commit, new revisions, as with a rollback. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import { namesShownMax } from '../limits/evaluation.js';
import { type AuditedContent, noteContents } from '../store/contents/audited-contents.js';
import { findContent, restoreContent, setLive } from '../store/contents/contents.js';
import { findRevision, listRevisionSegments } from '../store/contents/revisions.js';
import { refreshHashes } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import { deleteSegment, putSegment } from '../store/segments/save-segments.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import { findSegment, listSegmentUses } from '../store/segments/segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { type ChangeFacts, readChangeFacts } from './change-facts.js';
import { rejectState } from './check-release.js';
import { describeItem } from './describe-item.js';
import { announceEmergency, rejectNoOwner } from './emergency.js';
import { saveAgain } from './go-live.js';
import { type HeldRelease, rejectActor } from './held-release.js';
import { computeReach, markReach } from './reach.js';
import { listItems, rejectOverlap } from './readiness.js';
import { type Transited, transit } from './transition.js';

export interface RevertRequest {
  readonly reason: string;
  /** Also what was changed since. */
  readonly force: boolean;
  /** The reason of an owner who forces it in an environment that asks for approvals; null: none is given. */
  readonly emergency: string | null;
}

export async function revertRelease(
  write: UnitOfWork,
  held: HeldRelease,
  request: RevertRequest,
): Promise<Transited | Problem> {
  const { release, needsReview } = held;
  const { environment } = release;
  const rejected =
    rejectState(held, 'revert') ?? rejectActor(held, write) ?? rejectForce(write, held, request);
  if (rejected !== null) return rejected;
  const facts = (await readChangeFacts(write.db, release)).filter(
    ({ liveBefore, liveAfter }) => liveBefore !== liveAfter,
  );
  const reach = await computeReach(write.db, environment, facts);
  const impossible =
    (request.force ? null : rejectChangedSince(release, facts)) ??
    (await rejectOverlap(write.db, release, reach)) ??
    (await rejectLost(write.db, release, facts));
  if (impossible !== null) return impossible;
  const { emergency, reason } = request;
  const text = emergency ?? reason;
  const done = await transit(write, release, {
    ...{ transition: 'revert', to: 'reverted', action: 'release.revert' },
    ...{ event: 'release.reverted', needsReview, publishes: true, text },
    columns: { reason: text, endedAt: write.at, ...(emergency === null ? {} : { emergency }) },
    contents: [...reach.contents.values()],
    details: { forced: request.force },
  });
  if (done instanceof Problem) return done;
  if (emergency !== null) await announceEmergency(write, done.release, emergency);
  await giveBack(write, release, facts, done.auditId);
  markReach(write, environment, reach);
  return done;
}

/** What was changed since has passed a decision of its own. */
function rejectForce(
  write: UnitOfWork,
  { hasPolicy }: HeldRelease,
  { force, emergency }: RevertRequest,
): Problem | null {
  if (!force || !hasPolicy) return null;
  if (emergency !== null) return rejectNoOwner(write);
  const detail =
    'To revert what was changed since takes approvals, too: make a release of it, or force it as an owner in an emergency.';
  return new Problem('approvals_missing', detail);
}

function rejectChangedSince(
  { release }: ReleaseRecord,
  facts: readonly ChangeFacts[],
): Problem | null {
  const changed = facts.filter(({ conflict }) => conflict);
  if (changed.length === 0) return null;
  const detail = `Since release ${release} went live these were changed: ${listItems(changed)}. Force the revert to undo that, too.`;
  const errors = changed.slice(0, namesShownMax).map((change) => {
    const message = `revision ${change.live ?? 'none'} is live; the release made ${change.liveAfter ?? 'none'} live`;
    return { path: describeItem(change), message };
  });
  return new Problem('release_conflict', detail, errors);
}

/** What was live before must still be kept, and the segments that it uses must be there. */
async function rejectLost(
  db: Db,
  release: ReleaseRecord,
  facts: readonly ChangeFacts[],
): Promise<Problem | null> {
  const { environment } = release;
  const comesBack = new Set(
    facts.filter(({ kind, liveBefore }) => kind === 'segment' && liveBefore !== null).map(nameOf),
  );
  for (const change of facts) {
    const { kind, name, liveBefore } = change;
    if (liveBefore === null) continue;
    const lost =
      kind === 'content'
        ? await lostOfContent(db, environment, name, liveBefore, comesBack)
        : await lostOfSegment(db, environment, name, liveBefore);
    if (lost === null) continue;
    const detail = `Release ${release.release} cannot be reverted: ${describeItem(change)} had ${lost}.`;
    return new Problem('release_invalid', detail, [{ path: describeItem(change), message: lost }]);
  }
  return null;
}

async function lostOfContent(
  db: Db,
  environment: string,
  name: string,
  revision: number,
  comesBack: ReadonlySet<string>,
): Promise<string | null> {
  if ((await findRevision(db, environment, name, revision)) === null) {
    return `revision ${revision}, which is no longer kept`;
  }
  for (const segment of await listRevisionSegments(db, environment, name, revision)) {
    if (comesBack.has(segment) || (await findSegment(db, environment, segment)) !== null) continue;
    return `the segment "${segment}", which was deleted since`;
  }
  return null;
}

async function lostOfSegment(
  db: Db,
  environment: string,
  name: string,
  revision: number,
): Promise<string | null> {
  const found = await findSegmentRevision(db, environment, name, revision);
  return found === null ? `revision ${revision}, which is no longer kept` : null;
}

async function giveBack(
  write: UnitOfWork,
  release: ReleaseRecord,
  facts: readonly ChangeFacts[],
  auditId: string,
): Promise<void> {
  const { environment } = release;
  const note = `Release ${release.release} was reverted.`;
  const segments = facts.filter(({ kind }) => kind === 'segment');
  for (const { name, liveBefore } of segments) {
    if (liveBefore !== null) await giveSegmentBack(write, environment, name, liveBefore, note);
  }
  const pace = new EventLoopYielder();
  const noted: AuditedContent[] = [];
  for (const change of facts) {
    if (change.kind !== 'content') continue;
    noted.push(await giveContentBack(write, environment, change, note));
    await pace.step();
  }
  // After the contents: what used a segment that the release brought is as it was before.
  for (const { name, liveBefore } of segments) {
    if (liveBefore === null) await removeUnlessUsed(write, environment, name);
  }
  await noteContents(write, auditId, noted);
}

async function giveSegmentBack(
  write: UnitOfWork,
  environment: string,
  name: string,
  number: number,
  note: string,
): Promise<void> {
  const old = await findSegmentRevision(write.db, environment, name, number);
  assert(old !== null, 'the revision was looked for');
  const description = (await findSegment(write.db, environment, name))?.description ?? '';
  const segment = { environment, name, condition: old.condition, description };
  await putSegment(write, segment, { note, synced: null }, 'segment.rollback');
}

/** Contents that have come to use it since keep it. */
async function removeUnlessUsed(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<void> {
  if ((await findSegment(write.db, environment, name)) === null) return;
  const uses = await listSegmentUses(write.db, environment, { name });
  if (uses.length === 0) await deleteSegment(write, environment, name);
}

async function giveContentBack(
  write: UnitOfWork,
  environment: string,
  { name, id, live, liveBefore }: ChangeFacts,
  note: string,
): Promise<AuditedContent> {
  const content = await findContent(write.db, environment, name);
  assert(content !== null, 'a content with kept revisions is there');
  const { newest } = content;
  const noted = { id, before: live, newest, from: null };
  if (liveBefore === null) {
    // It was a draft, or it was not there: no player receives it any longer, and its revisions stay.
    if (live !== null) await setLive(write, environment, name, null);
    return { ...noted, change: 'removed', after: null };
  }
  const change = live === null ? 'added' : 'changed';
  if (content.deletedAtMs !== null && content.liveBefore === liveBefore) {
    await restoreContent(write, content);
    await refreshHashes(write, environment, name, liveBefore);
    return { ...noted, change, after: liveBefore };
  }
  const target = { environment, idLower: name, live };
  const revision = await saveAgain(write, target, liveBefore, note);
  return { ...noted, change, after: revision, newest: revision };
}

function nameOf({ name }: ChangeFacts): string {
  return name;
}
