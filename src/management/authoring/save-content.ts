/** Saves an edit of a content: a new item, a new text for a line, another mapping, other facts about it. */
import { contentKey } from '../../content/content-id.js';
import { digestOf } from '../../content/hash.js';
import { linesMax } from '../limits.js';
import {
  type ContentAbout,
  type ContentRecord,
  findContent,
  insertContent,
  updateContent,
} from '../store/contents.js';
import { findRevision, type Revision, type RevisionLine } from '../store/revisions.js';
import type { Write } from '../store/write.js';
import { type ContentState, checkState, commitState } from './content-state.js';
import { editEnvironment } from './edit-environment.js';
import { type InputFault, Refusal } from './refusal.js';
import type { TakenText } from './text.js';
import { compareVersionTexts } from './version-text.js';

/** What a PUT says; a field left out stays as it is. */
export interface ContentEdit {
  readonly text?: TakenText | undefined;
  /** Line that the text goes to, canonical. */
  readonly appVersion: string;
  /** JSON text; null removes the mapping. */
  readonly mapping?: Uint8Array | null | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** JSON text; null removes the schema. */
  readonly schema?: string | null | undefined;
  readonly note: string;
  readonly publish: boolean;
  /** The revision it was made from; 0: the content must be new. */
  readonly ifRevision?: number | undefined;
}

export interface SavedContent {
  readonly created: boolean;
  /** In the spelling it was created with. */
  readonly id: string;
  readonly revision: number;
  /** The live revision, or null. */
  readonly live: number | null;
  /** Hash of the highest line. */
  readonly hash: string;
  readonly warnings: readonly InputFault[];
}

export async function saveContent(
  write: Write,
  environment: string,
  id: string,
  edit: ContentEdit,
): Promise<SavedContent | Refusal> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Refusal) return editable;
  const known = await findContent(write.db, environment, id);
  // A deleted content is not there: what is saved under its id starts anew, on top of its history.
  const present = known?.deletedAtMs === null ? known : null;
  const base = present === null ? null : await newestOf(write, present);
  const conflict = conflictOf(edit.ifRevision, base);
  if (conflict !== null) return conflict;
  if (base === null && edit.text === undefined) {
    return new Refusal('invalid_body', 'A new content needs a text.', [
      { path: 'text', message: 'It is required for a content that is not there yet.' },
    ]);
  }
  const state = editedState(base, edit);
  if (state.lines.length > linesMax) {
    return new Refusal('invalid_content', `A content has at most ${linesMax} lines.`);
  }
  const checked = await checkState(write.db, environment, state);
  if (checked instanceof Refusal) return checked;

  const about = editedAbout(present, edit);
  const shownId = present?.id ?? id;
  if (known === null) await insertContent(write, environment, id, about);
  else if (present === null || !sameAbout(present, about)) {
    await updateContent(write, environment, shownId, about);
  }
  const idLower = contentKey(id);
  const committed = await commitState(
    write,
    { environment, idLower, live: present?.live ?? null },
    known?.newest ?? 0,
    base,
    { ...state, segments: checked.segments, note: edit.note },
    edit.publish,
  );
  const hash = hashOf(state);
  await write.audit('content.put', environment, shownId, { ...committed, hash, note: edit.note });
  return { created: present === null, id: shownId, ...committed, hash, warnings: checked.warnings };
}

/** Hash of the highest line. */
export function hashOf(state: { readonly lines: readonly RevisionLine[] }): string {
  return state.lines.at(-1)?.hash ?? '';
}

async function newestOf(write: Write, content: ContentRecord): Promise<Revision | null> {
  return findRevision(write.db, content.environment, content.idLower, content.newest);
}

/** Tells who saved what in between, so that the second of two editors can look before saving again. */
function conflictOf(ifRevision: number | undefined, base: Revision | null): Refusal | null {
  if (ifRevision === undefined || ifRevision === (base?.number ?? 0)) return null;
  if (base === null) {
    return new Refusal('revision_conflict', 'The content is not there (any more).');
  }
  const at = new Date(base.createdAtMs).toISOString();
  return new Refusal(
    'revision_conflict',
    `The newest revision is ${base.number}, saved by ${base.author} at ${at}; the edit was made from ${ifRevision}.`,
  );
}

function editedState(base: Revision | null, edit: ContentEdit): ContentState {
  const texts = new Map<string, Uint8Array>();
  let lines = base?.lines ?? [];
  if (edit.text !== undefined) {
    const line: RevisionLine = { version: edit.appVersion, ...edit.text.line };
    texts.set(line.textDigest, edit.text.bytes);
    lines = [...lines.filter((other) => other.version !== line.version), line];
    lines = lines.toSorted((a, b) => compareVersionTexts(a.version, b.version));
  }
  let mapping = base?.mapping ?? null;
  if (edit.mapping !== undefined) {
    mapping = edit.mapping === null ? null : digestOf(edit.mapping);
    if (mapping !== null && edit.mapping !== null) texts.set(mapping, edit.mapping);
  }
  return { lines, mapping, texts };
}

function editedAbout(present: ContentRecord | null, edit: ContentEdit): ContentAbout {
  return {
    description: edit.description ?? present?.description ?? '',
    tags: edit.tags ?? present?.tags ?? [],
    schema: edit.schema === undefined ? (present?.schema ?? null) : edit.schema,
  };
}

function sameAbout(a: ContentAbout, b: ContentAbout): boolean {
  return (
    a.description === b.description &&
    a.schema === b.schema &&
    JSON.stringify(a.tags) === JSON.stringify(b.tags)
  );
}
