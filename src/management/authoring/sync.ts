/** Copies what is live in one environment on top of another's history, with the saved segments it uses. */
import { contentKey } from '../../content/content-id.js';
import { pointersPerDiffMax } from '../limits.js';
import { findContent, insertContent, listLive, updateContent } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment, holdEnvironment } from '../store/environments.js';
import { Pace } from '../store/pace.js';
import { deliveredJson } from '../store/published-state.js';
import { findRevision, listRevisionSegments, type Revision } from '../store/revisions.js';
import { putSegment, type Segment } from '../store/segments.js';
import { readText } from '../store/texts.js';
import type { Write } from '../store/write.js';
import { checkState, commitState, sameState, stateOf } from './content-state.js';
import { type ContentDiff, diffContent, type PointerBudget } from './diff-content.js';
import { editEnvironment, environmentUnknown } from './edit-environment.js';
import { Refusal } from './refusal.js';
import { type SegmentChange, SegmentsToCopy } from './segments-to-copy.js';

/** A content that the target gets, or gets anew. */
export interface SyncedContent extends ContentDiff {
  readonly id: string;
  /** The source's live revision, and the target's (null: nothing is live there). */
  readonly fromRevision: number;
  readonly toRevision: number | null;
  readonly segments: readonly SegmentChange[];
}

export interface SyncReport {
  readonly added: readonly SyncedContent[];
  readonly changed: readonly SyncedContent[];
  /** Ids of contents that are the same in both. */
  readonly unchanged: readonly string[];
  /** Ids of contents that are live in the target only; a sync leaves them alone. */
  readonly onlyHere: readonly string[];
  /** Segments that come along, each once. */
  readonly segments: readonly SegmentChange[];
}

interface Copy {
  readonly report: SyncedContent;
  readonly revision: Revision;
  readonly segments: readonly string[];
}

interface SyncPlan extends SyncReport {
  readonly copies: readonly Copy[];
  readonly segmentsToSave: readonly Segment[];
}

export interface SyncWish {
  readonly from: string;
  readonly to: string;
  /** In whatever case; left out: all. */
  readonly ids?: readonly string[] | undefined;
}

/** What a sync would do. */
export async function previewSync(db: Reading, wish: SyncWish): Promise<SyncReport | Refusal> {
  const plan = await planSync(db, wish);
  return plan instanceof Refusal ? plan : reportOf(plan);
}

/** Does all of it in the write's transaction, so that no reader ever sees half. */
export async function syncEnvironments(
  write: Write,
  wish: SyncWish,
): Promise<SyncReport | Refusal> {
  // Both are held, in one order for everybody: two syncs in opposite directions must not wait for each other.
  for (const id of [wish.from, wish.to].sort()) await holdEnvironment(write, id);
  const editable = await editEnvironment(write, wish.to);
  if (editable instanceof Refusal) return editable;
  const plan = await planSync(write.db, wish);
  if (plan instanceof Refusal) return plan;
  // Checked in the source, where the segments are: in the target they are about to be.
  const pace = new Pace();
  for (const { revision, report } of plan.copies) {
    await pace.step();
    const checked = await checkState(write.db, wish.from, stateOf(revision));
    if (checked instanceof Refusal) {
      return new Refusal(checked.code, `"${report.id}": ${checked.detail}`, checked.errors);
    }
  }
  for (const segment of plan.segmentsToSave) {
    await putSegment(write, { ...segment, environment: wish.to });
  }
  for (const copy of plan.copies) {
    await pace.step();
    await copyContent(write, wish, copy);
  }
  await write.audit('environment.sync', wish.to, wish.from, {
    added: plan.added.map((content) => content.id),
    changed: plan.changed.map((content) => content.id),
    segments: plan.segments,
  });
  return reportOf(plan);
}

function reportOf({ added, changed, unchanged, onlyHere, segments }: SyncPlan): SyncReport {
  return { added, changed, unchanged, onlyHere, segments };
}

