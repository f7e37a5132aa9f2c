/** Decides what an import does to an environment: which contents and segments it saves, removes and leaves alone. */
import { noLayers } from '../../content/layers.js';
import type { ImportReport } from '../../contract/operations/transfer.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { layerIssues } from '../contents/validate/layer-issues.js';
import { type LayerCopy, planLayerCopy } from '../layers/layers-to-copy.js';
import { faultsShownMax } from '../limits/work.js';
import { readContentStates, type StoredContent } from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { listSegments, type Segment } from '../store/segments/segments.js';
import { contentChange, type WantedContent } from './content-change.js';
import { countFlagsAfter } from './count-flags.js';
import { present } from './draft-of.js';
import { type ExperimentsCopy, planExperimentsCopy } from './experiments-to-add.js';
import { aboutThen, type ImportedContent, type ImportedSegment } from './import-file.js';
import { PlanId } from './plan-id.js';
import type { ReadImport } from './reading/read-import.js';

/** `merge` puts what the file has on top of what is there; `replace` also removes what the file does not have. */
export type ImportMode = ImportReport['mode'];

/** Of every revision that an import makes. */
export const importNote = 'Imported.';

export interface PlannedContent {
  readonly change: ImportReport['contents'][number]['change'];
  /** What is there, deleted or not. */
  readonly before: StoredContent | undefined;
  /** Null: it is removed. */
  readonly save: ContentToSave | null;
  readonly id: string;
}

export interface ImportPlan {
  /** Names the file, the mode and the state of the environment that all this was decided on. */
  readonly id: string;
  readonly contents: readonly PlannedContent[];
  readonly unchanged: number;
  /** That the environment lists then. */
  readonly flags: number;
  readonly segments: ImportReport['segments'];
  readonly segmentsToSave: readonly ImportedSegment[];
  readonly layers: LayerCopy;
  readonly experiments: ExperimentsCopy;
  /** What the file refers to and neither it nor (in a merge) the environment has. */
  readonly issues: readonly ValidationIssue[];
}

/** Reads the environment and compares. The same on a snapshot and within the import's own transaction. */
export async function planImport(
  db: Db,
  environment: string,
  mode: ImportMode,
  { file, digest }: ReadImport,
): Promise<ImportPlan | Problem> {
  const layers = await planLayerCopy(db, environment, file.layers ?? noLayers);
  if (layers instanceof Problem) return layers;
  const planId = new PlanId().add(['import', environment, mode, digest]);
  const stored = await readContentStates(db, environment);
  for (const content of stored.values()) planId.addContent(content);
  const segments = await listSegments(db, environment);
  for (const segment of segments) planId.addSegment(segment);
  if (layers.planned !== null) planId.add(['layers', layers.after]);

  const contents: PlannedContent[] = [];
  const pace = new EventLoopYielder();
  let unchanged = 0;
  const schemaIssues: ValidationIssue[] = [];
  /** Segments that drafts need which the import leaves as they are. */
  const segmentsKept = new Set<string>();
  for (const content of file.contents.values()) {
    await pace.step();
    const before = stored.get(content.idLower);
    const issue = schemaIssue(content, mode, before);
    if (issue !== null) schemaIssues.push(issue);
    const save = contentChange(wantedOf(content, mode, before), before);
    const draftStays =
      before?.deleted === false && (save?.newest ?? before.newest) === before.newest;
    if (draftStays) for (const name of before.draft?.segments ?? []) segmentsKept.add(name);
    if (save === null) unchanged += 1;
    else {
      const change = before === undefined || before.deleted ? 'added' : 'changed';
      contents.push({ change, before, save, id: save.id });
    }
  }
  if (mode === 'replace') {
    for (const before of stored.values()) {
      if (before.deleted || file.contents.has(before.idLower)) continue;
      contents.push({ change: 'removed', before, save: null, id: before.id });
    }
  }
  const compared = compareSegments(file.segments, segments, mode, segmentsKept);
  const known = new Set(file.segments.keys());
  if (mode === 'merge') for (const { name } of segments) known.add(name);
  const issues: ValidationIssue[] = schemaIssues.slice(0, faultsShownMax);
  for (const [name, line] of file.segmentsUsed) {
    if (known.has(name)) continue;
    const message = `uses the saved segment "${name}", which ${mode === 'merge' ? 'neither the file nor the environment has' : 'the file does not have'}`;
    issues.push({ path: 'mapping', message, line });
  }
  for (const use of file.layersUsed.values()) {
    const { line } = use;
    for (const { message } of layerIssues([use], layers.after)) {
      issues.push({ path: 'mapping', message: `the layer "${use.layer}": ${message}`, line });
    }
  }
  const experiments = await planExperimentsCopy(
    db,
    environment,
    file,
    idsAfter(stored, file, contents),
  );
  if (experiments instanceof Problem) return experiments;
  const { metrics, experiments: drafts } = experiments;
  if (metrics.length + drafts.length > 0) planId.add(['experiments', metrics, drafts]);
  const flags = countFlagsAfter(stored.values(), contents);
  return { id: planId.text, contents, unchanged, flags, ...compared, layers, experiments, issues };
}

/** Lower-case ids of the contents that are there once it is done. */
function idsAfter(
  stored: ReadonlyMap<string, StoredContent>,
  file: ReadImport['file'],
  contents: readonly PlannedContent[],
): ReadonlySet<string> {
  const here = [...stored.values()].filter(({ deleted }) => !deleted);
  const ids = new Set([...here.map(({ idLower }) => idLower), ...file.contents.keys()]);
  for (const { change, before } of contents) {
    if (change === 'removed' && before !== undefined) ids.delete(before.idLower);
  }
  return ids;
}

/** A schema counts at once, for what stays live as well: one that the draft breaks may be broken by that, too. */
function schemaIssue(
  { about, live, mismatch, line }: ImportedContent,
  mode: ImportMode,
  before: StoredContent | undefined,
): ValidationIssue | null {
  if (live || mismatch === null || mode !== 'merge') return null;
  if (before === undefined || before.deleted || before.live === null) return null;
  if (before.schema === about.schema) return null;
  const why = 'and the schema would count for what is live at once';
  return { path: 'schema', message: `the draft does not match it (${mismatch}), ${why}`, line };
}

function wantedOf(
  content: ImportedContent,
  mode: ImportMode,
  before: StoredContent | undefined,
): WantedContent {
  const { idLower, id, live, state, draft } = content;
  return {
    idLower,
    id,
    about: aboutThen(content, present(before)),
    live: live ? state : null,
    draft: live ? draft : state,
    keepLive: mode === 'merge',
    note: importNote,
    synced: null,
  };
}

function compareSegments(
  wanted: ReadonlyMap<string, ImportedSegment>,
  stored: readonly Segment[],
  mode: ImportMode,
  kept: ReadonlySet<string>,
): Pick<ImportPlan, 'segments' | 'segmentsToSave'> {
  const segments: ImportReport['segments'][number][] = [];
  const segmentsToSave: ImportedSegment[] = [];
  const byName = new Map(stored.map((segment) => [segment.name, segment]));
  for (const segment of wanted.values()) {
    const before = byName.get(segment.name);
    const same =
      before?.condition === segment.condition && before.description === segment.description;
    if (same) continue;
    segments.push({ name: segment.name, change: before === undefined ? 'added' : 'changed' });
    segmentsToSave.push(segment);
  }
  if (mode === 'replace') {
    for (const { name } of stored) {
      if (!wanted.has(name) && !kept.has(name)) segments.push({ name, change: 'removed' });
    }
  }
  return { segments, segmentsToSave };
}
