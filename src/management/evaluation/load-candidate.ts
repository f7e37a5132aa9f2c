/** Loads a state of a content to try out from the store: a saved revision, with or without edits on top of it. */
import { type Layers, noLayers } from '../../content/layers.js';
import { layerUsesOf } from '../../content/mapping/layer-uses.js';
import { compareVersions, NO_VERSION, parseVersion, type Version } from '../../content/version.js';
import { compareVersionTexts } from '../../content/version-text.js';
import { Problem } from '../../contract/problems.js';
import type { EditedLines, EditedValues } from '../contents/edited-lines.js';
import { contentUnknown, keptLineUnknown, revisionUnknown } from '../contents/unknown-content.js';
import { type ContentRecord, findContent } from '../store/contents/contents.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import { findLiveAt } from '../store/contents/publications.js';
import { findRevision, listRevisionSegments, type Revision } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { readLayers } from '../store/layers/read-layers.js';
import { findSegmentRevisionAt } from '../store/segments/segment-revisions.js';
import { findSegment } from '../store/segments/segments.js';
import { toIso } from '../to-iso.js';
import type { CandidateLineInput, CandidateState, SegmentInput } from './candidate.js';
import { findSavedSegments } from './find-saved-segments.js';
import type { Moment } from './moment.js';
import type { ReleaseView } from './release-view.js';

/** Edits that are not saved; a field left out stays as it is. Texts are UTF-8, and not validated. */
export interface UnsavedEdit extends Pick<EditedValues, 'mapping'> {
  readonly lines?: EditedLines<Uint8Array> | undefined;
}

export interface CandidateRequest {
  readonly environment: string;
  readonly id: string;
  /** null: what an edit would build on (the newest), and without an edit the live one. */
  readonly revision: number | 'newest' | null;
  readonly edit: UnsavedEdit | null;
  /** What is tried out as if it were live; null: no release is. */
  readonly release: ReleaseView | null;
  /**
   * A moment in the past: where no revision is named it is the one that was live then, and saved segments and layers are as they
   * were then. Null: the present.
   */
  readonly past: Moment | null;
}

export interface LoadedCandidate extends CandidateState {
  /** In the spelling it was created with. */
  readonly id: string;
  /** What it is or builds on; null: a content that is not there yet. */
  readonly revision: number | null;
  /** The live revision, or null. */
  readonly live: number | null;
  /** The saved segments that its mapping uses, as far as they are there. */
  readonly segments: readonly LoadedSegment[];
}

export interface LoadedSegment extends SegmentInput {
  /** Number of the revision that holds the condition. */
  readonly revision: number;
}

/**
 * @param wanted `all` lines with their texts, or only the one for a version: texts may be large
 */
export async function loadCandidate(
  db: Db,
  request: CandidateRequest,
  wanted: Version | 'all',
): Promise<LoadedCandidate | Problem> {
  const { environment, edit } = request;
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const found = await findContent(db, environment, request.id);
  const { past, release } = request;
  const brought = found === null ? undefined : release?.revisions.get(found.idLower);
  // What is deleted now may have been delivered then, and a release may bring it back.
  const isShown = past !== null || typeof brought === 'number';
  const content = found?.deletedAtMs === null || isShown ? found : null;
  const base = await readBase(db, request, content);
  if (base instanceof Problem) return base;
  const lines = await readLines(db, base, edit?.lines ?? noEdit, wanted, content?.id ?? request.id);
  if (lines instanceof Problem) return lines;
  const mappingEdited = edit?.mapping !== undefined;
  const savedMapping = base?.mapping ?? null;
  const mapping =
    edit?.mapping ??
    (mappingEdited || savedMapping === null ? null : await readText(db, savedMapping));
  const names =
    mappingEdited || base === null
      ? findSavedSegments(mapping ?? noBytes).map(([name]) => name)
      : await listRevisionSegments(db, environment, content?.idLower ?? '', base.number);
  const id = content?.id ?? request.id;
  const layers = await readLayersOf(db, request, mapping);
  if (layers instanceof Problem) return layers;
  const segments = await readSegments(db, request, names);
  if (segments instanceof Problem) return segments;
  return {
    id,
    revision: base?.number ?? null,
    live: content?.live ?? null,
    candidate: { id, lines, mapping, mappingEdited },
    segments,
    layers,
  };
}

const noBytes = new Uint8Array();