async function planSync(db: Reading, wish: SyncWish): Promise<SyncPlan | Refusal> {
  const { from, to } = wish;
  for (const id of [from, to]) {
    if ((await findEnvironment(db, id)) === null) return environmentUnknown(id);
  }
  if (from === to) {
    return new Refusal('invalid_body', 'An environment cannot be synced from itself.', [
      { path: 'from', message: 'is the environment itself' },
    ]);
  }
  const wanted = wish.ids === undefined ? null : new Set(wish.ids.map(contentKey));
  const isWanted = ({ idLower }: { readonly idLower: string }): boolean =>
    wanted === null || wanted.has(idLower);
  const there = (await listLive(db, from)).filter(isWanted);
  const here = (await listLive(db, to)).filter(isWanted);
  const unknown = unknownIds(wish, there, here);
  if (unknown.length > 0) {
    return new Refusal(
      'content_not_found',
      `Neither environment has live contents: ${unknown.join(', ')}.`,
    );
  }
  const plan = {
    added: [] as SyncedContent[],
    changed: [] as SyncedContent[],
    unchanged: [] as string[],
    onlyHere: onlyIn(here, there),
    copies: [] as Copy[],
  };
  const segments = new SegmentsToCopy(db, from, to);
  const budget = { left: pointersPerDiffMax };
  const liveHere = new Map(here.map((content) => [content.idLower, content.live]));
  const pace = new Pace();
  for (const content of there) {
    await pace.step();
    const toRevision = liveHere.get(content.idLower) ?? null;
    const copy = await compareContent(db, wish, content, toRevision, segments, budget);
    if (copy === null) {
      plan.unchanged.push(content.id);
      continue;
    }
    plan.copies.push(copy);
    (toRevision === null ? plan.added : plan.changed).push(copy.report);
  }
  return { ...plan, segments: segments.changes, segmentsToSave: segments.toSave };
}

interface LiveContent {
  readonly idLower: string;
  readonly id: string;
  readonly live: number;
}

function unknownIds(
  wish: SyncWish,
  there: readonly LiveContent[],
  here: readonly LiveContent[],
): string[] {
  const known = new Set([...there, ...here].map((content) => content.idLower));
  return (wish.ids ?? []).filter((id) => !known.has(contentKey(id)));
}

function onlyIn(here: readonly LiveContent[], there: readonly LiveContent[]): string[] {
  const known = new Set(there.map((content) => content.idLower));
  return here.filter(({ idLower }) => !known.has(idLower)).map(({ id }) => id);
}

/** Null: the same in both environments, segments included. */
async function compareContent(
  db: Reading,
  { from, to }: SyncWish,
  content: LiveContent,
  toRevision: number | null,
  segments: SegmentsToCopy,
  budget: PointerBudget,
): Promise<Copy | null> {
  const { idLower, id, live } = content;
  const revision = await findRevision(db, from, idLower, live);
  if (revision === null) throw new Error(`"${id}" has no revision ${live}, which is live.`);
  const before = toRevision === null ? null : await findRevision(db, to, idLower, toRevision);
  const used = await listRevisionSegments(db, from, idLower, live);
  const changes = await segments.add(used);
  if (before !== null && changes.length === 0 && sameState(before, revision)) return null;
  const diff = await diffContent(
    before,
    revision,
    async (line) => deliveredJson(await readText(db, line.textDigest)),
    budget,
  );
  const report = { id, fromRevision: live, toRevision, ...diff, segments: changes };
  return { report, revision, segments: used };
}

async function copyContent(write: Write, { from, to }: SyncWish, copy: Copy): Promise<void> {
  const source = await findContent(write.db, from, copy.report.id);
  if (source === null) throw new Error(`"${copy.report.id}" went away within its transaction.`);
  const target = await findContent(write.db, to, source.idLower);
  if (target === null) await insertContent(write, to, source.id, source);
  else await updateContent(write, to, target.deletedAtMs === null ? target.id : source.id, source);
  const newest = target?.newest ?? 0;
  const base = await findRevision(write.db, to, source.idLower, newest);
  await commitState(
    write,
    { environment: to, idLower: source.idLower, live: target?.live ?? null },
    newest,
    base,
    {
      ...stateOf(copy.revision),
      segments: copy.segments,
      note: `Synced from ${from}, revision ${copy.revision.number}.`,
    },
    true,
  );
}
