/** Decides what a sync does: which live contents of one environment go on top of which in the other, with which segments. */
import { contentKey } from '../../content/content-id.js';
import { Problem } from '../../contract/problems.js';
import {
  readContentStates,
  type StoredContent,
  type StoredState,
} from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { type Environment, findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { listSegments } from '../store/segments/segments.js';
import { contentChange } from './content-change.js';
import { countFlagsAfter } from './count-flags.js';
import { PlanId } from './plan-id.js';
import { type SegmentCopy, SegmentsToCopy } from './segments-to-copy.js';

export interface SyncRequest {
  readonly from: string;
  readonly to: string;
  /** In whatever case; left out: all. */
  readonly ids?: readonly string[] | undefined;
}

/** A content that differs in the target, or whose segments do. */
export interface PlannedCopy {
  readonly source: StoredContent;
  /** What is live in the source. */
  readonly state: StoredState;
  /** What is there of it in the target, deleted or not. */
  readonly target: StoredContent | undefined;
  /** Null: only its segments differ. */
  readonly save: ContentToSave | null;
  readonly segments: readonly SegmentCopy[];
}

export interface SyncPlan {
  /** Names the request, and the state of both environments as far as it concerns the request. */
  readonly id: string;
  readonly environment: Environment;
  readonly copies: readonly PlannedCopy[];
  /** How many the target lists then. */
  readonly flags: number;
  /** Ids of contents that are the same in both. */
  readonly unchanged: readonly string[];
  /** Ids of contents that are live in the target only; a sync leaves them alone. */
  readonly onlyHere: readonly string[];
  /** Segments that come along, each once. */
  readonly segments: readonly SegmentCopy[];
}

/** The same on a snapshot and within the sync's own transaction. */
export async function planSync(db: Db, request: SyncRequest): Promise<SyncPlan | Problem> {
  const { from, to } = request;
  if ((await findEnvironment(db, from)) === null) return environmentUnknown(from);
  const environment = await findEnvironment(db, to);
  if (environment === null) return environmentUnknown(to);
  if (from === to) {
    return new Problem('invalid_body', 'An environment cannot be synced from itself.', [
      { path: 'from', message: 'is the environment itself' },
    ]);
  }
  const there = onlyWanted(await readContentStates(db, from), request);
  const allHere = await readContentStates(db, to);
  const here = onlyWanted(allHere, request);
  const unknown = unknownIds(request, there, here);
  if (unknown.length > 0) {
    const detail = `Neither environment has live contents: ${unknown.join(', ')}.`;
    return new Problem('content_not_found', detail);
  }
  const planId = new PlanId().add(['sync', from, to]);
  const segments = new SegmentsToCopy(await listSegments(db, from), await listSegments(db, to));
  const copies: PlannedCopy[] = [];
  const unchanged: string[] = [];
  const pace = new EventLoopYielder();
  for (const source of there.values()) {
    await pace.step();
    const { live: state, idLower } = source;
    if (state === null) continue;
    const target = here.get(idLower);
    planId.add(['from']).addContent(source);
    if (target !== undefined) planId.add(['to']).addContent(target);
    const changed = segments.add(state.segments, planId);
    const save = contentChange(wantedOf(source, state, from), target);
    if (save === null && changed.length === 0) unchanged.push(source.id);
    else copies.push({ source, state, target, save, segments: changed });
  }
  const onlyHere = [...here.values()]
    .filter(({ live, idLower }) => live !== null && (there.get(idLower)?.live ?? null) === null)
    .map(({ id }) => id);
  const flags = countFlagsAfter(
    allHere.values(),
    copies.flatMap(({ target: before, save }) => (save === null ? [] : [{ before, save }])),
  );
  const comeAlong = { segments: segments.copies, flags };
  return { id: planId.text, environment, copies, unchanged, onlyHere, ...comeAlong };
}

function wantedOf(source: StoredContent, live: StoredState, from: string) {
  const { idLower, id, description, tags, schema } = source;
  return {
    idLower,
    id,
    about: { description, tags, schema },
    live,
    draft: null,
    keepLive: true,
    note: `Synced from ${from}, revision ${live.number}.`,
    synced: { from, revision: live.number },
  };
}

function onlyWanted(
  contents: ReadonlyMap<string, StoredContent>,
  { ids }: SyncRequest,
): ReadonlyMap<string, StoredContent> {
  if (ids === undefined) return contents;
  const wanted = new Set(ids.map(contentKey));
  return new Map([...contents].filter(([idLower]) => wanted.has(idLower)));
}

function unknownIds(
  { ids = [] }: SyncRequest,
  ...both: readonly ReadonlyMap<string, StoredContent>[]
): string[] {
  return ids.filter((id) => !both.some((contents) => contents.get(contentKey(id))?.live));
}
