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
import { type ConfirmRequest, confirmRequestOf } from '../guards/confirmation.js';
import { commit } from '../http/commit.js';
import { type Call, type Handler, handle, handleChange, WithStatus } from '../http/handlers.js';
import { readContentEdit } from './read-edit.js';
import {
  applyEdit,
  publishEdit,
  type RevisionEdit,
  removeContent,
  removeLineEdit,
  restoreEdit,
  rollBackEdit,
  stateToCheck,
} from './revision-edits.js';
import * as authoring from './save-content.js';
import { checkEditAhead } from './validate/check-edit.js';
import { withContentWarnings } from './warnings/attribute-warnings.js';

export const contentEditHandlers: readonly Handler[] = [
  handle(saveContent, async ({ params: { env, id }, query, body, context, request }) => {
    const { store, checks, limits, work } = context;
    const edit = await readContentEdit(body, request.rawBody, limits, work);
    if (edit instanceof Problem) return edit;
    // The copies of a large text are not needed any longer, and the rest may take a while.
    request.rawBody = null;
    await checkEditAhead(store, checks, env, id, edit);
    const confirm = confirmRequestOf(body, query);
    if (body.dryRun) {
      const value = await store.read((db) =>
        authoring.previewSave(db, checks, env, id, edit, confirm),
      );
      if (value instanceof Problem) return value;
      const { created: _, ...would } = await withContentWarnings(context, request, env, value);
      return { ...would, sequence: await store.sequence(), dryRun: true };
    }
    const { value, sequence } = await commit(context, request, (write) =>
      authoring.saveContent(write, checks, env, id, edit, confirm),
    );
    if (value instanceof Problem) return value;
    const { created, ...about } = await withContentWarnings(context, request, env, value);
    const saved = { ...about, sequence };
    return created ? new WithStatus(201, saved) : saved;
  }),

  handle(deleteLine, (call) => {
    const { env, id, appVersion } = call.params;
    const { publish, ifRevision } = call.query;
    const options = { publish: publish === 'true', ifRevision };
    const confirm = confirmRequestOf(call.query, call.query);
    return commitEdit(call, removeLineEdit(env, id, appVersion, options), confirm);
  }),

  handle(publishRevision, (call) => {
    const { env, id } = call.params;
    const confirm = confirmRequestOf(call.body, call.query);
    return commitEdit(call, publishEdit(env, id, call.body.revision ?? null), confirm);
  }),

  handle(rollBack, (call) => {
    const { env, id } = call.params;
    const { revision, note } = call.body;
    const confirm = confirmRequestOf(call.body, call.query);
    return commitEdit(call, rollBackEdit(env, id, revision, note), confirm);
  }),

  handleChange(deleteContent, ({ environment, params: { id } }, write) =>
    removeContent(write, environment.id, id),
  ),

  handle(restoreContent, (call) => {
    const { env, id } = call.params;
    return commitEdit(call, restoreEdit(env, id), null);
  }),
];

async function commitEdit(
  {
    params: { env, id },
    context,
    request,
  }: Pick<Call<typeof restoreContent>, 'params' | 'context' | 'request'>,
  edit: RevisionEdit,
  confirm: ConfirmRequest | null,
): Promise<SavedContent | Problem> {
  const { store, checks } = context;
  await checks.ahead(store, (db) => stateToCheck(db, edit));
  await checks.findings.ahead(store, env, id, (db) => stateToCheck(db, edit));
  const { value, sequence } = await commit(context, request, (write) =>
    applyEdit(write, checks, env, edit, confirm),
  );
  if (value instanceof Problem) return value;
  return { ...(await withContentWarnings(context, request, env, value)), sequence };
}
