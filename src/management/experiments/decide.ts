/** Decides an experiment: keeps the decision, and makes a draft release that removes its variants and promotes the winner. */
import { strict as assert } from 'node:assert';
import { noteCharsMax, releaseTitleCharsMax } from '../../contract/limits.js';
import type { BodyOf, ReturnedBody } from '../../contract/operation.js';
import type { decideExperiment } from '../../contract/operations/experiments/transitions.js';
import { Problem } from '../../contract/problems.js';
import type { ContentEdit } from '../contents/draft-edit.js';
import { saveContent } from '../contents/save-content.js';
import { type TakenText, takeText } from '../contents/text.js';
import { checkEditAhead } from '../contents/validate/check-edit.js';
import type { StateChecks } from '../contents/validate/check-state.js';
import { nothingConfirmed } from '../guards/confirmation.js';
import type { AdminContext } from '../http/context.js';
import { createRelease, rejectOpenReleases } from '../releases/edit-release.js';
import { findContent } from '../store/contents/contents.js';
import { findRevision } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment } from '../store/edit-environment.js';
import { addToLog } from '../store/experiments/experiment-log.js';
import { endPhase } from '../store/experiments/experiment-phases.js';
import {
  type ExperimentRecord,
  findExperiment,
  updateExperiment,
} from '../store/experiments/experiments.js';
import { requireReleaseWriters } from '../store/release-writers.js';
import { findSegment } from '../store/segments/segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { experimentJson } from './experiment-json.js';
import { noteExperiment } from './note-experiment.js';
import { experimentUnknown, wrongState } from './problems.js';
import { type Promotion, promote } from './promote.js';

type Decision = BodyOf<typeof decideExperiment>;
type Decided = Omit<ReturnedBody<typeof decideExperiment>, 'sequence' | 'fleet'>;

/** A decision with everything that its release will hold. */
interface PreparedDecision {
  readonly experiment: ExperimentRecord;
  /** Null: the rule is not live any longer, so there is nothing to change. */
  readonly draft: PreparedDraft | null;
}

interface PreparedDraft {
  /** Number of the live revision that it was made from. */
  readonly live: number;
  readonly promoted: Promotion['promoted'];
  readonly edit: ContentEdit;
}

type PrepareDeps = Pick<AdminContext, 'store' | 'checks' | 'limits' | 'work'>;

/** What is live, and what it becomes. */
interface Promoted extends Promotion {
  readonly live: number;
  readonly flags: readonly string[];
}

/** Has the heavy part done while no transaction is held. */
export async function prepareDecision(
  { store, checks, limits, work }: PrepareDeps,
  environment: string,
  id: string,
  decision: Decision,
): Promise<PreparedDecision | Problem> {
  const found = await store.read(async (db) => {
    const experiment = await findExperiment(db, environment, id);
    if (experiment === null) return experimentUnknown(environment, id);
    const rejected = rejectState(experiment);
    if (rejected !== null) return rejected;
    const promoted = await promoteLive(db, experiment, decision);
    return promoted instanceof Problem ? promoted : { experiment, promoted };
  });
  if (found instanceof Problem) return found;
  const { experiment, promoted } = found;
  if (promoted === null) return { experiment, draft: null };
  const texts = new Map<string, TakenText>();
  for (const { version, text } of promoted.lines) {
    const place = { path: 'text', appVersion: version };
    const taken = await takeText(Buffer.from(text).toString(), place, limits, work);
    if (taken instanceof Problem) return taken;
    texts.set(version, taken);
  }
  const { flags, mapping, live } = promoted;
  const note = noteOf(experiment, decision);
  const lines = { areAll: true, texts };
  const edit: ContentEdit = { lines, mapping, flags, note, publish: false };
  await checkEditAhead(store, checks, environment, experiment.content, edit);
  return { experiment, draft: { live, promoted: promoted.promoted, edit } };
}

