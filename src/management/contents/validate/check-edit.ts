/**
 * Checks what an edit makes of a content. What players will get must match the content's schema; a draft need not, and
 * its mismatches are warnings. The schema itself belongs to no revision and applies at once, so a schema that the draft
 * breaks is accepted only if it suits what is live.
 */

import { Problem } from '../../../contract/problems.js';
import { findRevision } from '../../store/contents/revisions.js';
import type { Db } from '../../store/dialect.js';
import type { Store } from '../../store/store.js';
import { sameState, stateOf } from '../content-state.js';
import { type ContentEdit, draftEdit, type EditDraft } from '../draft-edit.js';
import {
  type CheckableState,
  type CheckedState,
  type StateChecks,
  Strictness,
} from './check-state.js';

/** How a state is checked: on a snapshot, or within a write. */
export type CheckOne = (
  state: CheckableState,
  strictness: Strictness,
) => Promise<CheckedState | Problem>;

/** Has the heavy part of an edit's checks done before its transaction. What is rejected here is rejected there again. */
export async function checkEditAhead(
  store: Store,
  checks: StateChecks,
  environment: string,
  id: string,
  edit: ContentEdit,
): Promise<void> {
  const find = async (db: Db): Promise<EditDraft | null> => {
    const draft = await draftEdit(db, environment, id, edit);
    return draft instanceof Problem ? null : draft;
  };
  await checks.ahead(store, async (db) => (await find(db))?.state ?? null);
  await checks.findings.ahead(
    store,
    environment,
    id,
    async (db) => (await find(db))?.state ?? null,
  );
  if (edit.publish || edit.schema === undefined) return;
  await checks.ahead(store, async (db) => {
    const draft = await find(db);
    return draft === null ? null : liveUnderNewSchema(db, draft);
  });
}

export async function checkEdit(
  db: Db,
  check: CheckOne,
  draft: EditDraft,
  publish: boolean,
): Promise<CheckedState | Problem> {
  const { present, base, state } = draft;
  const staysLive = base !== null && present?.live === base.number && sameState(base, state);
  if (publish || staysLive) return check(state, Strictness.Live);
  const checked = await check(state, Strictness.Draft);
  if (checked instanceof Problem) return checked;
  const mismatches = checked.warnings.filter(({ code }) => code === 'schema_mismatch');
  if (mismatches.length === 0) return checked;
  const live = await liveUnderNewSchema(db, draft);
  if (live === null || !((await check(live, Strictness.Live)) instanceof Problem)) return checked;
  const detail = `Neither the draft nor what is live (revision ${present?.live}) matches the schema.`;
  return new Problem('invalid_content', detail, mismatches);
}

/** What is live, under the schema that the edit brings; null: nothing is live, or the schema stays. */
async function liveUnderNewSchema(
  db: Db,
  { present, about: { schema }, state: { guards } }: EditDraft,
): Promise<CheckableState | null> {
  if (present === null || present.live === null || present.schema === schema) return null;
  const revision = await findRevision(db, present.environment, present.idLower, present.live);
  if (revision === null) return null;
  const state = stateOf(revision);
  return { ...state, schema, guards, liveMapping: state.mapping };
}
