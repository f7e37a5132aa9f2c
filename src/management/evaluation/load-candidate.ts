/** Loads a state of a content to try out from the store: a saved revision, with or without edits on top of it. */
import { compareVersions, NO_VERSION, parseVersion, type Version } from '../../content/version.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { contentUnknown, revisionUnknown } from '../authoring/publish-content.js';
import { Refusal } from '../authoring/refusal.js';
import { compareVersionTexts } from '../authoring/version-text.js';
import { type ContentRecord, findContent } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import { findLiveAt } from '../store/publications.js';
import { findRevision, listRevisionSegments, type Revision } from '../store/revisions.js';
import { findSegmentRevisionAt } from '../store/segment-revisions.js';
import { findSegment } from '../store/segments.js';
import { readText } from '../store/texts.js';
import type { CandidateInput, CandidateLineInput, SegmentInput } from './candidate.js';
import { savedSegmentsOf } from './saved-segments-of.js';

/** Edits that are not saved; a field left out stays as it is. */
export interface UnsavedEdit {
  /** UTF-8. */
  readonly text?: Uint8Array | undefined;
  /** Line that the text goes to, canonical. */
  readonly appVersion: string;
  /** All lines of the edit, instead of `text`; one without a text keeps that of the revision. Those left out are removed. */
  readonly lines?: readonly EditedLine[] | undefined;
  /** JSON text; null: without a mapping. */
  readonly mapping?: Uint8Array | null | undefined;
}

export interface EditedLine {
  /** Canonical. */
  readonly appVersion: string;
  /** UTF-8. */
  readonly text: Uint8Array | null;
}

export interface CandidateWish {
  readonly environment: string;
  readonly id: string;
  /** null: what an edit would build on (the newest), and without an edit the live one. */
  readonly revision: number | 'newest' | null;
  readonly edit: UnsavedEdit | null;
  /**
   * A time in the past, milliseconds since the epoch: where no revision is named it is the one that was live then, and
   * the saved segments are as they were then. Null: the present.
   */
  readonly asOfMs: number | null;
}

export interface LoadedCandidate {
  /** In the spelling it was created with. */
  readonly id: string;
  /** What it is or builds on; null: a content that is not there yet. */
  readonly revision: number | null;
  /** The live revision, or null. */
  readonly live: number | null;
  readonly candidate: CandidateInput;
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
  db: Reading,
  wish: CandidateWish,
  wanted: Version | 'all',
): Promise<LoadedCandidate | Refusal> {
  const { environment, edit } = wish;
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const found = await findContent(db, environment, wish.id);
  const { asOfMs } = wish;
  // What is deleted now may have been delivered then.
  const content = found?.deletedAtMs === null || asOfMs !== null ? found : null;
  const base = await readBase(db, wish, content);
  if (base instanceof Refusal) return base;
  const lines =
    edit?.lines === undefined
      ? await readLines(db, base, edit, wanted)
      : await readAllLines(db, base, edit.lines, content?.id ?? wish.id);
  if (lines instanceof Refusal) return lines;
  const mappingEdited = edit?.mapping !== undefined;
  const mapping = mappingEdited ? (edit.mapping ?? null) : await readMapping(db, base);
  const names =
    mappingEdited || base === null
      ? [...savedSegmentsOf(mapping ?? noBytes).keys()]
      : await listRevisionSegments(db, environment, content?.idLower ?? '', base.number);
  const id = content?.id ?? wish.id;
  const segments = await readSegments(db, wish, names);
  if (segments instanceof Refusal) return segments;
  return {
    id,
    revision: base?.number ?? null,
    live: content?.live ?? null,
    candidate: { id, lines, mapping, mappingEdited },
    segments,
  };
}

const noBytes = new Uint8Array();

/** The revision that is tried out or edited; null for a new content. */
async function readBase(
  db: Reading,
  { environment, id, revision, edit, asOfMs }: CandidateWish,
  content: ContentRecord | null,
): Promise<Revision | null | Refusal> {
  if (content === null) {
    // Like a PUT: a text makes a content that is not there.
    const hasText = edit?.text !== undefined || edit?.lines !== undefined;
    if (!hasText || typeof revision === 'number') {
      return contentUnknown(environment, id);
    }
    return null;
  }
  if (revision === null && asOfMs !== null) return revisionThen(db, content, asOfMs);
  const wished = revision ?? (edit === null ? content.live : 'newest');
  if (wished === null) return contentUnknown(environment, id);
  const number = wished === 'newest' ? content.newest : wished;
  const found = await findRevision(db, environment, content.idLower, number);
  return found ?? revisionUnknown(content.id, number);
}

