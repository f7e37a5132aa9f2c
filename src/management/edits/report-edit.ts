/** Reports an edit of many content items, item by item. */
import type {
  EditedItem,
  EditReport as FullReport,
} from '../../contract/operations/contents/content-edits.js';
import type { EditRequest } from './edit-request.js';
import type { EditPlan } from './plan-edit.js';
import type { PlannedItem } from './planned-item.js';

/** What the response holds, but for what the request itself says. */
export type EditReport = Omit<FullReport, 'dryRun' | 'sequence' | 'fleet'>;

/** @param release number of the release that took the changes */
export function reportEdit(
  { edit }: EditRequest,
  { id: plan, items }: EditPlan,
  release: number | null,
): EditReport {
  const counts = { changed: 0, unchanged: 0, missing: 0, rejected: 0 };
  for (const { outcome } of items) counts[outcome]++;
  const reported = items.map((item) => reportItem(item, edit.kind === 'tags'));
  return { counts, items: reported, release, confirmation: null, plan };
}

function reportItem(item: PlannedItem, hasTags: boolean): EditedItem {
  const { id, stored, outcome, save, isDeleted, lines, warnings, problem } = item;
  const hasLive = stored !== null && stored.live !== null;
  const draft = save?.delivered === true && hasLive ? stored.draft : null;
  const isRetagged = hasTags && stored !== null && save !== null;
  return {
    ...{ id, outcome, lines, warnings },
    newest: stored?.newest ?? 0,
    live: stored?.live?.number ?? null,
    revision: isDeleted ? null : (save?.newest ?? stored?.newest ?? null),
    draftBy: draft?.author ?? null,
    tags: isRetagged ? { before: stored.tags, after: save.about.tags } : null,
    problem: problem && { code: problem.code, detail: problem.detail, errors: problem.errors },
  };
}
