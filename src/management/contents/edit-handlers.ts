/** Edits of a content: saved or tried out, published, rolled back, deleted, restored. */
import { saveContent } from '../../contract/operations/content-save.js';
import {
  deleteContent,
  deleteLine,
  publishRevision,
  restoreContent,
  rollBack,
} from '../../contract/operations/contents.js';
import { Problem } from '../../contract/problems.js';
import type { SavedContent } from '../../contract/schemas/saved.js';
import { commit } from '../http/commit.js';
import { type Call, type Handler, handle, WithStatus } from '../http/handlers.js';
import type { Db } from '../store/dialect.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { bringBackContent, findDeletedState, removeContent } from './delete-content.js';
import {
  findSavedState,
  findStateWithout,
  type PublishedContent,
  publishContent,
  removeLine,
  rollBackContent,
} from './publish-content.js';
import { readContentEdit } from './read-edit.js';
import * as authoring from './save-content.js';
import { checkEditAhead } from './validate/check-edit.js';
import type { CheckableState } from './validate/check-state.js';
import { withContentWarnings } from './warnings/attribute-warnings.js';

export const contentEditHandlers: readonly Handler[] = [
  handle(saveContent, async ({ params: { env, id }, body, context, request }) => {
    const { store, checks, limits, work } = context;
    const edit = await readContentEdit(body, request.rawBody, limits, work);
    if (edit instanceof Problem) return edit;
    // The copies of a large text are not needed any longer, and the rest may take a while.
    request.rawBody = null;
    await checkEditAhead(store, checks, env, id, edit);
    if (body.dryRun) {
      const value = await store.read((db) => authoring.previewSave(db, checks, env, id, edit));
      if (value instanceof Problem) return value;
      const { created: _, ...would } = await withContentWarnings(context, request, env, value);
      return { ...would, sequence: await store.sequence(), dryRun: true };
    }
    const { value, sequence } = await commit(context, request, (write) =>
      authoring.saveContent(write, checks, env, id, edit),
    );
    if (value instanceof Problem) return value;
    const { created, ...about } = await withContentWarnings(context, request, env, value);
    const saved = { ...about, sequence };
    return created ? new WithStatus(201, saved) : saved;
  }),

  handle(deleteLine, async (call) => {
    const { env, id, appVersion } = call.params;
    const { publish, ifRevision } = call.query;
    return commitEdit(
      call,
      (db) => findStateWithout(db, env, id, appVersion),
      (write) => {
        const options = { publish: publish === 'true', ifRevision };
        return removeLine(write, call.context.checks, env, id, appVersion, options);
      },
    );
  }),

  handle(publishRevision, async (call) => {
    const { env, id } = call.params;
    const { revision = null } = call.body;
    return commitEdit(
      call,
      (db) => findSavedState(db, env, id, revision),
      (write) => publishContent(write, call.context.checks, env, id, revision),
    );
  }),

  handle(rollBack, async (call) => {
    const { env, id } = call.params;
    const { revision } = call.body;
    return commitEdit(
      call,
      (db) => findSavedState(db, env, id, revision),
      (write) => rollBackContent(write, call.context.checks, env, id, revision),
    );
  }),

  handle(deleteContent, async ({ params: { env, id }, context, request }) => {
    const { value, sequence } = await commit(context, request, (write) =>
      removeContent(write, env, id),
    );
    return value instanceof Problem ? value : { id: value.id, sequence };
  }),

  handle(restoreContent, async (call) => {
    const { env, id } = call.params;
    return commitEdit(
      call,
      (db) => findDeletedState(db, env, id),
      (write) => bringBackContent(write, call.context.checks, env, id),
    );
  }),
];

/**
 * Commits an edit without a text of its own, and returns the content as it is then.
 * @param ahead the state that the edit will check, which is checked before its transaction
 */
async function commitEdit(
  call: Pick<Call<typeof restoreContent>, 'params' | 'context' | 'request'>,
  ahead: (db: Db) => Promise<CheckableState | null>,
  edit: (write: UnitOfWork) => Promise<PublishedContent | Problem>,
): Promise<SavedContent | Problem> {
  const { params, context, request } = call;
  await context.checks.ahead(context.store, ahead);
  const { value, sequence } = await commit(context, request, edit);
  if (value instanceof Problem) return value;
  const saved = await withContentWarnings(context, request, params.env, value);
  return { ...saved, sequence };
}
