/** Carries out an import in its one transaction: all of it is there and published together, or nothing is. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import { applyLayers } from '../layers/apply-layers.js';
import { rejectLayerCopy } from '../layers/layers-to-copy.js';
import { changesAuditedMax } from '../limits/transfer.js';
import { type AuditedContent, noteContents } from '../store/contents/audited-contents.js';
import { deleteContent } from '../store/contents/contents.js';
import { requireMappingWriters } from '../store/contents/mapping-writers.js';
import { saveContents } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment } from '../store/edit-environment.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { deleteSegment, putSegment } from '../store/segments/save-segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { addExperiments } from './experiments-to-add.js';
import { rejectStalePlan } from './plan-id.js';
import {
  type ImportMode,
  type ImportPlan,
  importNote,
  type PlannedContent,
  planImport,
} from './plan-import.js';
import type { ReadImport } from './reading/read-import.js';
import { rejectChanges } from './reject-changes.js';

/**
 * Its texts are in the store already: what is left is comparing and inserting rows, so that other editors wait for a
 * moment only.
 * @param planGiven the id from a dry run; null: none was made
 * @param confirm why it may not be done as it is planned; null: it may
 */
export async function applyImport(
  write: UnitOfWork,
  environment: string,
  mode: ImportMode,
  read: ReadImport,
  planGiven: string | null,
  confirm: (plan: ImportPlan) => Promise<Problem | null>,
): Promise<ImportPlan | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const plan = await planImport(write.db, environment, mode, read);
  if (plan instanceof Problem) return plan;
  const stale = rejectStalePlan(editable, planGiven, plan.id);
  if (stale !== null) return stale;
  if (plan.issues.length > 0) return importRejected(plan.issues);
  const gated = (await rejectImport(write.db, environment, plan)) ?? (await confirm(plan));
  if (gated !== null) return gated;

  const { planned } = plan.layers;
  if (isNothing(plan)) return plan;

  await requireMappingWriters(write, read.file.writersStep);
  // Before the contents: their hashes cover the layers.
  if (planned !== null) await applyLayers(write, environment, planned.after);
  for (const segment of plan.segmentsToSave) {
    await putSegment(write, { ...segment, environment }, { note: importNote, synced: null });
  }
  const toSave = plan.contents.flatMap(({ save }) => (save === null ? [] : [save]));
  await saveContents(write, environment, toSave);
  const pace = new EventLoopYielder();
  for (const { change, before } of plan.contents) {
    if (change !== 'removed') continue;
    assert(before !== undefined, 'what is removed was there');
    await deleteContent(write, environment, before.idLower);
    await pace.step();
  }
  // After the contents: what used them is gone or has another mapping now.
  for (const { name, change } of plan.segments) {
    if (change === 'removed') await deleteSegment(write, environment, name);
  }
  await addExperiments(write, environment, plan.experiments);
  const details = auditDetails(mode, plan);
  const auditId = await write.audit('environment.import', environment, environment, details);
  await noteContents(write, auditId, plan.contents.map(auditedContentOf));
  return plan;
}

/** The environment has all of it already. */
function isNothing({ contents, segments, layers, experiments }: ImportPlan): boolean {
  const { metrics, experiments: drafts } = experiments;
  const changes = contents.length + segments.length + metrics.length + drafts.length;
  return changes === 0 && layers.planned === null;
}

const instead = 'import the file into another environment, and sync that one to it with a release';

/** Why it may not reach players, all of it or nothing; null: it may. */
export async function rejectImport(
  db: Db,
  environment: string,
  { contents, segments, layers }: ImportPlan,
): Promise<Problem | null> {
  const changes = contents.map(({ before, save }) => ({ before, save }));
  const names = segments.map(({ name }) => name);
  return (
    (await rejectLayerCopy(db, environment, layers, instead)) ??
    rejectChanges(db, environment, changes, names, instead)
  );
}

/** @param issues with the numbers of the file's lines */
export function importRejected(issues: Problem['errors']): Problem {
  return new Problem('invalid_import', 'The file cannot be imported; nothing was changed.', issues);
}

function auditedContentOf({ id, change, before, save }: PlannedContent): AuditedContent {
  const live = before === undefined || before.deleted ? null : before.live;
  const newest = save?.newest ?? before?.newest ?? null;
  const [number, after] = [live?.number ?? null, save?.live ?? null];
  return { id, change, before: number, after, newest, from: null };
}

function auditDetails(mode: ImportMode, plan: ImportPlan): Readonly<Record<string, unknown>> {
  const named = (wanted: PlannedContent['change']): unknown => {
    const ids = plan.contents.filter(({ change }) => change === wanted).map(({ id }) => id);
    return { count: ids.length, ids: ids.slice(0, changesAuditedMax) };
  };
  return {
    mode,
    plan: plan.id,
    added: named('added'),
    changed: named('changed'),
    removed: named('removed'),
    unchanged: plan.unchanged,
    segments: plan.segments.slice(0, changesAuditedMax),
    ...(plan.layers.added.length > 0 && { layers: plan.layers.added }),
  };
}
