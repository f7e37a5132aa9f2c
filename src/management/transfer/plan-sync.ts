/** Decides what a sync does: which live contents of one environment go on top of which in the other, with which segments. */
import { contentKey } from '../../content/content-id.js';
import { type Layers, noLayers } from '../../content/layers.js';
import { layersUsed } from '../../content/mapping/layer-uses.js';
import { Problem } from '../../contract/problems.js';
import { changedAbout } from '../contents/content-state.js';
import type { ConfirmRequest } from '../guards/confirmation.js';
import { type LayerCopy, planLayerCopy } from '../layers/layers-to-copy.js';
import {
  readContentStates,
  type StoredContent,
  type StoredState,
} from '../store/contents/content-states.js';
import type { ContentAbout } from '../store/contents/contents.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { type Environment, findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { readLayers } from '../store/layers/read-layers.js';
import { listSegments } from '../store/segments/segments.js';
import { contentChange } from './content-change.js';
import { countFlagsAfter, type FlagChange } from './count-flags.js';
import { draftOf, present } from './draft-of.js';
import { PlanId } from './plan-id.js';
import { type SegmentCopy, SegmentsToCopy } from './segments-to-copy.js';

/** What a sync is of. */
export interface SyncScope {
  readonly from: string;
  readonly to: string;
  /** In whatever case; left out: all. */
  readonly ids?: readonly string[] | undefined;
  /** Left out: it is published. Else drafts are saved, and a release of this title is made of them. */
  readonly release?: { readonly title: string } | undefined;
}

export interface SyncRequest extends SyncScope, ConfirmRequest {}

/** A content that differs in the target, or whose segments do. */
export interface PlannedCopy {
  readonly source: StoredContent;
  /** What is live in the source. */
  readonly state: StoredState;
  /** What is there of it in the target, deleted or not. */
  readonly target: StoredContent | undefined;
  /** Null: only its segments differ, or the draft that a release takes is there. */
  readonly save: ContentToSave | null;
  /** Number of the revision that goes live, now or with the release; null: what is live stays. */
  readonly goesLive: number | null;
  /** What its description, tags, schema and guards are then. */
  readonly about: ContentAbout;
  readonly segments: readonly SegmentCopy[];
}

export interface SyncPlan {
  /** Names the request, and the state of both environments as far as it concerns the request. */
  readonly id: string;
  readonly environment: Environment;
  readonly copies: readonly PlannedCopy[];
  /** Nothing goes live: a release takes it. */
  readonly isReleased: boolean;
  /** How many flags the target lists once all of it is live. */
  readonly flags: number;
  /** Ids of contents that are the same in both. */
  readonly unchanged: readonly string[];
  /** Ids of contents that are live in the target only; a sync leaves them alone. */
  readonly onlyHere: readonly string[];
  /** Ids of contents whose description, tags, schema or guards differ, and stay as they are because a release is made. */
  readonly aboutKept: readonly string[];
  /** Segments that come along, each once. */
  readonly segments: readonly SegmentCopy[];
  readonly layers: LayerCopy;
}

/** The same on a snapshot and within the sync's own transaction. */
export async function planSync(db: Db, request: SyncScope): Promise<SyncPlan | Problem> {
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
  const isReleased = request.release !== undefined;
  const planId = new PlanId().add(['sync', from, to, ...(isReleased ? ['release'] : [])]);
  const segments = new SegmentsToCopy(await listSegments(db, from), await listSegments(db, to));
  const copies: PlannedCopy[] = [];
  const published: FlagChange[] = [];
  const unchanged: string[] = [];
  const aboutKept: string[] = [];
  const pace = new EventLoopYielder();
  for (const source of there.values()) {
    await pace.step();
    const { live: state, idLower } = source;
    if (state === null) continue;
    const target = here.get(idLower);
    planId.add(['from']).addContent(source);
    if (target !== undefined) planId.add(['to']).addContent(target);
    const changed = segments.add(state.segments, planId);
    const publish = contentChange(wantedOf(source, state, from), target);
    if (publish !== null) published.push({ before: target, save: publish });
    const about = isReleased ? (present(target) ?? source) : source;
    const goesLive = publish?.delivered ? publish.live : null;
    const save = isReleased && publish !== null ? draftOf(publish, target) : publish;
    if (changedAbout(about, source).length > 0) aboutKept.push(source.id);
    if (save === null && goesLive === null && changed.length === 0) unchanged.push(source.id);
    else copies.push({ source, state, target, save, goesLive, about, segments: changed });
  }
  const onlyHere = [...here.values()]
    .filter(({ live, idLower }) => live !== null && (there.get(idLower)?.live ?? null) === null)
    .map(({ id }) => id);
  const flags = countFlagsAfter(allHere.values(), published);
  const used = await layersOfCopies(db, from, copies);
  // A holdout changes what is live, which a release does not do before it goes live itself.
  const wanted = isReleased ? { ...used, holdout: null } : used;
  const layers = await planLayerCopy(db, to, wanted);
  if (layers instanceof Problem) return layers;
  if (layers.planned !== null) planId.add(['layers', layers.after]);
  const comeAlong = { segments: segments.copies, layers, isReleased, flags };
  return { id: planId.text, environment, copies, unchanged, onlyHere, aboutKept, ...comeAlong };
}

/** Those of the source that the mappings use. */
async function layersOfCopies(
  db: Db,
  from: string,
  copies: readonly PlannedCopy[],
): Promise<Layers> {
  const defined = await readLayers(db, from);
  const names = new Set<string>();
  let { holdout } = noLayers;
  if (defined.layers.length === 0 && defined.holdout === null) return noLayers;
  const pace = new EventLoopYielder();
  for (const mapping of new Set(copies.map(({ state }) => state.mapping))) {
    if (mapping === null) continue;
    const used = layersUsed(deliveredJson(await readText(db, mapping)), defined);
    for (const { name } of used.layers) names.add(name);
    holdout ??= used.holdout;
    await pace.step();
  }
  return { layers: defined.layers.filter(({ name }) => names.has(name)), holdout };
}

function wantedOf(source: StoredContent, live: StoredState, from: string) {
  const { idLower, id, description, tags, schema, guards } = source;
  return {
    idLower,
    id,
    about: { description, tags, schema, guards },
    live,
    draft: null,
    keepLive: true,
    note: `Synced from ${from}, revision ${live.number}.`,
    synced: { from, revision: live.number },
  };
}

function onlyWanted(
  contents: ReadonlyMap<string, StoredContent>,
  { ids }: SyncScope,
): ReadonlyMap<string, StoredContent> {
  if (ids === undefined) return contents;
  const wanted = new Set(ids.map(contentKey));
  return new Map([...contents].filter(([idLower]) => wanted.has(idLower)));
}

function unknownIds(
  { ids = [] }: SyncScope,
  ...both: readonly ReadonlyMap<string, StoredContent>[]
): string[] {
  return ids.filter((id) => !both.some((contents) => contents.get(contentKey(id))?.live));
}
