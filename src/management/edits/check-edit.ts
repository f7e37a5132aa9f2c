/** Checks what an edit makes of each item, as a save of that item alone is checked, and what is found in all of them. */
import { lowestVersion } from '../../content/version-text.js';
import { Problem } from '../../contract/problems.js';
import { type StateChecks, Strictness } from '../contents/validate/check-state.js';
import { askExperiments } from '../freeze/ask-experiments.js';
import { rejectRunning } from '../freeze/reject-running.js';
import { rejectLocked, rejectPublish } from '../gate/gate.js';
import { ChangeFindings } from '../guards/change-findings.js';
import { type Found, findConfirmation } from '../guards/confirmation.js';
import { editWarningsMax } from '../limits/transfer.js';
import { parseGuards } from '../store/contents/content-guards.js';
import type { StoredContent } from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import type { Db } from '../store/dialect.js';
import { rejectProtected } from '../store/edit-environment.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { Actor } from '../store/unit-of-work.js';
import { type ContentChange, goesLiveOf } from '../transfer/goes-live.js';
import { type EditRequest, staysUnpublished } from './edit-request.js';
import { type EditPlan, planEdit } from './plan-edit.js';
import { newestState, type PlannedItem, rejectItem } from './planned-item.js';
import type { SetDeps } from './set-in-texts.js';

export interface CheckDeps extends SetDeps {
  readonly checks: StateChecks;
  readonly actor: Pick<Actor, 'role'>;
}

/** An edit whose items are checked: those that cannot be edited say why. */
export interface CheckedEdit {
  readonly plan: EditPlan;
  readonly findings: ChangeFindings;
}

/** @throws WorkFailed, WorkTooLong, WorkOverloaded */
export async function planChecked(
  db: Db,
  deps: CheckDeps,
  request: EditRequest,
): Promise<CheckedEdit | Problem> {
  const plan = await planEdit(db, deps, request);
  if (plan instanceof Problem) return plan;
  const rejected = await rejectEdit(db, deps.actor, request, plan);
  if (rejected !== null) return rejected;
  const findings = new ChangeFindings(deps.checks.findings, plan.environment.id);
  const items: PlannedItem[] = [];
  const pace = new EventLoopYielder();
  for (const item of plan.items) {
    items.push(await checkItem(db, deps, { request, plan, findings }, item));
    await pace.step();
  }
  return { plan: { ...plan, items }, findings };
}

/** Why nothing of it may be done by this user, or without a release; null: it may. */
async function rejectEdit(
  db: Db,
  actor: Pick<Actor, 'role'>,
  request: EditRequest,
  { environment, items }: EditPlan,
): Promise<Problem | null> {
  if (staysUnpublished(request)) return null;
  const isProtected = rejectProtected(environment, actor);
  if (isProtected !== null) return isProtected;
  const reaches = items.some(
    ({ outcome, stored, save, isDeleted }) =>
      outcome === 'changed' && (isDeleted ? stored?.live !== null : save?.delivered === true),
  );
  return reaches ? rejectPublish(db, environment.id, {}, 'put it into a release') : null;
}

interface Checking extends CheckedEdit {
  readonly request: EditRequest;
}

async function checkItem(
  db: Db,
  deps: CheckDeps,
  checking: Checking,
  item: PlannedItem,
): Promise<PlannedItem> {
  const { stored, outcome, isDeleted, save } = item;
  if (outcome !== 'changed' || stored === null) return item;
  const { request, plan } = checking;
  if (request.edit.kind === 'tags') {
    const rejected = stored.live === null ? null : rejectProtected(plan.environment, deps.actor);
    return rejected === null ? item : rejectItem(item, rejected);
  }
  if (isDeleted) {
    const rejected = request.release === null ? await rejectDeletion(db, plan, stored) : null;
    return rejected === null ? item : rejectItem(item, rejected);
  }
  return save === null ? item : checkState(db, deps, checking, { item, stored, save });
}

async function rejectDeletion(
  db: Db,
  { environment: { id } }: EditPlan,
  { idLower }: StoredContent,
): Promise<Problem | null> {
  return (
    (await rejectLocked(db, id, { contents: [idLower] })) ?? (await rejectRunning(db, id, idLower))
  );
}

async function checkState(
  db: Db,
  { checks }: CheckDeps,
  { request, plan: { environment }, findings }: Checking,
  given: {
    readonly item: PlannedItem;
    readonly stored: StoredContent;
    readonly save: ContentToSave;
  },
): Promise<PlannedItem> {
  const { item, stored, save } = given;
  const { idLower, id, live, schema, guards } = stored;
  const { lines, mapping, flags } = save.revisions[0] ?? newestState(stored);
  const state = { lines, mapping, flags, texts: item.texts };
  const checkable = {
    ...state,
    ...{ schema, guards: parseGuards(guards), liveMapping: live?.mapping ?? null },
  };
  const goesLive = save.delivered || request.release !== null;
  const strictness = goesLive ? Strictness.Live : Strictness.Draft;
  const checked = await checks.check(db, environment.id, checkable, strictness);
  if (checked instanceof Problem) return rejectItem(item, checked);
  if (save.delivered) {
    const touched = { contents: [idLower], uses: checked.segments };
    const locked = await rejectLocked(db, environment.id, touched);
    if (locked !== null) return rejectItem(item, locked);
    await findings.add(db, { idLower, id, state, guards, isLive: live !== null });
  }
  const warnings = [...item.warnings, ...checked.warnings, ...staysDraft(request, given)];
  return { ...item, warnings: warnings.slice(0, editWarningsMax) };
}

/** Said of a value that was to go live, in an item that players do not receive. */
function staysDraft(
  request: EditRequest,
  { stored, save }: { readonly stored: StoredContent; readonly save: ContentToSave },
): PlannedItem['warnings'] {
  if (save.delivered || stored.live !== null || staysUnpublished(request)) return [];
  const message = 'It is not published: the value is saved as a draft.';
  return [{ path: 'edit', appVersion: lowestVersion, message }];
}

/** Null: nothing is found, or nothing goes live. A problem: it may not go live beside running experiments. */
export async function foundInEdit(
  db: Db,
  request: EditRequest,
  { plan, findings }: CheckedEdit,
): Promise<Found | Problem | null> {
  if (staysUnpublished(request)) return null;
  const { id } = plan.environment;
  const changed = plan.items.filter(({ outcome }) => outcome === 'changed');
  const changes = changed.flatMap(({ stored, save }): ContentChange[] =>
    stored === null ? [] : [{ before: stored, save }],
  );
  const asked = await askExperiments(db, id, goesLiveOf(changes, []));
  if (asked instanceof Problem) return asked;
  const ids = changed.flatMap(({ save }) => (save?.delivered ? [save.idLower] : []));
  return findConfirmation(db, id, [...findings.of(ids), ...asked], plan.id, request);
}
