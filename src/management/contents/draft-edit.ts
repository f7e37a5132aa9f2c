/** What an edit makes of a content: its next state and what is said about it, before anything is checked or written. */
import { digestOf } from '../../content/hash.js';
import { compareVersionTexts } from '../../content/version-text.js';
import { linesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { stateBytesMax } from '../limits/bodies.js';
import { noGuards, parseGuards } from '../store/contents/content-guards.js';
import { type ContentAbout, type ContentRecord, findContent } from '../store/contents/contents.js';
import { findRevision, type LineDraft, type Revision } from '../store/contents/revisions.js';
import type { Db } from '../store/dialect.js';
import { type ContentState, changedAbout, sameFlags } from './content-state.js';
import type { EditedLines, EditedValues } from './edited-lines.js';
import { conflictOf } from './revision-conflict.js';
import type { TakenText } from './text.js';
import { keptLineUnknown } from './unknown-content.js';
import type { CheckableState } from './validate/check-state.js';

/** What a PUT says; a field left out stays as it is. */
export interface ContentEdit extends EditedValues {
  readonly lines?: EditedLines<TakenText> | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** JSON array. */
  readonly guards?: string | undefined;
  readonly note: string;
  readonly publish: boolean;
  /** The revision it was made from; 0: the content must be new. */
  readonly ifRevision?: number | undefined;
}

/** An edit on top of what is there. */
export interface EditDraft {
  /** Deleted or not. */
  readonly known: ContentRecord | null;
  readonly present: ContentRecord | null;
  /** The newest revision of a content that is there. */
  readonly base: Revision | null;
  readonly about: ContentAbout;
  readonly state: CheckableState;
}

/** Rejects an edit that was made from another revision, or that leaves a content without a text. */
export async function draftEdit(
  db: Db,
  environment: string,
  id: string,
  edit: ContentEdit,
): Promise<EditDraft | Problem> {
  const known = await findContent(db, environment, id);
  // What is saved under the id of a deleted content is a new content, on top of its history.
  const present = known?.deletedAtMs === null ? known : null;
  const base =
    present === null ? null : await findRevision(db, environment, present.idLower, present.newest);
  const conflict = await conflictOf(db, edit.ifRevision, present, base);
  if (conflict !== null) return conflict;
  if (base === null && edit.lines === undefined) {
    return new Problem('invalid_body', 'A new content needs a text.', [
      { path: 'text', message: 'It is required for a content that is not there yet.' },
    ]);
  }
  const edited = editedState(base, edit, id);
  if (edited instanceof Problem) return edited;
  if (edited.lines.length > linesMax) {
    return new Problem('invalid_content', `A content has at most ${linesMax} lines.`);
  }
  const stateBytes = edited.lines.reduce((sum, { textBytes }) => sum + textBytes, 0);
  if (stateBytes > stateBytesMax) {
    const detail = `The lines of a content have at most ${stateBytesMax} bytes together; these have ${stateBytes}.`;
    return new Problem('invalid_content', detail);
  }
  const about = editedAbout(present, edit);
  const liveMapping = await liveMappingOf(db, present, base);
  const { schema } = about;
  const guards = parseGuards(about.guards);
  return { known, present, base, about, state: { ...edited, schema, guards, liveMapping } };
}

/**
 * Digest of the mapping that is delivered now; null: none is.
 * @param read a revision of the content that was read already
 */
export async function liveMappingOf(
  db: Db,
  content: ContentRecord | null,
  read: Revision | null,
): Promise<string | null> {
  if (content === null || content.live === null || content.deletedAtMs !== null) return null;
  if (read?.number === content.live) return read.mapping;
  const { environment, idLower, live } = content;
  return (await findRevision(db, environment, idLower, live))?.mapping ?? null;
}

/** App versions of the lines that an edit removes, ascending. */
export function removedLines({ base, state }: EditDraft): string[] {
  const kept = new Set(state.lines.map(({ version }) => version));
  return (base?.lines ?? []).map(({ version }) => version).filter((old) => !kept.has(old));
}

/** What an edit changes, for the audit. */
export function changedParts(draft: EditDraft): string[] {
  const { present, base, about, state } = draft;
  const before = new Map((base?.lines ?? []).map((line) => [line.version, line.textDigest]));
  const parts = state.lines
    .filter((line) => before.get(line.version) !== line.textDigest)
    .map((line) => `line ${line.version}`);
  parts.push(...removedLines(draft).map((version) => `line ${version} removed`));
  if ((base?.mapping ?? null) !== state.mapping) parts.push('mapping');
  if (!sameFlags(base?.flags ?? [], state.flags)) parts.push('flags');
  parts.push(...changedAbout(present ?? noAbout, about));
  return parts;
}

function editedState(base: Revision | null, edit: ContentEdit, id: string): ContentState | Problem {
  const texts = new Map<string, Uint8Array>();
  let lines: readonly LineDraft[] = base?.lines ?? [];
  if (edit.lines !== undefined) {
    const edited = editedLines(lines, edit.lines, id);
    if (edited instanceof Problem) return edited;
    lines = edited;
    for (const text of edit.lines.texts.values()) {
      if (text !== null) texts.set(text.line.textDigest, text.bytes);
    }
  }
  let mapping = base?.mapping ?? null;
  if (edit.mapping !== undefined) {
    mapping = edit.mapping === null ? null : digestOf(edit.mapping);
    if (mapping !== null && edit.mapping !== null) texts.set(mapping, edit.mapping);
  }
  return { lines, mapping, flags: edit.flags ?? base?.flags ?? [], texts };
}

/** Ascending by version. */
function editedLines(
  base: readonly LineDraft[],
  { areAll, texts }: EditedLines<TakenText>,
  id: string,
): LineDraft[] | Problem {
  const lines = areAll ? [] : base.filter(({ version }) => !texts.has(version));
  for (const [version, text] of texts) {
    const line = text === null ? base.find((kept) => kept.version === version) : text.line;
    if (line === undefined) return keptLineUnknown(id, version);
    lines.push({ ...line, version });
  }
  return lines.sort((a, b) => compareVersionTexts(a.version, b.version));
}

function editedAbout(present: ContentRecord | null, edit: ContentEdit): ContentAbout {
  const before = present ?? noAbout;
  return {
    description: edit.description ?? before.description,
    tags: edit.tags ?? before.tags,
    schema: edit.schema === undefined ? before.schema : edit.schema,
    guards: edit.guards ?? before.guards,
  };
}

const noAbout: ContentAbout = { description: '', tags: [], schema: null, guards: noGuards };
