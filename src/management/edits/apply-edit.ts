/** Carries out an edit of many content items in one transaction: all of it is saved and goes live together, or nothing is. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import type { ChangeInput } from '../../contract/schemas/release.js';
import { rejectFound } from '../guards/confirmation.js';
import { deleteContent } from '../store/contents/contents.js';
import { saveContents } from '../store/contents/save-contents.js';
import { draftEnvironment, editEnvironment } from '../store/edit-environment.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { rejectStalePlan } from '../transfer/plan-id.js';
import { auditEdit } from './audit-edit.js';
import { type CheckedEdit, foundInEdit } from './check-edit.js';
import { type EditRequest, staysUnpublished } from './edit-request.js';
import { readEditedStates } from './plan-edit.js';
import type { PlannedItem } from './planned-item.js';
import { rejectRelease, releaseChanges } from './release-changes.js';
import { type EditReport, reportEdit } from './report-edit.js';

/** Rejected items that a problem names: people mend one after the other. */
const itemsNamedMax = 100;

/**
 * Its texts are in the store already: what is left is comparing and inserting rows.
 * @param planGiven the id from a dry run; null: none was made
 * @param checked the edit as it was checked before the transaction
 */
export async function applyEdit(
  write: UnitOfWork,
  request: EditRequest,
  planGiven: string | null,
  checked: CheckedEdit,
): Promise<EditReport | Problem> {
  const { plan } = checked;
  const publishes = !staysUnpublished(request);
  const held = await (publishes ? editEnvironment : draftEnvironment)(write, request.environment);
  if (held instanceof Problem) return held;
  const now = await readEditedStates(write.db, request);
  if (now instanceof Problem) return now;
  const unseen = { ...held, protected: held.protected && publishes };
  const stale = rejectStalePlan(unseen, planGiven, now.planId);
  if (stale !== null) return stale;
  if (now.planId !== plan.id) {
    return new Problem('plan_stale', 'The content items change too fast; try again.');
  }
  const changed = plan.items.filter(({ outcome }) => outcome === 'changed');
  const rejected =
    rejectItems(request, plan.items) ??
    (await rejectRelease(write, request, changed)) ??
    rejectFound(await foundInEdit(write.db, request, checked), request);
  if (rejected !== null) return rejected;
  if (changed.length === 0) return reportEdit(request, plan, null);
  await saveItems(write, request, changed);
  await auditEdit(write, request, plan.id, changed);
  const release =
    request.release === null
      ? null
      : await releaseChanges(write, request.environment, request.release, changed.map(changeOf));
  return reportEdit(request, plan, release);
}

/** Null: every item can be edited, or the others are to be edited without those that cannot. */
export function rejectItems(
  { isPartial }: EditRequest,
  items: readonly PlannedItem[],
): Problem | null {
  const rejected = items.flatMap(({ id, problem }) => (problem === null ? [] : [{ id, problem }]));
  if (isPartial || rejected.length === 0) return null;
  // As a sync is: with the release that has to end first.
  const locked = rejected.find(({ problem }) => problem.code === 'release_active');
  if (locked !== undefined) return locked.problem;
  const count = rejected.length === 1 ? 'One content item' : `${rejected.length} content items`;
  const detail = `${count} cannot be edited, so nothing was changed: leave them out, or send "partial".`;
  const errors = rejected
    .slice(0, itemsNamedMax)
    .map(({ id, problem }) => ({ path: id, message: problem.detail }));
  return new Problem('items_rejected', detail, errors);
}

async function saveItems(
  write: UnitOfWork,
  { environment, release }: EditRequest,
  changed: readonly PlannedItem[],
): Promise<void> {
  const pace = new EventLoopYielder();
  const isReleased = release !== null;
  await saveContents(
    write,
    environment,
    changed.flatMap(({ save }) => (save === null || (isReleased && isSaved(save)) ? [] : [save])),
  );
  if (isReleased) return;
  for (const { stored, isDeleted } of changed) {
    if (!isDeleted) continue;
    assert(stored !== null, 'what is deleted is there');
    await deleteContent(write, environment, stored.idLower);
    await pace.step();
  }
}

/** A draft that is there: the release takes it as it is. */
function isSaved({ revisions }: NonNullable<PlannedItem['save']>): boolean {
  return revisions.length === 0;
}

function changeOf({ id, save }: PlannedItem): ChangeInput {
  return { kind: 'content', id, revision: save?.newest ?? null };
}
