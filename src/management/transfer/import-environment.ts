/** Imports a file into an environment: reads and checks it beside other work, then commits it in one short write. */
import { changesShownMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { flagTotalWarnings } from '../contents/warnings/flag-total-warning.js';
import { askExperiments } from '../freeze/ask-experiments.js';
import { ChangeFindings, type StateToCompare } from '../guards/change-findings.js';
import {
  type ConfirmRequest,
  type Found,
  findConfirmation,
  foundWarnings,
  rejectFound,
} from '../guards/confirmation.js';
import type { Findings } from '../guards/findings.js';
import type { Work } from '../jobs/work.js';
import { type ManagementLimits, pointersPerDiffMax } from '../limits/bodies.js';
import { type GuardedNow, listGuarded, noGuards } from '../store/contents/content-guards.js';
import { readContentStates, type StoredContent } from '../store/contents/content-states.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { listRunning } from '../store/experiments/experiments.js';
import type { Store, Written } from '../store/store.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import { applyImport, importRejected, rejectImport } from './apply-import.js';
import { type DescribedChange, describeChange } from './describe-change.js';
import { goesLiveOf } from './goes-live.js';
import { aboutThen, type ImportedContent } from './import-file.js';
import { type ImportMode, type ImportPlan, planImport } from './plan-import.js';
import type { LineRoom } from './reading/line-batches.js';
import { type ImportSource, type ReadImport, readImport } from './reading/read-import.js';
import type { ReadState } from './reading/read-transfer-state.js';
import { TextStage } from './reading/text-stage.js';

export interface ImportDeps {
  readonly store: Store;
  readonly work: Work;
  readonly limits: ManagementLimits;
  readonly findings: Findings;
  /** Owns the texts that are stored ahead. */
  readonly actor: Actor;
  /** Resolves when there is room for a large line of the file. */
  readonly takeRoom: () => Promise<LineRoom>;
  /** Commits and publishes. */
  readonly commit: (
    work: (write: UnitOfWork) => Promise<ImportPlan | Problem>,
  ) => Promise<Written<ImportPlan | Problem>>;
}

export interface ImportRequest extends ConfirmRequest {
  readonly environment: string;
  readonly mode: ImportMode;
  /** The id from a dry run, or null. */
  readonly plan: string | null;
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface ImportOutcome {
  readonly plan: ImportPlan;
  readonly warnings: Problem['errors'];
  readonly sequence: number;
  /** What it does to values; null: nothing is found. */
  readonly found: Found | null;
  /** Of a dry run: what changes in each content, as far as the response shows them. */
  readonly described: ReadonlyMap<string, DescribedChange>;
}

/**
 * All of it or nothing.
 * @throws WorkFailed, StoreUnavailable, NotPublished
 */
export async function importEnvironment(
  deps: ImportDeps,
  request: ImportRequest,
): Promise<ImportOutcome | Problem> {
  const { environment, mode, plan } = request;
  const stage = new TextStage(deps.store, deps.actor);
  try {
    const stored = await deps.store.read((db) => listGuarded(db, environment));
    const found = new ChangeFindings(deps.findings, environment);
    const read = await readFile(deps, request, async (content, state) => {
      const compared = toCompare(content, state, stored.get(content.idLower));
      if (compared !== null) await deps.store.read((db) => found.add(db, compared));
      for (const [digest, bytes] of state.texts) await stage.put(digest, bytes);
    });
    if (read instanceof Problem) return read;
    await stage.flush();
    let confirmed: Found | null = null;
    const { value, sequence } = await deps.commit((write) =>
      applyImport(write, environment, mode, read, plan, async (planned) => {
        const asked = await foundInImport(write.db, request, planned, found, new Map());
        confirmed = asked instanceof Problem ? null : asked;
        return rejectFound(asked, request);
      }),
    );
    if (value instanceof Problem) return value;
    const warnings = warningsOf(read, value, confirmed);
    return { plan: value, warnings, sequence, found: confirmed, described: new Map() };
  } finally {
    await stage.release();
  }
}

/** Says what importing would do, and stores nothing: changes are described while the texts pass by. */
export async function previewImport(
  deps: Omit<ImportDeps, 'commit'>,
  request: ImportRequest,
): Promise<ImportOutcome | Problem> {
  const { environment, mode } = request;
  const sequence = await deps.store.sequence();
  return deps.store.readSnapshot(async (db) => {
    if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
    const stored = await readContentStates(db, environment);
    const described = new Map<string, DescribedChange>();
    const running = await listRunning(db, environment);
    const tested = new Set(running.map(({ contentLower }) => contentLower));
    const mappings = new Map<string, Uint8Array>();
    const found = new ChangeFindings(deps.findings, environment);
    const budget = { left: pointersPerDiffMax };
    const read = await readFile(deps, request, async (content, state) => {
      const { idLower, draft } = content;
      if (tested.has(idLower))
        for (const [digest, bytes] of mappingOf(state)) mappings.set(digest, bytes);
      const compared = toCompare(content, state, guardedOf(stored.get(idLower)));
      if (compared !== null) await found.add(db, compared);
      // A draft line belongs to a content that was described already.
      if (draft !== null || described.size >= changesShownMax) return;
      const present = stored.get(idLower);
      const before =
        present === undefined || present.deleted
          ? null
          : { ...present, state: present.live ?? present.draft };
      const texts = new Map(state.texts);
      const about = aboutThen(content, before);
      const change = await describeChange(db, before, { about, state }, texts, budget);
      const { lines, about: facts, mapping, flags } = change;
      const same = lines.length + facts.length === 0 && mapping === 'same' && flags === 'same';
      if (!same) described.set(idLower, change);
    });
    if (read instanceof Problem) return read;
    const plan = await planImport(db, environment, mode, read);
    if (plan instanceof Problem) return plan;
    if (plan.issues.length > 0) return importRejected(plan.issues);
    const gated = await rejectImport(db, environment, plan);
    if (gated !== null) return gated;
    const confirmation = await foundInImport(db, request, plan, found, mappings);
    if (confirmation instanceof Problem) return confirmation;
    const warnings = warningsOf(read, plan, confirmation);
    return { plan, warnings, sequence, found: confirmation, described };
  });
}

/**
 * Null: nothing is found. A problem: it may not go live beside running experiments.
 * @param mappings texts that the store may not have, by digest
 */
async function foundInImport(
  db: Db,
  request: ImportRequest,
  { id, contents, segmentsToSave }: ImportPlan,
  found: ChangeFindings,
  mappings: ReadonlyMap<string, Uint8Array>,
): Promise<Found | Problem | null> {
  const { environment } = request;
  const goesLive = goesLiveOf(contents, segmentsToSave, mappings);
  const asked = await askExperiments(db, environment, goesLive);
  if (asked instanceof Problem) return asked;
  const delivered = contents.flatMap(({ save }) => (save?.delivered ? [save.idLower] : []));
  return findConfirmation(db, environment, [...found.of(delivered), ...asked], id, request);
}

/** The text of its mapping, by digest. */
function mappingOf({ mapping, texts }: ReadState): ReadState['texts'] {
  return texts.filter(([digest]) => digest === mapping);
}

/** A line whose state goes live; null: it is a draft, or nothing can be found in it. */
function toCompare(
  { idLower, id, live, draft, guards: given }: ImportedContent,
  state: ReadState,
  stored: GuardedNow | undefined,
): StateToCompare | null {
  if (!live || draft !== null) return null;
  const guards = given ?? stored?.guards ?? noGuards;
  const { lines, mapping } = state;
  const texts = new Map(state.texts);
  return { idLower, id, state: { lines, mapping, texts }, guards, isLive: stored?.isLive === true };
}

function guardedOf(content: StoredContent | undefined): GuardedNow | undefined {
  if (content === undefined || content.deleted) return undefined;
  return { isLive: content.live !== null, guards: content.guards };
}

function warningsOf(
  { file }: ReadImport,
  { flags, layers, experiments }: ImportPlan,
  found: Found | null,
): ImportOutcome['warnings'] {
  return [
    ...file.warnings,
    ...layers.warnings,
    ...experiments.warnings,
    ...flagTotalWarnings(flags),
    ...foundWarnings(found),
  ];
}

async function readFile(
  { work, limits, takeRoom }: Omit<ImportDeps, 'commit'>,
  { stream, mode }: ImportRequest,
  take: ImportSource['take'],
): Promise<ReadImport | Problem> {
  const endRequired = mode === 'replace';
  const read = await readImport({ stream, work, limits, takeRoom, endRequired, take });
  if (read instanceof Problem || read.file.issues.length === 0) return read;
  return importRejected(read.file.issues);
}
