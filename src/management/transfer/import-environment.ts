/** Imports a file into an environment: reads and checks it beside other work, then commits it in one short write. */
import { changesShownMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { flagTotalWarnings } from '../contents/warnings/flag-total-warning.js';
import { FindingsOfContents } from '../guards/finding-warnings.js';
import type { Findings } from '../guards/findings.js';
import type { Work } from '../jobs/work.js';
import { type ManagementLimits, pointersPerDiffMax } from '../limits.js';
import { readContentStates } from '../store/contents/content-states.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import type { Store, Written } from '../store/store.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import { applyImport, importRejected, rejectImport } from './apply-import.js';
import { type DescribedChange, describeChange } from './describe-change.js';
import type { ImportedContent } from './import-file.js';
import type { LineRoom } from './line-batches.js';
import { type ImportMode, type ImportPlan, planImport } from './plan-import.js';
import { type ImportSource, type ReadImport, readImport } from './read-import.js';
import type { ReadState } from './read-transfer-state.js';
import { TextStage } from './text-stage.js';

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

export interface ImportRequest {
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
    const found = new FindingsOfContents();
    const read = await readFile(deps, request, async (content, state) => {
      for (const [digest, bytes] of state.texts) await stage.put(digest, bytes);
      await deps.store.read((db) => compareValues(deps, db, environment, content, state, found));
    });
    if (read instanceof Problem) return read;
    await stage.flush();
    const { value, sequence } = await deps.commit((write) =>
      applyImport(write, environment, mode, read, plan),
    );
    if (value instanceof Problem) return value;
    return {
      plan: value,
      warnings: warningsOf(read, value, found),
      sequence,
      described: new Map(),
    };
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
    const budget = { left: pointersPerDiffMax };
    const found = new FindingsOfContents();
    const read = await readFile(deps, request, async (content, state) => {
      await compareValues(deps, db, environment, content, state, found);
      const { idLower, about, draft } = content;
      // A draft line belongs to a content that was described already.
      if (draft !== null || described.size >= changesShownMax) return;
      const present = stored.get(idLower);
      const before =
        present === undefined || present.deleted
          ? null
          : { ...present, state: present.live ?? present.draft };
      const texts = new Map(state.texts);
      const change = await describeChange(db, before, { about, state }, texts, budget);
      const { lines, about: facts, mapping, flags } = change;
      const same = lines.length + facts.length === 0 && mapping === 'same' && flags === 'same';
      if (!same) described.set(idLower, change);
    });
    if (read instanceof Problem) return read;
    const plan = await planImport(db, environment, mode, read);
    if (plan.issues.length > 0) return importRejected(plan.issues);
    const gated = await rejectImport(db, environment, plan);
    if (gated !== null) return gated;
    return { plan, warnings: warningsOf(read, plan, found), sequence, described };
  });
}

/** What the values of a line of the file would do to players, while its texts pass by; of a draft nothing. */
async function compareValues(
  { findings }: Pick<ImportDeps, 'findings'>,
  db: Db,
  environment: string,
  { id, live, draft }: ImportedContent,
  { lines, mapping, texts }: ReadState,
  found: FindingsOfContents,
): Promise<void> {
  if (!live || draft !== null) return;
  const state = { lines, mapping, texts: new Map(texts) };
  found.add(id, await findings.findingsOf(db, environment, id, state));
}

function warningsOf(
  { file }: ReadImport,
  { flags }: ImportPlan,
  { warnings }: FindingsOfContents,
): ImportOutcome['warnings'] {
  return [...file.warnings, ...warnings, ...flagTotalWarnings(flags)];
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
