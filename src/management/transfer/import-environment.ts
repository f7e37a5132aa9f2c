/** Imports a file into an environment: reads and checks it beside everybody's work, then commits it in one short write. */

import { changesShownMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { Work } from '../jobs/work.js';
import { type ManagementLimits, pointersPerDiffMax } from '../limits.js';
import { readContentStates } from '../store/contents/content-states.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import type { Store, Written } from '../store/store.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import { applyImport, importRejected } from './apply-import.js';
import { type DescribedChange, describeChange } from './describe-change.js';
import type { LineRoom } from './line-batches.js';
import { type ImportMode, type ImportPlan, planImport } from './plan-import.js';
import { type ReadImport, readImport } from './read-import.js';
import { TextStage } from './text-stage.js';

export interface ImportParts {
  readonly store: Store;
  readonly work: Work;
  readonly limits: ManagementLimits;
  /** Who imports, for the texts that are stored ahead. */
  readonly actor: Actor;
  /** Resolves when there is room for a large line of the file. */
  readonly takeRoom: () => Promise<LineRoom>;
  /** Commits and publishes. */
  readonly commit: (
    work: (write: UnitOfWork) => Promise<ImportPlan | Problem>,
  ) => Promise<Written<ImportPlan | Problem>>;
}

export interface ImportOptions {
  readonly environment: string;
  readonly mode: ImportMode;
  /** The id that a dry run answered, or null. */
  readonly plan: string | null;
}

export interface ImportOutcome {
  readonly plan: ImportPlan;
  readonly warnings: Problem['errors'];
  readonly sequence: number;
  /** Of a dry run: what changes in each content, as far as the answer shows them. */
  readonly described: ReadonlyMap<string, DescribedChange>;
}

/**
 * All of it or nothing.
 * @throws WorkFailed, StoreUnavailable, NotPublished
 */
export async function importEnvironment(
  parts: ImportParts,
  wish: ImportOptions,
  stream: AsyncIterable<Uint8Array>,
): Promise<ImportOutcome | Problem> {
  const { store, work, limits, actor, takeRoom } = parts;
  const stage = new TextStage(store, actor);
  try {
    const read = await readImport({
      stream,
      work,
      limits,
      takeRoom,
      rules: { endRequired: wish.mode === 'replace' },
      take: async (_, { texts }) => {
        for (const [digest, bytes] of texts) await stage.put(digest, bytes);
      },
    });
    if (read instanceof Problem) return read;
    if (read.file.faults.length > 0) return importRejected(read.file.faults);
    await stage.flush();
    const { value, sequence } = await parts.commit((write) =>
      applyImport(write, wish.environment, wish.mode, read, wish.plan),
    );
    if (value instanceof Problem) return value;
    return { plan: value, warnings: read.file.warnings, sequence, described: new Map() };
  } finally {
    await stage.release();
  }
}

/** Says what importing would do, and stores nothing: what changes is described while the texts pass by. */
export async function previewImport(
  { store, work, limits, takeRoom }: Pick<ImportParts, 'store' | 'work' | 'limits' | 'takeRoom'>,
  { environment, mode }: ImportOptions,
  stream: AsyncIterable<Uint8Array>,
): Promise<ImportOutcome | Problem> {
  const sequence = await store.sequence();
  return store.readSnapshot(async (db) => {
    if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
    const stored = await readContentStates(db, environment);
    const described = new Map<string, DescribedChange>();
    const budget = { left: pointersPerDiffMax };
    const read: ReadImport | Problem = await readImport({
      stream,
      work,
      limits,
      takeRoom,
      rules: { endRequired: mode === 'replace' },
      take: async ({ idLower, about, draft }, state) => {
        // A draft line belongs to a content that was described already.
        if (draft !== null || described.size >= changesShownMax) return;
        const there = stored.get(idLower);
        const present = there === undefined || there.deleted ? null : there;
        const before =
          present === null ? null : { ...present, state: present.live ?? present.draft };
        const texts = new Map(state.texts);
        const change = await describeChange(db, before, { about, state }, texts, budget);
        const same = change.lines.length + change.about.length === 0 && change.mapping === 'same';
        if (!same) described.set(idLower, change);
      },
    });
    if (read instanceof Problem) return read;
    if (read.file.faults.length > 0) return importRejected(read.file.faults);
    const plan = await planImport(db, environment, mode, read);
    if (plan.faults.length > 0) return importRejected(plan.faults);
    return { plan, warnings: read.file.warnings, sequence, described };
  });
}
