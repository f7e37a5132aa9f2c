/** Makes another revision of a content the live one: publish a saved one, roll back to an old one, drop a line. */
import { type ContentRecord, deleteContent, findContent, setLive } from '../store/contents.js';
import { findRevision, type Revision } from '../store/revisions.js';
import type { Write } from '../store/write.js';
import { type ContentState, checkState, commitState, stateOf } from './content-state.js';
import { editEnvironment } from './edit-environment.js';
import { Refusal } from './refusal.js';
import { hashOf, type SavedContent } from './save-content.js';

export type PublishedContent = Omit<SavedContent, 'created'>;

/**
 * Delivers a saved revision as it is.
 * @param number null: the newest
 */
export async function publishContent(
  write: Write,
  environment: string,
  id: string,
  number: number | null,
): Promise<PublishedContent | Refusal> {
  const content = await editContent(write, environment, id);
  if (content instanceof Refusal) return content;
  const revision = await revisionOf(write, content, number ?? content.newest);
  if (revision instanceof Refusal) return revision;
  if (content.live !== null && revision.number < content.live) {
    return new Refusal(
      'revision_older',
      `Revision ${revision.number} is older than the live one (${content.live}): roll back to it, which gives it a new number.`,
    );
  }
  const checked = await checkState(write.db, environment, stateOf(revision));
  if (checked instanceof Refusal) return checked;
  const committed = { revision: revision.number, live: revision.number };
  if (content.live !== revision.number) {
    await setLive(write, environment, content.idLower, revision.number);
    await write.audit('content.publish', environment, content.id, committed);
  }
  return { id: content.id, ...committed, hash: hashOf(revision), warnings: checked.warnings };
}

/** Delivers the state of an old revision again, under a new number. Brings a deleted content back. */
export async function rollBackContent(
  write: Write,
  environment: string,
  id: string,
  number: number,
): Promise<PublishedContent | Refusal> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Refusal) return editable;
  const content = await findContent(write.db, environment, id);
  if (content === null) return contentUnknown(environment, id);
  const revision = await revisionOf(write, content, number);
  if (revision instanceof Refusal) return revision;
  const note = `Rolled back to revision ${number}.`;
  return commitEdit(write, content, stateOf(revision), note, true, 'content.rollback');
}

/** Removes a line of an app version; the callers it served get the next lower one. */
export async function removeLine(
  write: Write,
  environment: string,
  id: string,
  version: string,
  publish: boolean,
): Promise<PublishedContent | Refusal> {
  const content = await editContent(write, environment, id);
  if (content instanceof Refusal) return content;
  const base = await revisionOf(write, content, content.newest);
  if (base instanceof Refusal) return base;
  const lines = base.lines.filter((line) => line.version !== version);
  if (lines.length === base.lines.length) {
    return new Refusal('line_not_found', `"${content.id}" has no line ${version}.`);
  }
  if (lines.length === 0) {
    return new Refusal('last_line', 'It is the only line: delete the content instead.');
  }
  const state = { ...stateOf(base), lines };
  const note = `Removed the line ${version}.`;
  return commitEdit(write, content, state, note, publish, 'content.remove-line');
}

/** Takes a content out of delivery; its history stays. */
export async function removeContent(
  write: Write,
  environment: string,
  id: string,
): Promise<{ readonly id: string } | Refusal> {
  const content = await editContent(write, environment, id);
  if (content instanceof Refusal) return content;
  await deleteContent(write, environment, content.idLower);
  await write.audit('content.delete', environment, content.id, { live: content.live });
  return { id: content.id };
}

export function contentUnknown(environment: string, id: string): Refusal {
  return new Refusal(
    'content_not_found',
    `The environment "${environment}" has no content "${id}".`,
  );
}

export function revisionUnknown(id: string, number: number): Refusal {
  return new Refusal('revision_not_found', `"${id}" has no revision ${number}.`);
}

async function editContent(
  write: Write,
  environment: string,
  id: string,
): Promise<ContentRecord | Refusal> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Refusal) return editable;
  const content = await findContent(write.db, environment, id);
  return content?.deletedAtMs === null ? content : contentUnknown(environment, id);
}

async function revisionOf(
  write: Write,
  content: ContentRecord,
  number: number,
): Promise<Revision | Refusal> {
  const revision = await findRevision(write.db, content.environment, content.idLower, number);
  return revision ?? revisionUnknown(content.id, number);
}

async function commitEdit(
  write: Write,
  content: ContentRecord,
  state: ContentState,
  note: string,
  publish: boolean,
  action: string,
): Promise<PublishedContent | Refusal> {
  const { environment, id } = content;
  const checked = await checkState(write.db, environment, state);
  if (checked instanceof Refusal) return checked;
  const full = { ...state, segments: checked.segments, note };
  const committed = await commitState(write, content, content.newest, null, full, publish);
  await write.audit(action, environment, id, { ...committed, note });
  return { id, ...committed, hash: hashOf(state), warnings: checked.warnings };
}
