/** Takes contents out of delivery, and puts back what was delivered: the history stays throughout. */

import { Problem } from '../../contract/problems.js';
import { deleteContent, findContent, restoreContent } from '../store/contents/contents.js';
import { findHash, refreshHashes } from '../store/contents/state-hashes.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment } from '../store/edit-environment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { stateOf } from './content-state.js';
import {
  checkRevision,
  contentUnknown,
  editContent,
  findSavedState,
  type PublishedContent,
  revisionOf,
} from './publish-content.js';
import { type CheckableState, nothingChecked, type StateChecks } from './validate/check-state.js';

/** Takes a content out of delivery and listings. */
export async function removeContent(
  write: UnitOfWork,
  environment: string,
  id: string,
): Promise<{ readonly id: string } | Problem> {
  const content = await editContent(write, environment, id);
  if (content instanceof Problem) return content;
  const { newest, live } = content;
  await deleteContent(write, environment, content.idLower);
  await write.audit('content.delete', environment, content.id, {
    before: { revision: newest, live },
    after: null,
  });
  return { id: content.id };
}

/** What `bringBackContent` would deliver; null: nothing. */
export async function findDeletedState(
  db: Db,
  environment: string,
  id: string,
): Promise<CheckableState | null> {
  const content = await findContent(db, environment, id);
  if (content === null || content.liveBefore === null) return null;
  return findSavedState(db, environment, id, content.liveBefore);
}

/**
 * Brings a deleted content back as it was: the revision that was live is live again, under its own number, and drafts
 * are drafts. It is checked anew, since what it uses may have gone in the meantime.
 */
export async function bringBackContent(
  write: UnitOfWork,
  checks: StateChecks,
  environment: string,
  id: string,
): Promise<PublishedContent | Problem> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Problem) return editable;
  const content = await findContent(write.db, environment, id);
  if (content === null) return contentUnknown(environment, id);
  if (content.deletedAtMs === null) {
    return new Problem('not_deleted', `"${content.id}" is not deleted.`);
  }
  const { newest, liveBefore } = content;
  const revision = await revisionOf(write, content, liveBefore ?? newest);
  if (revision instanceof Problem) return revision;
  const checked =
    liveBefore === null
      ? nothingChecked
      : await checkRevision(write, checks, content, stateOf(revision));
  if (checked instanceof Problem) return checked;
  await restoreContent(write, content);
  // While it was deleted its segments could change unnoticed.
  for (const number of new Set([newest, revision.number])) {
    await refreshHashes(write, environment, content.idLower, number);
  }
  const restored = { revision: newest, live: liveBefore };
  const hash = await findHash(write.db, environment, content.idLower, revision.number);
  await write.audit('content.restore', environment, content.id, {
    before: null,
    after: { ...restored, hash },
  });
  const { warnings, uses } = checked;
  return { id: content.id, ...restored, hash, warnings, uses };
}