export async function decide(
  write: UnitOfWork,
  checks: StateChecks,
  { experiment: seen, draft }: PreparedDecision,
  { variant, note }: Decision,
): Promise<Decided | Problem> {
  const { environment, id, version } = seen;
  const held = await editEnvironment(write, environment);
  if (held instanceof Problem) return held;
  const experiment = await findExperiment(write.db, environment, id);
  if (experiment === null) return experimentUnknown(environment, id);
  const rejected = rejectState(experiment);
  if (rejected !== null) return rejected;
  if (experiment.version !== version) return changedMeanwhile(experiment);
  const release = draft === null ? null : await makeRelease(write, checks, experiment, draft);
  if (release instanceof Problem) return release;
  await endPhase(write, experiment);
  const decided = await updateExperiment(write, experiment, {
    ...{ state: 'decided', decidedAt: write.at, stoppedAt: experiment.stoppedAt ?? write.at },
    decision: { variant, note, by: write.actor.name, release },
  });
  const winner = variant === null ? 'No variant won' : `"${variant}" won`;
  const made = release === null ? '' : ` Release ${release} carries it out.`;
  await addToLog(write, decided, `Decided: ${winner}.${note === '' ? '' : ` ${note}`}${made}`);
  const why = note === '' ? {} : { reason: note };
  const details = { variant, release, ...why };
  const auditId = await write.audit('experiment.decide', environment, id, details);
  await noteExperiment(write, auditId, experiment);
  if (experiment.state === 'running') write.markChanged('environment', environment, '');
  const shown = await experimentJson(write.db, decided);
  return { experiment: shown, release, promoted: draft?.promoted ?? null };
}

/** @returns its number */
async function makeRelease(
  write: UnitOfWork,
  checks: StateChecks,
  experiment: ExperimentRecord,
  { live, edit }: PreparedDraft,
): Promise<number | Problem> {
  const { environment, content: id, name } = experiment;
  const content = await findContent(write.db, environment, id);
  if (content?.live !== live) return changedMeanwhile(experiment);
  const tooMany = await rejectOpenReleases(write.db, environment);
  if (tooMany !== null) return tooMany;
  const saved = await saveContent(write, checks, environment, id, edit, nothingConfirmed);
  if (saved instanceof Problem) return saved;
  await requireReleaseWriters(write);
  const { revision } = saved;
  const release = await createRelease(write, environment, {
    ...{
      title: `Decision: ${name}`.slice(0, releaseTitleCharsMax),
      description: edit.note,
      steps: [],
      brake: null,
    },
    changes: [{ kind: 'content', id, revision }],
  });
  assert(!(release instanceof Problem), 'the revision was just saved, and there is room');
  return release.release;
}

function rejectState(experiment: ExperimentRecord): Problem | null {
  const { state } = experiment;
  if (state === 'running' || state === 'stopped') return null;
  return wrongState(experiment, 'be decided', ['running', 'stopped']);
}

/** Null: the rule is not live any longer. */
async function promoteLive(
  db: Db,
  experiment: ExperimentRecord,
  { variant, keepRule }: Decision,
): Promise<Promoted | Problem | null> {
  const { environment, content: id, segment } = experiment;
  const live = (await findContent(db, environment, id))?.live ?? null;
  const revision =
    live === null ? null : await findRevision(db, environment, id.toLowerCase(), live);
  if (live === null || revision === null || revision.mapping === null) return null;
  const lines: { version: string; text: Uint8Array }[] = [];
  for (const { version, textDigest } of revision.lines) {
    lines.push({ version, text: await readText(db, textDigest) });
  }
  const mapping = await readText(db, revision.mapping);
  const condition = (await findSegment(db, environment, segment))?.condition ?? null;
  const asked = { lines, mapping, segment, condition, keepRule };
  if (promote({ ...asked, variant: null }) === null) return null;
  const promoted = promote({ ...asked, variant });
  if (promoted !== null) return { ...promoted, live, flags: revision.flags };
  const detail = `The rule "${segment}" of "${id}" has no variant "${variant}".`;
  return new Problem('experiment_rule', detail);
}

function noteOf({ name }: ExperimentRecord, { variant, note }: Decision): string {
  const winner = variant === null ? 'no variant won' : `"${variant}" won`;
  return `Experiment "${name}": ${winner}.${note === '' ? '' : ` ${note}`}`.slice(0, noteCharsMax);
}

function changedMeanwhile({ id }: ExperimentRecord): Problem {
  const detail = `Experiment "${id}", or its content, was changed meanwhile: try again.`;
  return new Problem('revision_conflict', detail);
}