/** The revision that was live at a time in the past. */
async function revisionThen(
  db: Reading,
  content: ContentRecord,
  atMs: number,
): Promise<Revision | Refusal> {
  const { environment, idLower, id } = content;
  const then = await findLiveAt(db, content, atMs);
  const time = new Date(atMs).toISOString();
  if (!then.known) {
    const from =
      then.fromMs === null ? '' : ` The record begins at ${new Date(then.fromMs).toISOString()}.`;
    const detail = `It is not known what was live of "${id}" at ${time}.${from}`;
    return new Refusal('history_not_kept', detail);
  }
  if (then.revision === null) {
    return new Refusal('content_not_found', `Nothing of "${id}" was live at ${time}.`);
  }
  const found = await findRevision(db, environment, idLower, then.revision);
  if (found !== null) return found;
  const detail = `Revision ${then.revision} of "${id}" was live at ${time}, and is no longer kept.`;
  return new Refusal('history_not_kept', detail);
}

async function readLines(
  db: Reading,
  base: Revision | null,
  edit: UnsavedEdit | null,
  wanted: Version | 'all',
): Promise<CandidateLineInput[]> {
  const edited = edit?.text === undefined ? null : edit.appVersion;
  const saved = (base?.lines ?? []).filter((line) => line.version !== edited);
  const versions = saved.map((line) => line.version);
  const chosen = wanted === 'all' ? null : lineFor(wanted, versions, edited);
  const lines: CandidateLineInput[] = [];
  for (const { version, textDigest, jsonDigest, jsonHash } of saved) {
    const needed = chosen === null || chosen === version;
    const text = needed ? await readText(db, textDigest) : noBytes;
    lines.push({ version, text, saved: { digest: jsonDigest, jsonHash } });
  }
  if (edit?.text !== undefined) {
    lines.push({ version: edit.appVersion, text: edit.text, saved: null });
  }
  return lines;
}

async function readAllLines(
  db: Reading,
  base: Revision | null,
  edited: readonly EditedLine[],
  id: string,
): Promise<CandidateLineInput[] | Refusal> {
  const saved = new Map((base?.lines ?? []).map((line) => [line.version, line]));
  const lines: CandidateLineInput[] = [];
  for (const { appVersion, text } of edited) {
    if (text !== null) {
      lines.push({ version: appVersion, text, saved: null });
      continue;
    }
    const line = saved.get(appVersion);
    if (line === undefined) {
      const detail = `"${id}" has no line ${appVersion} to keep the text of: send its text.`;
      return new Refusal('line_not_found', detail);
    }
    const { textDigest, jsonDigest, jsonHash } = line;
    const kept = { digest: jsonDigest, jsonHash };
    lines.push({ version: appVersion, text: await readText(db, textDigest), saved: kept });
  }
  return lines;
}

/** The highest line that is not above the version; '' when every one is. */
function lineFor(version: Version, saved: readonly string[], edited: string | null): string {
  const all = [...saved, ...(edited === null ? [] : [edited])].toSorted(compareVersionTexts);
  const below = (text: string): boolean =>
    compareVersions(parseVersion(text) ?? NO_VERSION, version) <= 0;
  return all.findLast(below) ?? '';
}

async function readMapping(db: Reading, base: Revision | null): Promise<Uint8Array | null> {
  return base === null || base.mapping === null ? null : readText(db, base.mapping);
}

async function readSegments(
  db: Reading,
  { environment, asOfMs, revision }: CandidateWish,
  names: readonly string[],
): Promise<LoadedSegment[] | Refusal> {
  const segments: LoadedSegment[] = [];
  for (const name of names) {
    const then =
      asOfMs === null ? null : await findSegmentRevisionAt(db, environment, name, asOfMs);
    // A revision that is named may be tried out at a time when its segments were not there yet.
    if (then === null && (asOfMs === null || revision !== null)) {
      const segment = await findSegment(db, environment, name);
      if (segment === null) continue;
      segments.push({ name, condition: segment.condition, revision: segment.revision });
      continue;
    }
    if (then === null) {
      const time = new Date(asOfMs ?? 0).toISOString();
      const detail = `The condition that the segment "${name}" had at ${time} is not kept.`;
      return new Refusal('history_not_kept', detail);
    }
    segments.push({ name, condition: then.condition, revision: then.number });
  }
  return segments;
}