/** The revision that is tried out or edited; null for a new content. */
async function readBase(
  db: Db,
  { environment, id, revision, edit, past, release }: CandidateRequest,
  content: ContentRecord | null,
): Promise<Revision | null | Problem> {
  if (content === null) {
    // Like a PUT: a text makes a content that is not there.
    if (edit?.lines === undefined || typeof revision === 'number') {
      return contentUnknown(environment, id);
    }
    return null;
  }
  const brought = release?.revisions.get(content.idLower);
  if (revision === null && past !== null && brought === undefined) {
    return revisionThen(db, content, past.atMs);
  }
  if (release !== null && brought === null) {
    const detail = `Release ${release.release} deletes "${content.id}".`;
    return new Problem('content_not_found', detail);
  }
  const wanted = revision ?? brought ?? (edit === null ? content.live : 'newest');
  if (wanted === null) return contentUnknown(environment, id);
  const number = wanted === 'newest' ? content.newest : wanted;
  const found = await findRevision(db, environment, content.idLower, number);
  if (found !== null) return found;
  return past !== null && revision === null
    ? revisionPruned(content, number, past.atMs)
    : revisionUnknown(content.id, number);
}

/** The revision that was live at a time in the past. */
async function revisionThen(
  db: Db,
  content: ContentRecord,
  atMs: number,
): Promise<Revision | Problem> {
  const { environment, idLower, id } = content;
  const then = await findLiveAt(db, content, atMs);
  const time = toIso(atMs);
  if (!then.known) {
    const from = then.fromMs === null ? '' : ` The record begins at ${toIso(then.fromMs)}.`;
    const detail = `It is not known what was live of "${id}" at ${time}.${from}`;
    return new Problem('history_not_kept', detail);
  }
  if (then.revision === null) {
    return new Problem('content_not_found', `Nothing of "${id}" was live at ${time}.`);
  }
  const found = await findRevision(db, environment, idLower, then.revision);
  return found ?? revisionPruned(content, then.revision, atMs);
}

function revisionPruned({ id }: ContentRecord, revision: number, atMs: number): Problem {
  const detail = `Revision ${revision} of "${id}" was live at ${toIso(atMs)}, or delivered by a ramp, and is no longer kept.`;
  return new Problem('history_not_kept', detail);
}

/** Layers and the holdout, as they are or were at the moment. */
async function readLayersOf(
  db: Db,
  { environment, past, revision }: CandidateRequest,
  mapping: Uint8Array | null,
): Promise<Layers | Problem> {
  if (past === null) return readLayers(db, environment);
  const then = await past.layers(db);
  if (then !== null) return then;
  // A revision that is named may be tried out at any time.
  if (revision !== null) return readLayers(db, environment);
  if (mapping === null || layerUsesOf(deliveredJson(mapping)).length === 0) return noLayers;
  const detail = `The layers and the holdout at ${toIso(past.atMs)} are not kept.`;
  return new Problem('history_not_kept', detail);
}

const noEdit: EditedLines<Uint8Array> = { areAll: false, texts: new Map() };

async function readLines(
  db: Db,
  base: Revision | null,
  { areAll, texts }: EditedLines<Uint8Array>,
  wanted: Version | 'all',
  id: string,
): Promise<CandidateLineInput[] | Problem> {
  const saved = new Map((base?.lines ?? []).map((line) => [line.version, line]));
  const versions = areAll ? [...texts.keys()] : [...new Set([...saved.keys(), ...texts.keys()])];
  const chosen = wanted === 'all' ? null : lineFor(wanted, versions);
  const lines: CandidateLineInput[] = [];
  for (const version of versions) {
    const edited = texts.get(version) ?? null;
    const line = saved.get(version);
    if (edited !== null) {
      lines.push({ version, text: edited, saved: null });
    } else if (line === undefined) {
      return keptLineUnknown(id, version);
    } else {
      const { textDigest, jsonDigest, jsonHash } = line;
      const isNeeded = chosen === null || chosen === version;
      const text = isNeeded ? await readText(db, textDigest) : noBytes;
      lines.push({ version, text, saved: { digest: jsonDigest, jsonHash } });
    }
  }
  return lines;
}

/** The highest line that is not above the version; '' when every one is. */
function lineFor(version: Version, lines: readonly string[]): string {
  const below = (text: string): boolean =>
    compareVersions(parseVersion(text) ?? NO_VERSION, version) <= 0;
  return lines.toSorted(compareVersionTexts).findLast(below) ?? '';
}

async function readSegments(
  db: Db,
  { environment, past, revision, release }: CandidateRequest,
  names: readonly string[],
): Promise<LoadedSegment[] | Problem> {
  const segments: LoadedSegment[] = [];
  for (const name of names) {
    const brought = release?.segments.get(name);
    if (brought !== undefined) {
      segments.push(brought);
      continue;
    }
    const then =
      past === null ? null : await findSegmentRevisionAt(db, environment, name, past.atMs);
    // A revision that is named may be tried out at a time when its segments were not there yet.
    if (then === null && (past === null || revision !== null)) {
      const segment = await findSegment(db, environment, name);
      if (segment === null) continue;
      segments.push({ name, condition: segment.condition, revision: segment.revision });
      continue;
    }
    if (then === null) {
      const time = toIso(past?.atMs ?? 0);
      const detail = `The condition that the segment "${name}" had at ${time} is not kept.`;
      return new Problem('history_not_kept', detail);
    }
    segments.push({ name, condition: then.condition, revision: then.number });
  }
  return segments;
}
