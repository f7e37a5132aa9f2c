/** Copies what is live in one environment on top of another's history, with the saved segments it uses. */

import { Problem } from '../../contract/problems.js';
import type { StateChecks } from '../contents/validate/check-state.js';
import { askExperiments } from '../freeze/ask-experiments.js';
import { ChangeFindings } from '../guards/change-findings.js';
import {
  confirmationJson,
  type Found,
  findConfirmation,
  foundWarnings,
  rejectFound,
} from '../guards/confirmation.js';
import { applyLayers } from '../layers/apply-layers.js';
import { rejectLayerCopy } from '../layers/layers-to-copy.js';
import { changesAuditedMax, syncTriesMax } from '../limits/transfer.js';
import { type AuditedContent, noteContents } from '../store/contents/audited-contents.js';
import { saveContents } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { draftEnvironment, editEnvironment } from '../store/edit-environment.js';
import { holdEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { putSegment } from '../store/segments/save-segments.js';
import type { Store, Written } from '../store/store.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { present } from './draft-of.js';
import { type ContentChange, goesLiveOf } from './goes-live.js';
import { rejectStalePlan } from './plan-id.js';
import { type PlannedCopy, planSync, type SyncPlan, type SyncRequest } from './plan-sync.js';
import { rejectChanges } from './reject-changes.js';
import { type ReleaseDrafts, rejectReleaseDrafts, releaseDrafts } from './release-drafts.js';
import { liveHere, reportSync, type SyncReport } from './sync-report.js';

export interface SyncDeps {
  readonly store: Store;
  readonly checks: StateChecks;
  /** Commits and publishes. */
  readonly commit: (
    work: (write: UnitOfWork) => Promise<SyncReport | Problem>,
  ) => Promise<Written<SyncReport | Problem>>;
}

const noTexts: ReadonlyMap<string, Uint8Array> = new Map();

/** What a sync would do. */
export async function previewSync(
  { store, checks }: Pick<SyncDeps, 'store' | 'checks'>,
  request: SyncRequest,
): Promise<SyncReport | Problem> {
  return store.readSnapshot(async (db) => {
    const checked = await planChecked(db, checks, request);
    if (checked instanceof Problem) return checked;
    const report = await reportSync(db, checked.plan, request.from, true);
    const found = await foundInSync(db, request, checked);
    if (found instanceof Problem) return found;
    return { ...withFound(report, found), confirmation: confirmationJson(found) };
  });
}

/**
 * Does all of it in one transaction, so that no reader ever sees half. What it would commit is checked before, beside
 * other work; if any of it changed meanwhile, it is checked again.
 * @param planGiven the id from a dry run; null: none was made
 */
export async function syncEnvironments(
  { store, checks, commit }: SyncDeps,
  request: SyncRequest,
  planGiven: string | null,
): Promise<Written<SyncReport | Problem>> {
  for (let tries = 1; ; tries++) {
    const checked = await store.readSnapshot((db) => planChecked(db, checks, request));
    if (checked instanceof Problem) return { value: checked, sequence: 0 };
    const written = await commit((write) => applySync(write, request, planGiven, checked));
    const moved = written.value instanceof Problem && written.value.code === 'plan_stale';
    // A client that sent a plan has to look at what changed.
    if (!moved || planGiven !== null || tries === syncTriesMax) return written;
  }
}

async function applySync(
  write: UnitOfWork,
  request: SyncRequest,
  planGiven: string | null,
  checked: CheckedSync,
): Promise<SyncReport | Problem> {
  // Both are held, always in the same order: two syncs in opposite directions must not wait for each other.
  for (const id of [request.from, request.to].sort()) await holdEnvironment(write, id);
  const hold = request.release === undefined ? editEnvironment : draftEnvironment;
  const editable = await hold(write, request.to);
  if (editable instanceof Problem) return editable;
  const plan = await planSync(write.db, request);
  if (plan instanceof Problem) return plan;
  const stale = rejectStalePlan(editable, planGiven, plan.id);
  if (stale !== null) return stale;
  if (plan.id !== checked.plan.id) {
    return new Problem('plan_stale', 'The environments change too fast; try again.');
  }
  const gated = await rejectSync(write.db, request, plan);
  if (gated !== null) return gated;
  const found = await foundInSync(write.db, request, checked);
  if (found instanceof Problem) return found;
  const unconfirmed = rejectFound(found, request);
  if (unconfirmed !== null) return unconfirmed;
  const report = withFound(await reportSync(write.db, plan, request.from, false), found);
  if (plan.copies.length === 0) return report;
  const release = await saveSync(write, request, plan);
  const details = { ...auditDetails(plan, report), ...(release === null ? {} : { release }) };
  const auditId = await write.audit('environment.sync', request.to, request.from, details);
  await noteContents(write, auditId, plan.copies.map(auditedContentOf));
  return { ...report, release };
}

/** @returns number of the release that takes it; null: it is published */
async function saveSync(
  write: UnitOfWork,
  { from, to, release }: SyncRequest,
  plan: SyncPlan,
): Promise<number | null> {
  const drafts = draftsOf(plan, from);
  // Before the contents: their hashes cover the layers.
  if (plan.layers.planned !== null) await applyLayers(write, to, plan.layers.after);
  if (release !== undefined) return (await releaseDrafts(write, to, release.title, drafts)).release;
  for (const { origin, ...segment } of drafts.segments) {
    await putSegment(write, { ...segment, environment: to }, origin);
  }
  await saveContents(write, to, drafts.contents);
  return null;
}

function draftsOf({ copies, segments }: SyncPlan, from: string) {
  return {
    contents: copies.flatMap(({ save }) => (save === null ? [] : [save])),
    changes: copies.flatMap(({ source: { id }, goesLive: revision }) =>
      revision === null ? [] : [{ id, revision }],
    ),
    segments: segments.map(({ source }) => ({
      ...source,
      origin: {
        note: `Synced from ${from}, revision ${source.revision}.`,
        synced: { from, revision: source.revision },
      },
    })),
  } satisfies ReleaseDrafts;
}

function changesOf({ copies }: SyncPlan): ContentChange[] {
  return copies.flatMap(({ target: before, save }) => (save === null ? [] : [{ before, save }]));
}

/** Why it may not reach players, or be put into a release, all of it or nothing; null: it may. */
async function rejectSync(
  db: Db,
  { from, to, release }: SyncRequest,
  plan: SyncPlan,
): Promise<Problem | null> {
  const { copies, segments } = plan;
  if (release !== undefined) {
    return copies.length === 0 ? null : rejectReleaseDrafts(db, to, draftsOf(plan, from));
  }
  const rejected = await rejectLayerCopy(db, to, plan.layers, 'sync it with a release');
  if (rejected !== null) return rejected;
  return rejectChanges(
    db,
    to,
    changesOf(plan),
    segments.map(({ source }) => source.name),
    'sync it with a release',
  );
}

/** Checks what it copies in the source, where the segments are: in the target they do not exist yet. */
async function planChecked(
  db: Db,
  checks: StateChecks,
  request: SyncRequest,
): Promise<CheckedSync | Problem> {
  const plan = await planSync(db, request);
  if (plan instanceof Problem) return plan;
  const found = new ChangeFindings(checks.findings, request.to);
  const gated = await rejectSync(db, request, plan);
  if (gated !== null) return gated;
  const pace = new EventLoopYielder();
  for (const { source, state, target, goesLive } of plan.copies) {
    await pace.step();
    const { lines, mapping } = state;
    // A sync shows none of these warnings, so neither flags nor the tests of the target are looked at.
    const kept = { lines, mapping, flags: [], texts: noTexts };
    const checkable = { ...kept, schema: source.schema, guards: [], liveMapping: null };
    const checked = await checks.check(db, request.from, checkable);
    if (checked instanceof Problem) {
      return new Problem(checked.code, `"${source.id}": ${checked.detail}`, checked.errors);
    }
    if (plan.isReleased || goesLive === null) continue;
    const { idLower, guards } = source;
    const isLive = (present(target)?.live ?? null) !== null;
    await found.add(db, { idLower, id: target?.id ?? source.id, state: kept, guards, isLive });
  }
  return { plan, found };
}

/** What a sync does, and what that does to values in the target. */
interface CheckedSync {
  readonly plan: SyncPlan;
  readonly found: ChangeFindings;
}

/** Null: nothing is found, or a release asks later. A problem: it may not go live beside running experiments. */
async function foundInSync(
  db: Db,
  request: SyncRequest,
  { plan, found }: CheckedSync,
): Promise<Found | Problem | null> {
  const changes = changesOf(plan);
  const segments = plan.segments.map(({ source }) => source);
  const asked = plan.isReleased
    ? []
    : await askExperiments(db, request.to, goesLiveOf(changes, segments));
  if (asked instanceof Problem) return asked;
  const ids = plan.copies.map(({ source: { idLower } }) => idLower);
  return findConfirmation(db, request.to, [...found.of(ids), ...asked], plan.id, request);
}

function withFound(report: SyncReport, found: Found | null): SyncReport {
  return { ...report, warnings: [...report.warnings, ...foundWarnings(found)] };
}

function auditedContentOf(copy: PlannedCopy): AuditedContent {
  const { source, state, target, save } = copy;
  const live = liveHere(copy);
  const before = live?.number ?? null;
  return {
    id: save?.id ?? target?.id ?? source.id,
    change: live === null ? 'added' : 'changed',
    before,
    after: save === null ? before : save.live,
    newest: save?.newest ?? target?.newest ?? null,
    from: state.number,
  };
}

function auditDetails(plan: SyncPlan, report: SyncReport): Readonly<Record<string, unknown>> {
  const named = (contents: SyncReport['added']): unknown => ({
    count: contents.length,
    contents: contents.slice(0, changesAuditedMax).map(({ id, toRevision, fromRevision }) => ({
      id,
      before: toRevision,
      from: fromRevision,
    })),
  });
  return {
    plan: plan.id,
    added: named(report.added),
    changed: named(report.changed),
    segments: plan.segments.map(({ source }) => source.name).slice(0, changesAuditedMax),
  };
}
