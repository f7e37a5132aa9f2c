/** Words a sync for those who read it before they let it: what changes, and where it would undo somebody's edit. */
import type {
  SyncReport as FullReport,
  SyncedContent,
  SyncedSegment,
} from '../../contract/operations/sync.js';
import { flagTotalWarnings } from '../contents/warnings/flag-total-warning.js';
import { pointersPerDiffMax } from '../limits/bodies.js';
import { conditionShownCharsMax } from '../limits/transfer.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import { toIso } from '../to-iso.js';
import { type DescribedChange, describeChange, outlineChange } from './describe-change.js';
import type { PlannedCopy, SyncPlan } from './plan-sync.js';
import type { SegmentCopy } from './segments-to-copy.js';
import { settingsKept } from './settings-kept.js';

/** What the response holds, but for what the request itself says. */
export type SyncReport = Omit<FullReport, 'dryRun' | 'sequence' | 'fleet'>;

const noTexts: ReadonlyMap<string, Uint8Array> = new Map();

/** @param describe whether to compare the texts: what was done needs no more than its numbers */
export async function reportSync(
  db: Db,
  plan: SyncPlan,
  from: string,
  describe: boolean,
): Promise<SyncReport> {
  const added: SyncedContent[] = [];
  const changed: SyncedContent[] = [];
  const budget = { left: pointersPerDiffMax };
  const pace = new EventLoopYielder();
  for (const copy of plan.copies) {
    await pace.step();
    const { about, state, target } = copy;
    const live = liveHere(copy);
    const before = target === undefined || live === null ? null : { ...target, state: live };
    const after = { about, state };
    const change = describe
      ? await describeChange(db, before, after, noTexts, budget)
      : outlineChange(before, after);
    (live === null ? added : changed).push({ ...syncedContent(copy, from), ...change });
  }
  const segments: SyncedSegment[] = [];
  for (const copy of plan.segments) {
    segments.push(await syncedSegment(db, plan.environment.id, copy, from));
  }
  const { unchanged, onlyHere, id, layers: copied } = plan;
  const warnings = [...copied.warnings, ...flagTotalWarnings(plan.flags), ...settingsKept(plan)];
  const layers = copied.added;
  return {
    added,
    changed,
    unchanged,
    onlyHere,
    segments,
    layers,
    warnings,
    release: null,
    plan: id,
  };
}

/** Null: nothing is live in the target. */
export function liveHere({ target }: PlannedCopy): PlannedCopy['state'] | null {
  return target === undefined || target.deleted ? null : target.live;
}

/** The live revision of the target differs, and no sync from that environment made it. */
export function isSyncConflict(copy: PlannedCopy, from: string): boolean {
  const live = liveHere(copy);
  // With only another description or segment, no revision of anybody's is covered.
  return live !== null && copy.goesLive !== null && live.syncedFrom !== from;
}

function syncedContent(
  copy: PlannedCopy,
  from: string,
): Omit<SyncedContent, keyof DescribedChange> {
  const { source, state } = copy;
  const live = liveHere(copy);
  const conflict = isSyncConflict(copy, from);
  return {
    id: source.id,
    fromRevision: state.number,
    toRevision: live?.number ?? null,
    segments: copy.segments.map(changeOf),
    conflict,
    edited: conflict && live !== null ? { author: live.author, at: toIso(live.createdAtMs) } : null,
  };
}

function changeOf({ source, target }: SegmentCopy): Pick<SyncedSegment, 'name' | 'change'> {
  return { name: source.name, change: target === null ? 'added' : 'changed' };
}

async function syncedSegment(
  db: Db,
  environment: string,
  copy: SegmentCopy,
  from: string,
): Promise<SyncedSegment> {
  const { source, target } = copy;
  const last =
    target === null
      ? null
      : await findSegmentRevision(db, environment, source.name, target.revision);
  const conflict = target !== null && last?.synced?.from !== from;
  return {
    ...changeOf(copy),
    before: target === null ? null : shown(target.condition),
    after: shown(source.condition),
    conflict,
    edited: conflict && last !== null ? { author: last.author, at: toIso(last.createdAtMs) } : null,
  };
}

function shown(condition: string): string {
  if (condition.length <= conditionShownCharsMax) return condition;
  return `${condition.slice(0, conditionShownCharsMax)}…`;
}
